/** What is risky about dependencies and can be told with no network: where they come from, and what they are called. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '#findings/finding.ts';
import type { Ecosystem, Package } from './package.ts';

type Popular = Record<Ecosystem, readonly string[]>;

let popular: Record<Ecosystem, ReadonlySet<string>> | undefined;

function popularNames(): Record<Ecosystem, ReadonlySet<string>> {
  if (popular === undefined) {
    const path = join(import.meta.dirname, '../../../../data/mcp-scan/packages/popular.json');
    const lists = JSON.parse(readFileSync(path, 'utf8')) as Popular;
    const setOf = (ecosystem: Ecosystem) => new Set(lists[ecosystem]);
    popular = {
      npm: setOf('npm'),
      PyPI: setOf('PyPI'),
      Go: setOf('Go'),
      'crates.io': setOf('crates.io'),
      Maven: setOf('Maven'),
    };
  }
  return popular;
}

/** Whether two names differ by one letter that is added, left out, changed or swapped with its neighbour. */
function isOneEditApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from++;
  const [restA, restB] = [a.slice(from), b.slice(from)];
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

const words = (name: string) => name.split(/[-_.]/).toSorted().join('-');
const shortest = 5;

/** The well-known name that this one imitates; undefined for one that is known itself, or too short to tell. */
function imitated(ecosystem: Ecosystem, name: string): string | undefined {
  const known = popularNames()[ecosystem];
  if (known.has(name) || name.length < shortest) return undefined;
  const isSwapped = /[-_.]/.test(name);
  for (const each of known) {
    if (each.length < shortest) continue;
    if (
      isOneEditApart(name, each) ||
      (isSwapped && /[-_.]/.test(each) && words(each) === words(name) && each !== name)
    )
      return each;
  }
  return undefined;
}

const at = ({ path, line }: Package) => ({
  location: { path, ...(line !== undefined && { startLine: line, endLine: line }) },
});
const shownVersion = ({ version, range }: Package) => version ?? range ?? 'any version';
const supplyChain = [{ framework: 'owasp-mcp', id: 'MCP04:2025' }];

function sourceRisk(each: Package): Observation | undefined {
  const { source, name } = each;
  if (source === undefined || source.kind === 'file') return undefined;
  const isPlain = /^(?:git\+)?http:\/\//.test(source.at);
  const isFixed = source.kind === 'git' && /[0-9a-f]{40}/.test(source.at);
  if (isFixed && !isPlain) return undefined;
  const { username, password } = URL.canParse(source.at)
    ? new URL(source.at)
    : { username: '', password: '' };
  const shown = (
    username === '' && password === '' ? source.at : source.at.replace(/\/\/[^@/]*@/, '//…@')
  ).slice(0, 200);
  return {
    rule: 'dependency-direct-url',
    title: 'A dependency is taken from an address, not from a registry',
    description: `${name} comes from ${shown}: whoever controls that address decides what is installed, and nothing keeps its versions.`,
    severity: isPlain ? 'high' : 'low',
    confidence: 'high',
    subject: name,
    remedy: isPlain
      ? 'Use https and a fixed commit, or the registry.'
      : 'Name a commit, or take a released version from the registry.',
    tags: ['dependency'],
    frameworks: [{ framework: 'cwe', id: isPlain ? 'CWE-494' : 'CWE-829' }, ...supplyChain],
    ...at(each),
  };
}

/** Packages of another registry than the public one: one observation for each, however many they are. */
function registryRisks(packages: readonly Package[]): Observation[] {
  const ofRegistry = Map.groupBy(
    packages.filter((each) => each.registry !== undefined),
    ({ registry }) => registry ?? '',
  );
  return [...ofRegistry].flatMap(([registry, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const isPlain = registry.startsWith('http://');
    const names = [...new Set(own.map(({ name }) => name))];
    const shown = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
    return [
      {
        rule: 'dependency-other-registry',
        title: 'Dependencies are taken from another registry than the public one',
        description: `${shown} ${names.length === 1 ? 'comes' : 'come'} from ${registry}: what is installed is what that host sends, which may differ from the public package of the same name and version.`,
        severity: isPlain ? ('high' as const) : ('low' as const),
        confidence: 'high' as const,
        subject: registry,
        remedy: isPlain
          ? 'Use https, and make sure that the registry is yours.'
          : 'Make sure that the registry is yours or one that you trust; else write the lock file anew with the public one.',
        tags: ['dependency'],
        frameworks: [{ framework: 'cwe', id: isPlain ? 'CWE-494' : 'CWE-829' }, ...supplyChain],
        ...at(first),
      },
    ];
  });
}

function nameRisk(each: Package): Observation | undefined {
  const known = imitated(each.ecosystem, each.name);
  if (known === undefined) return undefined;
  return {
    rule: 'dependency-typosquat',
    title: 'A dependency is called almost like a well-known one',
    description: `${each.name} (${shownVersion(each)}, ${each.ecosystem}) is nearly ${known}. Names like that are registered to catch mistypings.`,
    severity: each.isDirect ? 'medium' : 'low',
    confidence: 'low',
    subject: each.name,
    evidence: known,
    remedy: `Check that ${each.name} is what was meant; if not, use ${known}.`,
    tags: ['dependency'],
    frameworks: [{ framework: 'cwe', id: 'CWE-1357' }, ...supplyChain],
    ...at(each),
  };
}

function confusionRisk(each: Package): Observation | undefined {
  if (each.ecosystem !== 'npm' || each.name.startsWith('@') || !each.isDirect) return undefined;
  if (popularNames().npm.has(each.name)) return undefined;
  if (!/(?:^|[-_])(?:internal|private|corp|inhouse)(?:[-_]|$)/i.test(each.name)) return undefined;
  return {
    rule: 'dependency-confusion',
    title: 'A private package without a scope can be confused with a public one',
    description: `${each.name} looks like a package of your own, and has no scope: somebody can publish the same name in the public registry, and it is installed instead.`,
    severity: 'medium',
    confidence: 'low',
    subject: each.name,
    remedy: 'Publish it under a scope that you own (@company/…), and bind the scope to your registry.',
    tags: ['dependency'],
    frameworks: [{ framework: 'cwe', id: 'CWE-427' }, ...supplyChain],
    ...at(each),
  };
}

/** What an install script of the project itself does that an installation does not need. */
/** A last resort that ends quietly is no code. */
const quietEnd = /node\s+-e\s+\W*process\.exit\(\d*\);?\W*/g;
const runsDownload =
  /\b(?:curl|wget|iwr|irm|Invoke-WebRequest)\b|https?:\/\/|\bnode\s+-e\b|\bpython3?\s+-c\b|\bbase64\b|\beval\b/;
const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];

