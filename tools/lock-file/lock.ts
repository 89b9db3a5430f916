/** Reads an npm lock file (version 3) as npm does when it checks whether the file is complete. */

type Versions = Readonly<Record<string, string>>;

export interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
}

export interface Lock {
  /** By install path: `''` is this package, `node_modules/a/node_modules/b` is the `b` that only `a` uses. */
  readonly packages: Readonly<Record<string, LockEntry>>;
}

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
export type Manifest = { readonly [K in (typeof kinds)[number]]?: Versions };

/** The install path that `name` resolves to for a package at `from`. */
function placeOf(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let parent = from; ; parent = parent.slice(0, Math.max(0, parent.lastIndexOf('node_modules/') - 1))) {
    const place = `${parent === '' ? '' : `${parent}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (parent === '') return undefined;
  }
}

const isExact = (range: string) => /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(range);

interface Missing {
  /** The install path for a new entry. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly parent: LockEntry;
}

/** Optional dependencies with exact versions, as used for binaries, that are missing in the lock file. */
export function missingBinaries({ packages }: Lock): Missing[] {
  const missing = new Map<string, Missing>();
  for (const [from, parent] of Object.entries(packages))
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const found = placeOf(packages, from, name);
      if (!isExact(version) || (found !== undefined && packages[found]?.version === version)) continue;
      const wanted = { path: `node_modules/${name}`, name, version, parent };
      const other = missing.get(wanted.path);
      const taken = found !== undefined || (other !== undefined && other.version !== version);
      const path = taken ? `${from}/${wanted.path}` : wanted.path;
      missing.set(path, { ...wanted, path });
    }
  return [...missing.values()];
}

/** The lock file with additional entries, in npm's order. */
export const withEntries = (
  lock: Lock,
  added: readonly { readonly path: string; readonly entry: LockEntry }[],
): Lock => ({
  ...lock,
  packages: Object.fromEntries(
    [...Object.entries(lock.packages), ...added.map(({ path, entry }) => [path, entry] as const)].toSorted(
      ([a], [b]) => a.localeCompare(b, 'en'),
    ),
  ),
});

/**
 * Problems that `npm ci` would refuse, and forbidden content; one sentence each.
 * @param manifests each package.json of this repository, by its folder; `''` is the root
 */
export const lockProblems = (lock: Lock, manifests: Readonly<Record<string, Manifest>>): string[] => [
  ...Object.entries(manifests).flatMap(([folder, manifest]) =>
    staleRanges((lock.packages[folder] ?? {}) as Manifest, manifest, folder),
  ),
  ...Object.entries(lock.packages).flatMap(([place, entry]) => [
    ...missingDependencies(lock.packages, place, entry),
    ...untrusted(place, entry),
  ]),
  ...missingBinaries(lock).map(
    ({ path, version }) => `${path}@${version} is missing, a binary for another platform.`,
  ),
];

const staleRanges = (locked: Manifest, manifest: Manifest, folder: string): string[] =>
  kinds.flatMap((kind) => {
    const [before = {}, now = {}] = [locked[kind], manifest[kind]];
    return [...new Set([...Object.keys(before), ...Object.keys(now)])]
      .filter((name) => before[name] !== now[name])
      .map(
        (name) =>
          `${name} is ${before[name] ?? 'not there'}, and ${now[name] ?? 'not there'} in ${folder === '' ? '' : `${folder}/`}package.json.`,
      );
  });

function missingDependencies(packages: Lock['packages'], place: string, entry: LockEntry): string[] {
  const needs = { ...entry.dependencies, ...(place === '' ? (entry as Manifest).devDependencies : {}) };
  return Object.keys(needs)
    .filter((name) => placeOf(packages, place, name) === undefined)
    .map((name) => `${name} is missing, which ${place === '' ? 'package.json' : place} needs.`);
}

/** Folders of this repository, and not of `node_modules`, hold packages of our own. */
const isOurs = (place: string) => !place.includes('node_modules/');

function untrusted(place: string, entry: LockEntry): string[] {
  const isChecked = entry.integrity !== undefined || entry.inBundle === true || entry.link === true;
  const isForeign = entry.optional === true && entry.cpu !== undefined;
  return [
    ...(entry.resolved === undefined || entry.link === true
      ? []
      : [`${place} carries the address of a registry; see omit-lockfile-registry-resolved in .npmrc.`]),
    ...(isOurs(place) || isChecked || isForeign ? [] : [`${place} has no checksum.`]),
  ];
}
