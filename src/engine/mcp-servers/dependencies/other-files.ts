/** Dependencies of Python, Go, Rust and Java projects. */
import { parse as parseToml } from 'smol-toml';
import type { Ecosystem, Package } from './package.ts';

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** PEP 503: names of Python packages are the same in any case and with any separator. */
const pythonName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

const made = (ecosystem: Ecosystem, path: string, each: Partial<Package> & { name: string }): Package => ({
  ecosystem,
  path,
  isDirect: true,
  isDevelopment: false,
  ...each,
});

const kindOfAddress = (at: string): 'git' | 'file' | 'url' => {
  if (at.startsWith('git')) return 'git';
  return at.startsWith('file:') ? 'file' : 'url';
};

/** A requirement that names an address. */
function directRequirement(spec: string, path: string, line: number | undefined): Package | undefined {
  const [, given, at = ''] =
    /^([A-Za-z0-9][\w.-]*)?\s*(?:\[[^\]]*\])?\s*@?\s*((?:git\+|https?:\/\/|file:)\S+)/.exec(spec) ?? [];
  const name = given ?? /[#&]egg=([\w.-]+)/.exec(at)?.[1];
  return at === '' || name === undefined
    ? undefined
    : made('PyPI', path, { name: pythonName(name), line, source: { kind: kindOfAddress(at), at } });
}

/** One requirement as PEP 508 writes it. */
function requirement(spec: string, path: string, line?: number): Package | undefined {
  const direct = directRequirement(spec, path, line);
  if (direct !== undefined) return direct;
  const [, name, range = ''] = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;#]*)/.exec(spec) ?? [];
  if (name === undefined || /^(?:git|https?|file)$/.test(name)) return undefined;
  const version = /^===?\s*([\w.!+-]+)$/.exec(range.trim().replaceAll(/[()]/g, ''))?.[1];
  return made('PyPI', path, { name: pythonName(name), version, range: range.trim() || undefined, line });
}

