/** What an interpreter or an editor runs. */
import { fileNameOf } from '../telemetry.ts';
import { baseOf, firstWordsOf, type Found, isInstalledCommand, packageFolder, unixPath } from './found.ts';
import { interpreters } from './kinds.ts';
import { hasVerb, readRunner } from './runners.ts';

const scriptFile = /\.(?:js|mjs|cjs|ts|mts|py|pyz)$/;

/** What runs or installs packages; a carrier may be carried itself, as in `uv run python -m x`. */
export function readPackages(base: string, words: readonly string[], found: Found, depth: number): void {
  const inner = readRunner(base, words, found);
  if (inner !== undefined && depth < 2 && interpreters.test(inner.carried))
    readInterpreter(inner.carried, inner.words, found, depth + 1);
}

/** `bun x package` and `deno run npm:package`. */
const carriesPackages = (base: string, [verb, ...rest]: readonly string[]): boolean =>
  (base === 'bun' && verb !== undefined && hasVerb('bun', verb)) ||
  (base === 'deno' && verb === 'run' && rest.some((word) => /^(?:npm|jsr):/.test(word)));

export function readInterpreter(base: string, words: readonly string[], found: Found, depth: number): void {
  if (carriesPackages(base, words)) {
    readPackages(base, words, found, depth);
    return;
  }
  // The command line of an editor on macOS; spaces in its path may have split it.
  if (base === 'electron') readEditor(words, found);
  const at = words.findIndex(
    (word) => !word.startsWith('-') || /^-(?:m|c|e|p)$/.test(word) || word === '--eval',
  );
  const word = words[at];
  // What an editor opens is no script, whatever its name: on macOS its own image may be called Electron.
  if (base === 'electron' && !scriptFile.test(word ?? '')) return;
  if (word === '-m') readModule(words.slice(at + 1), found, depth);
  // Code on the command line is not what runs as a program of its own.
  else if (word !== undefined && !word.startsWith('-')) readScript(word, words.slice(at + 1), found, depth);
}

function readModule([name, ...words]: readonly string[], found: Found, depth: number): void {
  const module = name?.toLowerCase();
  found.module = module;
  if (module === 'pipx' || module === 'uv' || module === 'pip') readPackages(module, words, found, depth);
}

function readScript(script: string, rest: readonly string[], found: Found, depth: number): void {
  const path = unixPath(script);
  // A script that is named from its folder, so that its path begins like that of others.
  found.paths.push(/^(?:\/|\w:)/.test(path) ? path : `/${path}`);
  const base = baseOf(script).replace(scriptFile, '');
  const folder = packageFolder(path);
  const manager = managerOf(base, folder, path);
  if (manager !== undefined) {
    if (depth < 2) readPackages(manager, rest, found, depth + 1);
    return;
  }
  if (folder !== undefined) found.packages.push(folder);
  found.scripts.push(fileNameOf(path));
  // A script of somebody's own may have any name; what a package manager has put on the path has no suffix.
  if (!scriptFile.test(path)) {
    found.carriedNames.push(base);
    if (isInstalledCommand(path)) found.packages.push(base);
    readPackages(base, rest, found, depth + 1);
  }
  // The command line of an editor is a script of its own.
  if (path.endsWith('/out/cli.js')) readEditor(rest, found);
  found.firstWords.push(...firstWordsOf(rest));
}

const managers = /^(npx|npm|pnpx|pnpm|yarnpkg|yarn)(?:-cli|-\d[\d.]*)?$/;
const managerFolders = new Set(['npm', 'pnpm', 'yarn', 'corepack', '@yarnpkg/cli-dist']);

/** A package manager that is itself a script of node; one of somebody's own may have its name. */
function managerOf(base: string, folder: string | undefined, path: string): string | undefined {
  const name = managers.exec(base)?.[1];
  if (name === undefined) return undefined;
  const isIts =
    base.endsWith('-cli') ||
    (folder !== undefined && managerFolders.has(folder)) ||
    /\/(?:\.yarn\/releases|corepack|share\/nodejs\/[^/]+)\//.test(path);
  if (!isIts) return undefined;
  return name === 'yarnpkg' ? 'yarn' : name;
}

export function readEditor(words: readonly string[], found: Found): void {
  for (const [i, word] of words.entries()) {
    // An editor runs its extensions as node does scripts.
    const path = unixPath(word);
    if (path.includes('/extensions/') && scriptFile.test(path)) found.paths.push(path);
    const joined = /^--install-extension=(.+)$/.exec(word)?.[1];
    const isInstall = word === '--install-extension' || (word === 'install' && words[i - 1] === 'ext');
    const id = joined ?? (isInstall ? words[i + 1] : undefined);
    if (id !== undefined) found.extensions.push((id.split('@', 1)[0] ?? '').toLowerCase());
  }
}
