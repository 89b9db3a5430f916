/** From a project's files to the packages that it depends on. */
import { readBunLock, readPackageJson, readPackageLock, readPnpmLock, readYarnLock } from './node-files.ts';
import {
  readCargoToml,
  readGoMod,
  readGradleLock,
  readPipfileLock,
  readPom,
  readPyproject,
  readRequirements,
  readTomlLock,
} from './other-files.ts';
import { packageKey, type Package, type ReadPackages } from './package.ts';

type Reader = (text: string, path: string) => Package[];

const readers: readonly [RegExp, Reader][] = [
  [/(?:^|\/)package\.json$/, readPackageJson],
  [/(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, readPackageLock],
  [/(?:^|\/)yarn\.lock$/, readYarnLock],
  [/(?:^|\/)pnpm-lock\.yaml$/, readPnpmLock],
  [/(?:^|\/)bun\.lock$/, readBunLock],
  [/(?:^|\/)requirements[^/]*\.txt$|(?:^|\/)requirements\/[^/]+\.txt$/, readRequirements],
  [/(?:^|\/)pyproject\.toml$/, readPyproject],
  [/(?:^|\/)(?:poetry|uv|Cargo)\.lock$/, readTomlLock],
  [/(?:^|\/)Pipfile\.lock$/, readPipfileLock],
  [/(?:^|\/)go\.mod$/, readGoMod],
  [/(?:^|\/)Cargo\.toml$/, readCargoToml],
  [/(?:^|\/)pom\.xml$/, readPom],
  [/(?:^|\/)gradle\.lockfile$/, readGradleLock],
];

const dependencyFolder = /(?:^|\/)(?:node_modules|site-packages|\.venv|venv|vendor)\//;

/** Whether a file names dependencies that are read. */
export const namesPackages = (path: string): boolean =>
  !dependencyFolder.test(path) && readers.some(([pattern]) => pattern.test(path));

const longestFile = 20_000_000;
const mostPackages = 50_000;

/** All packages that the files name, each once for each file; a file that is broken is said, and others are read. */
export function readPackages(files: readonly { path: string; text: string }[]): ReadPackages {
  const packages = new Map<string, Package>();
  const unread: ReadPackages['unread'] = [];
  for (const { path, text } of files) {
    const reader = dependencyFolder.test(path)
      ? undefined
      : readers.find(([pattern]) => pattern.test(path))?.[1];
    if (reader === undefined) continue;
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
