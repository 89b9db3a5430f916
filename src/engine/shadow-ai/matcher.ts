import type { Catalogue, Provider, ToolRule } from './catalogue.ts';
import { withoutExe } from './programs/found.ts';
import { programOf, type Program } from './programs/program.ts';
import { releaseName } from './programs/release-name.ts';
import { HostTrie, normalHost } from './hosts.ts';
import { remembering } from './remember.ts';
import { fileNameOf } from './telemetry.ts';

/** How a process was recognised: by its name, or by what its command line and path say. */
export type Signal = 'process' | 'cli';

export interface ProcessMatch {
  readonly rule: ToolRule;
  readonly signal: Signal;
  /** It is known by a name alone that other programs have too. */
  readonly weak: boolean;
}

export interface Matcher {
  readonly catalogue: Catalogue;
  /** What a process is; undefined for everything that is no AI tool. */
  matchProcess(image: string, commandLine: string): ProcessMatch | undefined;
  /** The provider that a host belongs to. Never found by an address: providers share them. */
  findProvider(host: string): Provider | undefined;
  /** Whether a program that is no browser uses the provider by connecting there, and does not merely show its pages. */
  isApiHost(host: string): boolean;
  /** Whether the host is one of the rule's own. */
  isHostOf(rule: ToolRule, host: string): boolean;
  /** Browsers, and programs that look names up for others. */
  actsForOthers(image: string): boolean;
  /** The rule that a written file alone makes a detection of. */
  matchFile(path: string): ToolRule | undefined;
  findRule(id: string): ToolRule | undefined;
}

const rememberedHosts = 5000;

/** The rule of each key; of several the one with most confidence. */
type Table = Map<string, ToolRule>;

const add = (table: Table, key: string, rule: ToolRule) => {
  const lower = key.toLowerCase();
  const known = table.get(lower);
  if (known === undefined || rule.confidence > known.confidence) table.set(lower, rule);
};

/** Makes the tables once; matching then takes one pass over a command line, without regular expressions of the data. */
export function createMatcher(catalogue: Catalogue): Matcher {
  const { rules, providers, lists } = catalogue;
  const tables = tablesOf(rules);
  const byHost = new HostTrie<Provider>();
  const apiHosts = new HostTrie<true>();
  for (const provider of providers) addProvider(provider, byHost, apiHosts);
  const ownHosts = new Map(rules.map((rule) => [rule.id, hostsOf(rule)]));
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const others = new Set([...lists.browsers, ...lists.resolvers].map((name) => name.toLowerCase()));
  const written = rules.flatMap((rule) =>
    (rule.match.written_files ?? []).map((suffix) => ({ suffix: suffix.toLowerCase(), rule })),
  );
  // A fleet asks for few hosts, and for each of them often.
  const ofHost = remembering((host: string) => {
    const normal = normalHost(host);
    return { provider: byHost.find(normal), isApi: apiHosts.find(normal) === true };
  }, rememberedHosts);
  return {
    catalogue,
    matchProcess: (image, commandLine) => matchProgram(programOf(image, commandLine), tables),
    findProvider: (host) => ofHost(host).provider,
    isApiHost: (host) => ofHost(host).isApi,
    isHostOf: ({ id }, host) => ownHosts.get(id)?.find(normalHost(host)) === true,
    actsForOthers: (image) => others.has(fileNameOf(image).toLowerCase()),
    matchFile(path) {
      const lower = path.replaceAll('\\', '/').toLowerCase();
      return written.find(({ suffix }) => lower.endsWith(suffix))?.rule;
    },
    findRule: (id) => byId.get(id),
  };
}

function addProvider(provider: Provider, byHost: HostTrie<Provider>, apiHosts: HostTrie<true>): void {
  const { api_domains = [], dst_domains = [], dns_hostname_suffixes = [], host_globs = [] } = provider;
  for (const host of [...api_domains, ...dst_domains]) byHost.addExact(host, provider);
  for (const suffix of dns_hostname_suffixes) byHost.addSuffix(suffix, provider);
  for (const glob of host_globs) byHost.addGlob(glob, provider);
  for (const host of api_domains) apiHosts.addExact(host, true);
  for (const glob of host_globs) apiHosts.addGlob(glob, true);
  if (provider.kind === 'cloud-ai')
    for (const suffix of dns_hostname_suffixes) apiHosts.addSuffix(suffix, true);
}

function hostsOf({ match }: ToolRule): HostTrie<true> {
  const trie = new HostTrie<true>();
  for (const host of match.hosts ?? []) trie.addExact(host, true);
  for (const suffix of match.host_suffixes ?? []) trie.addSuffix(suffix, true);
  return trie;
}

