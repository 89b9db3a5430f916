/** What a stdio server must be able to read to start: its package, the packages that it needs, its virtual environment. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import type { ServerConfig } from '#engine/mcp-servers/configurations.ts';

type Started = Pick<ServerConfig, 'command' | 'args'>;

/** Whether a path is a folder or lies in it. */
export const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** Where people and the system keep more than one program. */
const shared =
  /^(?:\/|\/(?:home|Users|root|tmp|var|var\/tmp|opt|srv|mnt|media|etc|usr|run|data|private|Volumes)|\/(?:home|Users)\/[^/]+|\/(?:proc|sys|dev)(?:\/.*)?)$/;

/** A folder that is never shown as a whole: the root, a home, and what they lie in. */
export function isTooMuch(folder: string): boolean {
  const place = normalize(folder).replace(/(?<=.)[\\/]$/, '');
  return shared.test(place) || isWithin(homedir(), place);
}

/** What a sandbox shows anyway: installed software. */
const isInstalled = (path: string): boolean =>
  ['/usr', '/bin', '/sbin', '/lib', '/lib64'].some((folder) => isWithin(path, folder));

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false });

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A word of a command line that may be a path: no option, no address and no name of a package. */
const mayBePath = (word: string): boolean =>
  /[\\/.]/.test(word) && !word.includes('://') && !word.startsWith('-') && !word.includes('\n');

/** Paths among the words of a command line, as they are written. */
const pathsOf = ({ command = '', args }: Started): string[] =>
  [command, ...args].filter((word) => word !== '' && mayBePath(word));

function* above(path: string): Generator<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    yield folder;
    if (dirname(folder) === folder) return;
  }
}

const manifests = ['package.json', 'pyproject.toml', 'setup.py', 'requirements.txt', 'deno.json'];

/** `{ "type": "module" }` alone says how a folder's files are read: the package lies above. */
function isManifest(path: string): boolean {
  if (!existsSync(path)) return false;
  if (basename(path) !== 'package.json') return true;
  try {
    const { name, dependencies } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    return name !== undefined || dependencies !== undefined;
  } catch {
    return true;
  }
}

/** The folder of the package that a file is part of, else its own folder; a file alone where that would show too much. */
function packageOf(file: string): string {
  for (const folder of above(file)) {
    if (isTooMuch(folder) || basename(folder) === 'node_modules') break;
    if (manifests.some((name) => isManifest(join(folder, name)))) return folder;
  }
  const own = dirname(file);
  return isTooMuch(own) || basename(own) === '.bin' ? file : own;
}

const mostLinks = 2000;

/** Packages of a workspace are links out of `node_modules`. */
function linkedFrom(modules: string): string[] {
  const real = realOf(modules) ?? modules;
  const entries = readdirSync(modules, { withFileTypes: true }).slice(0, mostLinks);
  return entries.flatMap((entry) => {
    const path = join(modules, entry.name);
    if (entry.isDirectory() && entry.name.startsWith('@')) return linkedFrom(path);
    if (!entry.isSymbolicLink()) return [];
    const target = realOf(path);
    return target === undefined || isWithin(target, real) || target.includes(`${sep}node_modules${sep}`)
      ? []
      : [target];
  });
}

/** Every `node_modules` in which Node looks for what a file imports. */
function modulesAbove(file: string): string[] {
  return [...above(file)].flatMap((folder) => {
    const modules = basename(folder) === 'node_modules' ? folder : join(folder, 'node_modules');
    return statOf(modules)?.isDirectory() === true ? [modules, ...linkedFrom(modules)] : [];
  });
}

/** The virtual environment of a program of Python, and the Python that it was made of. */
function environmentOf(file: string): string[] {
  for (const folder of above(file)) {
    const config = join(folder, 'pyvenv.cfg');
    if (!existsSync(config)) continue;
    const home = /^home\s*=\s*(.+)$/m.exec(readFileSync(config, 'utf8'))?.[1]?.trim();
    const base = home === undefined ? undefined : realOf(dirname(home));
    return [folder, ...(base === undefined ? [] : [base])];
  }
  return [];
}

/** What one path of a command line needs; links are shown by both their names. */
function neededFor(path: string): string[] {
  const real = realOf(path);
  if (real === undefined) return [];
  if (statOf(real)?.isDirectory() === true) return [path, real, ...modulesAbove(join(real, 'x'))];
  return [path, real].flatMap((file) => [
    packageOf(file),
    ...modulesAbove(file),
    ...environmentOf(file),
    file,
  ]);
}

/** Root starts a sandboxed program as a user that owns nothing: what that one cannot read cannot be shown. */
function canBeShown(path: string): boolean {
  const stats = statOf(path);
  if (stats === undefined) return false;
  const needed = stats.isDirectory() ? 0o005 : 0o004;
  return process.getuid?.() !== 0 || (stats.mode & needed) === needed;
}

/** Without what lies in another of them. */
const outermost = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter((path, _, all) => !all.some((other) => other !== path && isWithin(path, other)));

/** A definition whose relative paths, if they are there, begin at the root: a sandbox starts in a folder of its own. */
export function withAbsolutePaths(config: ServerConfig, from = process.cwd()): ServerConfig {
  const absolute = (word: string) =>
    mayBePath(word) && !isAbsolute(word) && existsSync(resolve(from, word)) ? resolve(from, word) : word;
  const { command, args } = config;
  return {
    ...config,
    args: args.map(absolute),
    ...(command !== undefined && { command: command.includes('/') ? absolute(command) : command }),
  };
}

/**
 * Folders and files of this machine that a server's command line needs: for the command line only, whose user names the
 * paths. Never a home or the root as a whole.
 */
export function readableFor(config: Started): string[] {
  const needed = pathsOf(config)
    .filter((word) => isAbsolute(word))
    .flatMap(neededFor);
  return outermost(needed.filter((path) => !isTooMuch(path) && !isInstalled(path) && canBeShown(path)));
}

/** Of the folders that an operator has named, those that are there. */
export const readableFolders = (folders: readonly string[]): string[] =>
  outermost(folders.map((folder) => normalize(folder).replace(/(?<=.)\/$/, '')).filter(canBeShown));

/** Paths that a server's command line names and its sandbox does not show. */
export const hiddenPaths = (config: Started, shown: readonly string[]): string[] =>
  pathsOf(config)
    .filter((word) => isAbsolute(word) && !isInstalled(word) && word !== process.execPath)
    .filter((word) => !shown.some((folder) => isWithin(normalize(word), folder)));
