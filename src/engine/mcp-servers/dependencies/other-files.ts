/** Dependencies of Python, Go, Rust and Java projects. */
import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import type { Ecosystem, Package } from './package.ts';

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** PEP 503: names of Python packages are the same in any case and with any separator. */
const pythonName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

export const made = (
  ecosystem: Ecosystem,
  path: string,
  each: Partial<Package> & { name: string },
): Package => ({
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

const editable = /^(?:-e|--editable)[\s=]+/;

/** A line with those that a backslash at its end goes on in. */
function withContinuation(lines: readonly string[], at: number): string {
  let [line, next] = [lines[at] ?? '', at];
  while (line.endsWith('\\') && next + 1 < lines.length) line = `${line.slice(0, -1)} ${lines[++next] ?? ''}`;
  return line;
}

/** Other files that a file of requirements names, as paths of the project. */
export function includedRequirements(text: string, path: string): string[] {
  return [...text.matchAll(/^[ \t]*(?:-r|-c|--requirement|--constraint)[ \t=]*([^\s#=-]\S*)/gm)].flatMap(
    ([, name = '']) => (/^[a-z]+:\/\//i.test(name) ? [] : [posix.join(posix.dirname(path), name)]),
  );
}

export function readRequirements(text: string, path: string): Package[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.flatMap((_, at) => {
    if (at > 0 && lines[at - 1]?.endsWith('\\') === true) return [];
    const line = withContinuation(lines, at)
      .replace(/(?:^|\s)#.*$/, '')
      .replaceAll(/\s--[a-z-]+(?:[= ]\S+)?/g, '')
      .trim();
    if (line === '' || (line.startsWith('-') && !editable.test(line))) return [];
    return requirement(line.replace(editable, ''), path, at + 1) ?? [];
  });
}

/** A version alone is exact for Poetry. */
const poetryVersion = (range: string | undefined): Pick<Package, 'version' | 'range'> => ({
  version: /^(?:==)?\s*(\d[\w.!+-]*)$/.exec(range?.trim() ?? '')?.[1],
  range,
});

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
          ...poetryVersion(textIn(value) ?? textIn(version)),
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

/** Poetry says what kind of place an address is; `legacy` is an index of one's own. */
function sourceOfPoetry(type: string, at: string | undefined): Package['source'] {
  if (type === 'legacy' || at === undefined) return undefined;
  return { kind: type === 'git' || type === 'url' ? type : 'file', at };
}

/** Where an entry of a lock file comes from, if not from a registry. */
function sourceOfLocked(source: unknown): Package['source'] {
  const { url, git, directory, type, path: local } = fields(source);
  if (typeof type === 'string') return sourceOfPoetry(type, textIn(url));
  if (typeof local === 'string') return { kind: 'file', at: local };
  const at = textIn(git) ?? textIn(url) ?? (typeof source === 'string' ? source : undefined);
  if (at === undefined || directory !== undefined || /^(?:registry|sparse)\+/.test(at)) return undefined;
  return { kind: git === undefined ? kindOfAddress(at) : 'git', at };
}

/** poetry.lock, uv.lock and Cargo.lock: a list of packages each. What is the project itself is left out. */
export function readTomlLock(text: string, path: string): Package[] {
  const isRust = /(?:^|\/)Cargo\.lock$/.test(path);
  const lock = parseToml(text);
  return list(lock['package'] ?? lock['packages']).flatMap((value) => {
    const { name, version, source, category, groups } = fields(value);
    const isDevelopment =
      category === 'dev' ||
      (Array.isArray(groups) &&
        groups.length > 0 &&
        !groups.some((each) => each === 'main' || each === 'default'));
    const { virtual, editable } = fields(source);
    const isOwn = virtual !== undefined || editable !== undefined || (isRust && source === undefined);
    if (typeof name !== 'string' || isOwn) return [];
    const each = { version: textIn(version), isDirect: false, isDevelopment, source: sourceOfLocked(source) };
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
      const { version, git, file } = fields(value);
      const at = textIn(git) ?? textIn(file);
      return made('PyPI', path, {
        name: pythonName(name),
        version: textIn(version)?.replace(/^==/, ''),
        isDirect: false,
        isDevelopment: part === 'develop',
        source: at === undefined ? undefined : { kind: git === undefined ? kindOfAddress(at) : 'git', at },
      });
    }),
  );
}

export function readPipfile(text: string, path: string): Package[] {
  const pipfile = parseToml(text);
  return (['packages', 'dev-packages'] as const).flatMap((part) =>
    Object.entries(fields(pipfile[part])).map(([name, value]) => {
      const { version, git, file, path: local } = fields(value);
      const at = textIn(git) ?? textIn(file) ?? textIn(local);
      const range = textIn(value) ?? textIn(version);
      return made('PyPI', path, {
        name: pythonName(name),
        version: /^==([\w.!+-]+)$/.exec(range ?? '')?.[1],
        range,
        isDevelopment: part === 'dev-packages',
        source: at === undefined ? undefined : { kind: git === undefined ? kindOfAddress(at) : 'git', at },
      });
    }),
  );
}

export function readCargoToml(text: string, path: string): Package[] {
  const manifest = parseToml(text);
  return (['dependencies', 'build-dependencies', 'dev-dependencies'] as const).flatMap((part) =>
    Object.entries(fields(manifest[part])).map(([key, value]) => {
      const { git, path: local, version, package: renamed } = fields(value);
      const at = textIn(git) ?? textIn(local);
      return made('crates.io', path, {
        name: textIn(renamed) ?? key,
        version: /^=\s*(\d+\.\d+\.\d+[\w.+-]*)$/.exec((textIn(value) ?? textIn(version) ?? '').trim())?.[1],
        range: textIn(value) ?? textIn(version),
        isDevelopment: part === 'dev-dependencies',
        source: at === undefined ? undefined : { kind: git === undefined ? 'file' : 'git', at },
      });
    }),
  );
}

const element = (block: string, name: string) =>
  new RegExp(String.raw`<${name}>\s*([^<]{1,300}?)\s*</${name}>`).exec(block)?.[1];

/** The text with blocks blank, so that lines stay what they are. */
function withoutBlocks(text: string, open: string, close: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, done)) {
    const end = text.indexOf(close, at);
    const next = end < 0 ? text.length : end + close.length;
    parts.push(text.slice(done, at), text.slice(at, next).replaceAll(/[^\n]/g, ' '));
    done = next;
  }
  return `${parts.join('')}${text.slice(done)}`;
}

/** The dependencies that stand in the file itself, with properties of the same file filled in. */
export function readPom(written: string, path: string): Package[] {
  const text = withoutBlocks(withoutBlocks(written, '<!--', '-->'), '<exclusions>', '</exclusions>');
  const properties = Object.fromEntries(
    [
      ...(/<properties>([\s\S]{0,100000}?)<\/properties>/.exec(text)?.[1] ?? '').matchAll(
        /<([\w.-]+)>([^<]*)<\/\1>/g,
      ),
    ].map(([, name = '', value = '']) => [name, value.trim()]),
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
    // One lock file for each configuration, as older versions write, has no `=`.
    const [, group, artifact, version, used = ''] =
      /^([\w.-]+):([\w.-]+):([\w.+-]+)(?:=(\S*))?\s*$/.exec(line) ?? [];
    const isDevelopment = used !== '' && used.split(',').every((name) => /^test/i.test(name));
    return group === undefined || artifact === undefined
      ? []
      : [
          made('Maven', path, {
            name: `${group}:${artifact}`,
            version,
            line: at + 1,
            isDirect: false,
            isDevelopment,
          }),
        ];
  });
}