function tablesOf(rules: readonly ToolRule[]) {
  const made = {
    names: new Map() as Table,
    packages: new Map() as Table,
    modules: new Map() as Table,
    images: new Map() as Table,
    extensions: new Map() as Table,
    commands: new Map() as Table,
    scripts: new Map() as Table,
  };
  const parts: { kind: Part; text: string; rule: ToolRule }[] = [];
  for (const rule of rules) {
    const { match } = rule;
    for (const kind of Object.keys(made) as (keyof typeof made)[])
      for (const key of match[kind] ?? []) add(made[kind], key, rule);
    for (const kind of partKinds) for (const text of match[kind] ?? []) parts.push({ kind, text, rule });
  }
  const others: Table = new Map();
  for (const rule of rules) for (const command of rule.match.other_commands ?? []) add(others, command, rule);
  const ofKind = (kind: Part) => parts.filter((part) => part.kind === kind);
  const anyPath = new RegExp(
    ofKind('paths')
      .map(({ text }) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
      .join('|') || '(?!)',
  );
  return {
    ...made,
    others,
    anyPath,
    parts: Object.fromEntries(partKinds.map((kind) => [kind, ofKind(kind)])) as unknown as Parts,
  };
}

const partKinds = [
  'paths',
  'package_prefixes',
  'package_suffixes',
  'module_prefixes',
  'installers',
  'file_suffixes',
] as const;
type Part = (typeof partKinds)[number];
type Parts = Record<Part, { text: string; rule: ToolRule }[]>;
type Tables = ReturnType<typeof tablesOf>;

function matchProgram(program: Program, tables: Tables): ProcessMatch | undefined {
  const strong = matchPath(program, tables) ?? matchCarried(program, tables) ?? matchCommand(program, tables);
  if (strong !== undefined) return { rule: strong, signal: 'cli', weak: false };
  const named = matchName(program, tables);
  if (named !== undefined) return isOther(program, named.rule, tables) ? undefined : named;
  const ending = tables.parts.file_suffixes.find(({ text }) => program.name.endsWith(text));
  return ending && { rule: ending.rule, signal: 'process', weak: false };
}

/** Folders that a package manager fills, by the prefix that its packages have in the catalogue. */
const registryFolders = [
  ['/.cargo/bin/', 'cargo:'],
  ['/go/bin/', 'go:'],
] as const;

/** It comes from a registry that the tool is not in: another program of the name, or one that somebody built. */
const isFromElsewhere = (path: string, { match: { packages = [] } }: ToolRule): boolean =>
  registryFolders.some(
    ([folder, prefix]) => path.includes(folder) && !packages.some((name) => name.startsWith(prefix)),
  );

function matchName({ name, carriedNames, paths }: Program, { names }: Tables): ProcessMatch | undefined {
  const own = names.get(name);
  if (own !== undefined) {
    const weak = own.weak_name || isFromElsewhere(paths[0] ?? '', own);
    return { rule: own, signal: 'process', weak };
  }
  for (const carried of carriedNames) {
    const rule = names.get(carried) ?? names.get(`${carried}.exe`);
    if (rule !== undefined) return { rule, signal: 'cli', weak: rule.weak_name };
  }
  const released = releaseName(withoutExe(name));
  const rule = released === name ? undefined : (names.get(released) ?? names.get(`${released}.exe`));
  return rule && { rule, signal: 'process', weak: rule.weak_name };
}

/** Whether its first word or its path shows that it is another program of the same name. */
const isOther = (
  { commandNames, firstWords: [word], paths }: Program,
  { id, match }: ToolRule,
  { others }: Tables,
): boolean =>
  (word !== undefined && commandNames.some((name) => others.get(`${name} ${word}`)?.id === id)) ||
  match.other_paths?.some((part) => paths[0]?.includes(part)) === true;

function matchPath({ paths }: Program, { parts, anyPath, extensions }: Tables): ToolRule | undefined {
  for (const path of paths) {
    // One pass for all of them: nearly every path has none.
    if (anyPath.test(path)) for (const { text, rule } of parts.paths) if (path.includes(text)) return rule;
    if (!path.includes('/extensions/')) continue;
    const folder = /\/extensions\/([^/]{1,255}?)-\d[^/]{0,255}\//.exec(path)?.[1];
    const found = folder === undefined ? undefined : extensions.get(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchCarried(program: Program, tables: Tables): ToolRule | undefined {
  return (
    firstOf(program.packages, tables.packages) ??
    firstOf(program.images, tables.images) ??
    firstOf(program.extensions, tables.extensions) ??
    matchPackageForm(program, tables) ??
    matchModule(program, tables) ??
    matchInstaller(program, tables.parts)
  );
}

function firstOf(keys: readonly string[], table: Table): ToolRule | undefined {
  for (const key of keys) {
    const found = table.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchPackageForm({ packages }: Program, { parts }: Tables): ToolRule | undefined {
  for (const name of packages) {
    const found =
      parts.package_prefixes.find(({ text }) => name.startsWith(text)) ??
      parts.package_suffixes.find(({ text }) => name.endsWith(text));
    if (found !== undefined) return found.rule;
  }
  return undefined;
}

function matchModule({ module, scripts }: Program, tables: Tables): ToolRule | undefined {
  const scripted = firstOf(scripts, tables.scripts);
  if (scripted !== undefined || module === undefined) return scripted;
  const dotted = module.split('.');
  for (let length = dotted.length; length > 0; length -= 1) {
    const found = tables.modules.get(dotted.slice(0, length).join('.'));
    if (found !== undefined) return found;
  }
  return tables.parts.module_prefixes.find(({ text }) => module.startsWith(text))?.rule;
}

const matchInstaller = ({ urls }: Program, { installers }: Parts): ToolRule | undefined =>
  installers.find(({ text }) => urls.some((url) => url.startsWith(text)))?.rule;

function matchCommand({ commandNames, firstWords }: Program, { commands }: Tables): ToolRule | undefined {
  for (const name of commandNames)
    for (const word of firstWords) {
      const found = commands.get(`${name} ${word}`);
      if (found !== undefined) return found;
    }
  return undefined;
}
