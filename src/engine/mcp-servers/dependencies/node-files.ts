/** Dependencies of Node projects: package.json and the lock files of npm, yarn, pnpm and bun. */
import { parse as parseYaml } from 'yaml';
import type { Package } from './package.ts';

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const kinds = [
  ['dependencies', false],
  ['optionalDependencies', false],
  ['peerDependencies', false],
  ['devDependencies', true],
] as const;

function sourceOf(range: string): Package['source'] {
  if (
    /^(?:git[+:]|github:|gitlab:|bitbucket:|ssh:|git@)|^https?:\/\/[^#]+\.git(?:#|$)|^[\w.-]+\/[\w.-]+(?:#.*)?$/.test(
      range,
    )
  )
    return { kind: 'git', at: range };
  if (/^https?:\/\//.test(range)) return { kind: 'url', at: range };
  return /^(?:file:|link:|\.{0,2}\/)/.test(range) ? { kind: 'file', at: range } : undefined;
}

const registry = /^https?:\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|registry\.npmmirror\.com)\//;

const lineOf = (text: string, needle: string): number | undefined => {
  const at = text.indexOf(needle);
  return at < 0 ? undefined : text.slice(0, at).split('\n').length;
};

/** The one version that a range lets through; undefined for every other range. */
const exactVersion = (range: string): string | undefined =>
  /^\s*=?\s*v?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)\s*$/.exec(range)?.[1];

export function readPackageJson(text: string, path: string): Package[] {
  const manifest = fields(JSON.parse(text));
  return kinds.flatMap(([kind, isDevelopment]) =>
    Object.entries(fields(manifest[kind])).flatMap(([name, given]): Package[] => {
      const range = textIn(given);
      if (range === undefined || range.startsWith('workspace:')) return [];
      const alias = /^npm:((?:@[^/]+\/)?[^@]+)@(.+)$/.exec(range);
      const wanted = alias?.[2] ?? range;
      return [
        {
          ecosystem: 'npm',
          name: alias?.[1] ?? name,
          version: exactVersion(wanted),
          range: wanted,
          path,
          line: lineOf(text, `"${name}"`),
          isDirect: true,
          isDevelopment,
          source: sourceOf(range),
        },
      ];
    }),
  );
}

