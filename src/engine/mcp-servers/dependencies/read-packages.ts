/** From a project's files to the packages that it depends on. */
import {
  readBunLock,
  refuseBinary,
  readPackageJson,
  readPackageLock,
  readPnpmLock,
  readYarnLock,
} from './node-files.ts';
import {
  readCargoToml,
  includedRequirements,
  readPipfile,
  readGradleLock,
  readPipfileLock,
  readPom,
  readPyproject,
  readRequirements,
  readTomlLock,
} from './other-files.ts';
import { readGoMod, readGoSum } from './go-files.ts';
import { packageKey, type Package, type ReadPackages } from './package.ts';

type Reader = (text: string, path: string) => Package[];

const readers: readonly [RegExp, Reader][] = [
  [/(?:^|\/)package\.json$/, readPackageJson],
  [/(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, readPackageLock],
  [/(?:^|\/)yarn\.lock$/, readYarnLock],
  [/(?:^|\/)pnpm-lock\.yaml$/, readPnpmLock],
  [/(?:^|\/)bun\.lock$/, readBunLock],
  [/(?:^|\/)bun\.lockb$/, refuseBinary],
  [
    /(?:^|[/_.-])(?:requirements|constraints)[^/]*\.(?:txt|in)$|(?:^|\/)requirements\/[^/]+\.txt$/,
    readRequirements,
  ],
  [/(?:^|\/)pyproject\.toml$/, readPyproject],
  [/(?:^|\/)(?:poetry|uv|pdm|Cargo)\.lock$|(?:^|\/)pylock(?:\.[^/]+)?\.toml$/, readTomlLock],
  [/(?:^|\/)Pipfile$/, readPipfile],
  [/(?:^|\/)Pipfile\.lock$/, readPipfileLock],
  [/(?:^|\/)go\.mod$/, readGoMod],
  [/(?:^|\/)go\.sum$/, readGoSum],
  [/(?:^|\/)Cargo\.toml$/, readCargoToml],
  [/(?:^|\/)pom\.xml$/, readPom],
  [/(?:^|[/-])gradle\.lockfile$|(?:^|\/)dependency-locks\/[^/]+\.lockfile$/, readGradleLock],
];

const dependencyFolder = /(?:^|\/)(?:node_modules|site-packages|\.venv|venv|vendor)\//;

/** Whether a file names dependencies that are read. */
export const namesPackages = (path: string): boolean =>
  !dependencyFolder.test(path) && readers.some(([pattern]) => pattern.test(path));

/** Files of requirements that others name with `-r` and `-c`, whatever they are called, and who names what is missing. */
function includedIn(files: readonly { path: string; text: string }[]): {
  included: Set<string>;
  missing: Map<string, string>;
} {
  const missing = new Map<string, string>();
  const byPath = new Map(files.map((file) => [file.path, file]));
  const included = new Set<string>();
  const open = files.filter(
    ({ path }) => readers.find(([pattern]) => pattern.test(path))?.[1] === readRequirements,
  );
  for (const { path, text } of open)
    for (const name of includedRequirements(text.slice(0, longestFile), path)) {
      if (included.has(name)) continue;
      included.add(name);
      const found = byPath.get(name);
      if (found === undefined) missing.set(name, path);
      else open.push(found);
    }
  return { included, missing };
}

const isOutside = (path: string) => path.startsWith('/') || path === '..' || path.startsWith('../');

/** Files within the project that its requirements name and that are not among these: to be read as well. */
export const missingRequirements = (files: readonly { path: string; text: string }[]): string[] =>
  [...includedIn(files).missing.keys()].filter((path) => !isOutside(path) && !dependencyFolder.test(path));

function readerFor(
  path: string,
  paths: ReadonlySet<string>,
  included: ReadonlySet<string>,
): Reader | undefined {
  if (dependencyFolder.test(path)) return undefined;
  // It also has versions that no build takes any more: where go.mod stands beside it, that says what is taken.
  if (path.endsWith('go.sum') && paths.has(path.replace(/sum$/, 'mod'))) return undefined;
  return (
    readers.find(([pattern]) => pattern.test(path))?.[1] ??
    (included.has(path) ? readRequirements : undefined)
  );
}

const longestFile = 20_000_000;
const mostPackages = 50_000;

/** All packages that the files name, each once for each file; a file that is broken is said, and others are read. */
export function readPackages(files: readonly { path: string; text: string }[]): ReadPackages {
  const packages = new Map<string, Package>();
  const unread: ReadPackages['unread'] = [];
  const paths = new Set(files.map(({ path }) => path));
  const { included, missing } = includedIn(files);
  for (const [path, by] of missing)
    unread.push({
      path,
      reason: `${by} names it, and ${isOutside(path) ? 'it lies outside the project' : 'there is no such file that can be read'}.`,
    });
  for (const file of files) {
    const { path } = file;
    const reader = readerFor(path, paths, included);
    if (reader === undefined) continue;
    const { text } = file;
    if (text.length > longestFile) {
      unread.push({ path, reason: `It has more than ${longestFile} characters.` });
      continue;
    }
    try {
      for (const each of reader(text, path)) {
        if (packages.size >= mostPackages) break;
        const key = `${packageKey(each)}\n${path}`;
        if (!packages.has(key)) packages.set(key, each);
      }
    } catch (error) {
      unread.push({
        path,
        reason:
          error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 200) : 'It cannot be read.',
      });
    }
  }
  return { packages: [...packages.values()], unread };
}