/** npm runs these for a checkout, and not for a package that comes from a registry, whose files lie in `package/`. */
const ofCheckouts = new Set(['prepare', 'prepublish']);
const isPacked = (path: string) => path === 'package/package.json';

function scriptRisks(path: string, text: string): Observation[] {
  let scripts: Record<string, unknown>;
  try {
    scripts = ((JSON.parse(text) as { scripts?: Record<string, unknown> }).scripts ?? {}) as Record<
      string,
      unknown
    >;
  } catch {
    return [];
  }
  const run = hooks.filter((hook) => !(ofCheckouts.has(hook) && isPacked(path)));
  return run.flatMap((hook) => {
    const script = scripts[hook];
    if (
      typeof script !== 'string' ||
      (!runsDownload.test(script) && !['preinstall', 'install', 'postinstall'].includes(hook))
    )
      return [];
    const isGrave = runsDownload.test(script.replaceAll(quietEnd, ''));
    const before = text.slice(0, Math.max(0, text.indexOf(`"${hook}"`)));
    const line = before.split('\n').length;
    return [
      {
        rule: 'install-script',
        title: isGrave
          ? 'Installing the package downloads or runs code'
          : 'Installing the package runs a script',
        description: `${hook} runs “${script.slice(0, 160)}” on every machine that installs it.`,
        severity: isGrave ? ('high' as const) : ('low' as const),
        confidence: isGrave ? ('medium' as const) : ('high' as const),
        location: {
          path,
          startLine: line,
          endLine: line,
          snippet: `"${hook}": ${JSON.stringify(script).slice(0, 300)}`,
        },
        remedy: 'Leave the hook out, or install with scripts switched off (npm install --ignore-scripts).',
        tags: ['dependency'],
        frameworks: [{ framework: 'cwe', id: isGrave ? 'CWE-494' : 'CWE-829' }, ...supplyChain],
      },
    ];
  });
}

function setupRisk(path: string, text: string): Observation[] {
  const found =
    /\b(?:os\.system|subprocess\.\w+|urllib\.request\.urlopen|requests\.(?:get|post)|urlretrieve|exec\(|eval\(|socket\.socket)\(?/.exec(
      text,
    );
  if (found === null) return [];
  const line = text.slice(0, found.index).split('\n').length;
  return [
    {
      rule: 'install-script',
      title: 'Installing the package runs code that reaches out',
      description: `setup.py calls ${found[0].replace(/\($/, '')} while the package is installed.`,
      severity: 'medium',
      confidence: 'medium',
      location: {
        path,
        startLine: line,
        endLine: line,
        snippet: (text.split('\n')[line - 1] ?? '').slice(0, 300),
      },
      remedy: 'Describe the package in pyproject.toml, and leave code out of its installation.',
      tags: ['dependency'],
      frameworks: [{ framework: 'cwe', id: 'CWE-506' }, ...supplyChain],
    },
  ];
}

/** Risks of the project's own packaging files and of the packages that they name. One for each package, the direct one first. */
export function dependencyRisks(
  packages: readonly Package[],
  files: readonly { path: string; text: string }[],
): Observation[] {
  const first = new Map<string, Package>();
  for (const each of [...packages].toSorted((a, b) => Number(b.isDirect) - Number(a.isDirect))) {
    const key = `${each.ecosystem}\n${each.name}`;
    if (!first.has(key)) first.set(key, each);
  }
  const ofPackages = [...first.values()].flatMap((each) =>
    [sourceRisk(each), nameRisk(each), confusionRisk(each)].filter((risk) => risk !== undefined),
  );
  const inFolders = /(?:^|\/)(?:node_modules|site-packages|\.venv|venv|vendor|tests?|examples?|fixtures?)\//;
  const ofFiles = files
    .filter(({ path }) => !inFolders.test(path))
    .flatMap((file) => {
      const { path } = file;
      if (/(?:^|\/)package\.json$/.test(path)) return scriptRisks(path, file.text);
      return /(?:^|\/)setup\.py$/.test(path) ? setupRisk(path, file.text) : [];
    });
  return [...ofPackages, ...registryRisks(packages), ...ofFiles];
}
