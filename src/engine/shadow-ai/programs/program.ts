import { splitCommandLine } from '../command-line.ts';
import { fileNameOf } from '../telemetry.ts';
import {
  baseOf,
  firstWordsOf,
  type Found,
  isInstalledCommand,
  nothingFound,
  packageFolder,
  unixPath,
  urlsIn,
  withoutExe,
} from './found.ts';
import { kindOf } from './kinds.ts';
import { readContainer, readShell, readSystem, readWrapped } from './launchers.ts';
import { readEditor, readInterpreter, readPackages } from './scripts.ts';

/** What a process runs, as far as its image and command line tell. All in lower case. */
export interface Program {
  /** File name of the image. */
  readonly name: string;
  /** Paths of the image and of the script that it carries, with `/`. */
  readonly paths: readonly string[];
  /** Names by which the script or the package of a carrier goes. */
  readonly carriedNames: readonly string[];
  /** Names that a command may begin with. */
  readonly commandNames: readonly string[];
  /** The words after the program, the first few. */
  readonly firstWords: readonly string[];
  /** Packages that a carrier runs or installs, without versions; `brew:` and the like before those of other registries. */
  readonly packages: readonly string[];
  /** Container images without tag, from their registry on and from each later part of their path on. */
  readonly images: readonly string[];
  readonly extensions: readonly string[];
  readonly module: string | undefined;
  readonly scripts: readonly string[];
  /** Host and path of what is downloaded to be run. */
  readonly urls: readonly string[];
}

/** Longer command lines are read so far. */
const longestLine = 32_768;

/** @param image a path or a file name, empty where it is not known */
export function programOf(image: string, commandLine: string): Program {
  const words = wordsOf(image, commandLine.slice(0, longestLine));
  const path = image === '' ? (words[0] ?? '') : image;
  const name = fileNameOf(path).toLowerCase();
  const base = withoutExe(name);
  const found = nothingFound();
  const plainPath = unixPath(path);
  found.paths.push(plainPath);
  readWords(base, words.slice(1), found, 0);
  const folder = packageFolder(plainPath);
  if (folder !== undefined) found.packages.push(folder);
  if (isInstalledCommand(plainPath)) found.packages.push(base);
  const called = baseOf(words[0] ?? '');
  return {
    ...found,
    name,
    commandNames: [...new Set([base, called, ...found.carriedNames])].filter((each) => each !== ''),
  };
}

/** The arguments, the program first. */
function wordsOf(image: string, commandLine: string): readonly string[] {
  // Some sensors join the arguments without quotes: a path with spaces is known from the image.
  if (image.includes(' ') && commandLine.startsWith(image))
    return [image, ...splitCommandLine(commandLine.slice(image.length))];
  const words = splitCommandLine(commandLine);
  // And some give a script as the image, and its interpreter in the command line.
  const [interpreter, script] = words;
  const isScript = script === image && kindOf(baseOf(interpreter ?? '')) === 'interpreter';
  return isScript ? words.slice(1) : words;
}

function readWords(base: string, words: readonly string[], found: Found, depth: number): void {
  switch (kindOf(base)) {
    case 'interpreter':
      return readInterpreter(base, words, found, depth);
    case 'shell':
      return readShell(words, found, depth, readWords);
    case 'container':
      return readContainer(words, found);
    case 'downloader':
      return void found.urls.push(...urlsIn(words));
    case 'runner':
      return readPackages(base, words, found, depth);
    case 'wrapper':
      return readWrapped(words, found, depth, readWords);
    case 'system':
      return readSystem(words, found, depth, readWords);
    case 'editor':
      readEditor(words, found);
      break;
    case 'other':
  }
  found.firstWords.push(...firstWordsOf(words));
}