export function readRequirements(text: string, path: string): Package[] {
  const joined = text.replaceAll(/\\\r?\n/g, ' ');
  return joined.split('\n').flatMap((raw, at) => {
    const line = raw
      .replace(/(?:^|\s)#.*$/, '')
      .replaceAll(/\s--hash=\S+/g, '')
      .trim();
    if (line === '' || (line.startsWith('-') && !/^-e\s/.test(line))) return [];
    return requirement(line.replace(/^-e\s+/, ''), path, at + 1) ?? [];
  });
}

export function readPyproject(text: string, path: string): Package[] {
  const project = parseToml(text);
  const { dependencies, 'optional-dependencies': optional } = fields(project['project']);
  const poetry = fields(fields(project['tool'])['poetry']);
  const specs = [...list(dependencies), ...Object.values(fields(optional)).flatMap(list)];
  const found = specs.flatMap((spec) => (typeof spec === 'string' ? (requirement(spec, path) ?? []) : []));
  const groups = fields(poetry['group']);
  const tables = [
    [poetry['dependencies'], false],
    [poetry['dev-dependencies'], true],
    ...Object.values(groups).map((group) => [fields(group)['dependencies'], true]),
  ] as const;
  for (const [table, isDevelopment] of tables)
    for (const [name, value] of Object.entries(fields(table))) {
      if (name === 'python') continue;
      const { git, url, path: local, version } = fields(value);
      const at = textIn(git) ?? textIn(url) ?? textIn(local);
      found.push(
        made('PyPI', path, {
          name: pythonName(name),
          range: textIn(value) ?? textIn(version),
          isDevelopment: isDevelopment === true,
          source:
            at === undefined
              ? undefined
              : { kind: git === undefined ? (url === undefined ? 'file' : 'url') : 'git', at },
        }),
      );
    }
  return found;
}

/** Where an entry of a lock file comes from, if not from a registry. */
function sourceOfLocked(source: unknown): Package['source'] {
  const { url, git, directory } = fields(source);
  const at = textIn(git) ?? textIn(url) ?? (typeof source === 'string' ? source : undefined);
  if (at === undefined || directory !== undefined || /^(?:registry|sparse)\+/.test(at)) return undefined;
  return { kind: git === undefined ? kindOfAddress(at) : 'git', at };
}

/** poetry.lock, uv.lock and Cargo.lock: a list of packages each. What is the project itself is left out. */
export function readTomlLock(text: string, path: string): Package[] {
  const isRust = /(?:^|\/)Cargo\.lock$/.test(path);
  return list(parseToml(text)['package']).flatMap((value) => {
    const { name, version, source } = fields(value);
    const { virtual, editable } = fields(source);
    const isOwn = virtual !== undefined || editable !== undefined || (isRust && source === undefined);
    if (typeof name !== 'string' || isOwn) return [];
    const each = { version: textIn(version), isDirect: false, source: sourceOfLocked(source) };
    return [
      isRust
        ? made('crates.io', path, { name, ...each })
        : made('PyPI', path, { name: pythonName(name), ...each }),
    ];
  });
}

export function readPipfileLock(text: string, path: string): Package[] {
  const lock = fields(JSON.parse(text));
  return (['default', 'develop'] as const).flatMap((part) =>
    Object.entries(fields(lock[part])).map(([name, value]) => {
      const { version, git } = fields(value);
      const at = textIn(git);
      return made('PyPI', path, {
        name: pythonName(name),
        version: textIn(version)?.replace(/^==/, ''),
        isDirect: false,
        isDevelopment: part === 'develop',
        source: at === undefined ? undefined : { kind: 'git', at },
      });
    }),
  );
}

export function readGoMod(text: string, path: string): Package[] {
  return text.split('\n').flatMap((raw, at) => {
    const line = raw.replace(/^\s*require\s+/, '').trim();
    const [, name, version, note = ''] =
      /^([\w.~/-]+\.[\w.~/-]+)\s+v(\d[\w.+-]*)\s*(\/\/.*)?$/.exec(line) ?? [];
    return name === undefined || version === undefined
      ? []
      : [made('Go', path, { name, version, line: at + 1, isDirect: !note.includes('indirect') })];
  });
}

export function readCargoToml(text: string, path: string): Package[] {
  const manifest = parseToml(text);
  return (['dependencies', 'build-dependencies', 'dev-dependencies'] as const).flatMap((part) =>
    Object.entries(fields(manifest[part])).map(([key, value]) => {
      const { git, path: local, version, package: renamed } = fields(value);
      const at = textIn(git) ?? textIn(local);
      return made('crates.io', path, {
        name: textIn(renamed) ?? key,
        range: textIn(value) ?? textIn(version),
        isDevelopment: part === 'dev-dependencies',
        source: at === undefined ? undefined : { kind: git === undefined ? 'file' : 'git', at },
      });
    }),
  );
}

const element = (block: string, name: string) =>
  new RegExp(String.raw`<${name}>\s*([^<]{1,300}?)\s*</${name}>`).exec(block)?.[1];

/** The dependencies that stand in the file itself, with properties of the same file filled in. */
export function readPom(text: string, path: string): Package[] {
  const properties = Object.fromEntries(
    [
      ...(/<properties>([\s\S]{0,100000}?)<\/properties>/.exec(text)?.[1] ?? '').matchAll(
        /<([\w.-]+)>\s*([^<]*?)\s*<\/\1>/g,
      ),
    ].map(([, name = '', value = '']) => [name, value]),
  );
  const filled = (value: string | undefined) =>
    value?.replaceAll(/\$\{([\w.-]+)\}/g, (whole, name: string) => properties[name] ?? whole);
  return [...text.matchAll(/<dependency>([\s\S]{1,5000}?)<\/dependency>/g)].flatMap(
    ({ 1: block = '', index }) => {
      const [group, artifact] = [filled(element(block, 'groupId')), filled(element(block, 'artifactId'))];
      if (group === undefined || artifact === undefined) return [];
      const version = filled(element(block, 'version'));
      return [
        made('Maven', path, {
          name: `${group}:${artifact}`,
          version: version !== undefined && /^\d[^${}[\],]*$/.test(version) ? version : undefined,
          range: version,
          line: text.slice(0, index).split('\n').length,
          isDevelopment: element(block, 'scope') === 'test',
        }),
      ];
    },
  );
}

export function readGradleLock(text: string, path: string): Package[] {
  return text.split('\n').flatMap((line, at) => {
    const [, group, artifact, version] = /^([\w.-]+):([\w.-]+):([\w.+-]+)=/.exec(line) ?? [];
    return group === undefined || artifact === undefined
      ? []
      : [made('Maven', path, { name: `${group}:${artifact}`, version, line: at + 1, isDirect: false })];
  });
}