/** Where a lock file took a package from: registries of one's own keep the paths of the public one. */
function originOf(resolved: string): Pick<Package, 'source' | 'registry'> {
  if (resolved === '' || registry.test(resolved)) return {};
  const isRegistry = /^https?:\/\/[^?#]*\/-\//.test(resolved) && URL.canParse(resolved);
  return isRegistry ? { registry: new URL(resolved).origin } : { source: sourceOf(resolved) };
}

const nameInPath = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

export function readPackageLock(text: string, path: string): Package[] {
  const lock = fields(JSON.parse(text));
  const packages = fields(lock['packages']);
  if (Object.keys(packages).length > 0) {
    const root = fields(packages['']);
    const direct = new Set(kinds.flatMap(([kind]) => Object.keys(fields(root[kind]))));
    return Object.entries(packages).flatMap(([place, value]): Package[] => {
      const entry = fields(value);
      if (!place.includes('node_modules/') || entry['link'] === true) return [];
      const name = textIn(entry['name']) ?? nameInPath(place);
      const resolved = textIn(entry['resolved']) ?? '';
      return [
        {
          ecosystem: 'npm',
          name,
          version: textIn(entry['version']),
          path,
          isDirect: place === `node_modules/${name}` && direct.has(name),
          isDevelopment: entry['dev'] === true,
          hasInstallScript: entry['hasInstallScript'] === true,
          ...originOf(resolved),
        },
      ];
    });
  }
  const found: Package[] = [];
  const walk = (dependencies: Fields, depth: number) => {
    if (depth > 50) return;
    for (const [name, value] of Object.entries(dependencies)) {
      const entry = fields(value);
      const given = textIn(entry['version']) ?? '';
      // `npm:other@1.0.0` is another package; an address stands where a version would.
      const [real = name, version = given] = splitSpec(given.startsWith('npm:') ? given.slice(4) : '') ?? [];
      found.push({ ...fromVersion(path, real, version), isDevelopment: entry['dev'] === true });
      walk(fields(entry['dependencies']), depth + 1);
    }
  };
  walk(fields(lock['dependencies']), 0);
  return found;
}

const splitSpec = (spec: string): [string, string] | undefined => {
  // The first one behind a scope: addresses and patches have more of them.
  const at = spec.indexOf('@', 1);
  return at > 0 ? [spec.slice(0, at), spec.slice(at + 1)] : undefined;
};

/** An entry of a lock file, by what stands where its version would: a version, or where it was taken from. */
function fromVersion(path: string, name: string, written: string): Package {
  const version = written.replace(/^npm:/, '');
  if (/^\d/.test(version)) return locked(path, name, version);
  return { ...locked(path, name, undefined), source: sourceOf(version) ?? { kind: 'url', at: version } };
}

export const refuseBinary = (): never => {
  throw new Error('It is binary: bun.lock is its form as text (bun install --save-text-lockfile).');
};

const locked = (path: string, name: string, version: string | undefined): Package => ({
  ecosystem: 'npm',
  name,
  version,
  path,
  isDirect: false,
  isDevelopment: false,
});

export function readYarnLock(text: string, path: string): Package[] {
  if (/^__metadata:/m.test(text))
    return Object.entries(fields(parseYaml(text, { maxAliasCount: 0 }))).flatMap(([, value]) => {
      const entry = fields(value);
      const spec = splitSpec(textIn(entry['resolution']) ?? '');
      if (spec === undefined || entry['linkType'] === 'soft') return [];
      const [name, origin] = spec;
      const version = textIn(entry['version']);
      // A patched package is the one that it is a patch of.
      if (version === undefined || !/^(?:npm|patch):/.test(origin))
        return [{ ...fromVersion(path, name, origin), version }];
      return [locked(path, name, version)];
    });
  const found: Package[] = [];
  let name: string | undefined;
  for (const line of text.split('\n')) {
    // `"a@npm:b@^1.0.0"` is b under another name.
    const head = /^"?((?:@[^/@\s"]+\/)?[^@\s"]+)@(?:npm:((?:@[^/@\s"]+\/)?[^@\s"]+)@)?[^\n]*:\s*$/.exec(line);
    if (head !== null) name = head[2] ?? head[1];
    const version = /^ {2}version "?([^"\s]+)"?/.exec(line)?.[1];
    if (version !== undefined && name !== undefined) {
      found.push(locked(path, name, version));
      name = undefined;
    }
    const resolved = /^ {2}resolved "?([^"\s]+)"?/.exec(line)?.[1];
    const last = found.at(-1);
    if (resolved !== undefined && last !== undefined) Object.assign(last, originOf(resolved));
  }
  return found;
}

export function readPnpmLock(text: string, path: string): Package[] {
  const lock = fields(parseYaml(text, { maxAliasCount: 0 }));
  const keys = Object.keys({ ...fields(lock['packages']), ...fields(lock['snapshots']) });
  const direct = new Set(
    [lock, ...Object.values(fields(lock['importers']))].flatMap((each) =>
      kinds.flatMap(([kind]) => Object.keys(fields(fields(each)[kind]))),
    ),
  );
  const found = new Map<string, Package>();
  for (const key of keys) {
    const entry = fields(fields(lock['packages'])[key]);
    const bare = key.replace(/^\//, '').replace(/\(.*$/, '');
    const [name, written] = slashed(key) ?? splitSpec(bare) ?? [textIn(entry['name']), bare];
    // A directory of the project itself.
    if (name === undefined || /^(?:link|file):\.{0,2}\//.test(written)) continue;
    const version = textIn(entry['version']);
    const read = fromVersion(path, name, written);
    found.set(`${name}@${written}`, {
      ...read,
      version: read.version ?? version,
      isDirect: direct.has(name),
      isDevelopment: entry['dev'] === true,
      hasInstallScript: entry['requiresBuild'] === true,
    });
  }
  return [...found.values()];
}

/** `/name/1.0.0`, as older versions write. */
const slashed = (key: string): [string, string] | undefined => {
  const found = /^\/((?:@[^/]+\/)?[^/@]+)\/(\d[^/(_]*)/.exec(key);
  return found?.[1] === undefined || found[2] === undefined ? undefined : [found[1], found[2]];
};

/** JSON with commas before closing brackets, which are not within a text. */
const withoutTrailingCommas = (text: string) =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part === ',' ? '' : part));

export function readBunLock(text: string, path: string): Package[] {
  const lock = fields(JSON.parse(withoutTrailingCommas(text)));
  return Object.values(fields(lock['packages'])).flatMap((value) => {
    const spec = Array.isArray(value) ? splitSpec(textIn(value[0]) ?? '') : undefined;
    return spec === undefined || /^(?:workspace|link|root|file):/.test(spec[1])
      ? []
      : [fromVersion(path, spec[0], spec[1])];
  });
}
