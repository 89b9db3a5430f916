/** What is found out about a program while its words are read; helpers for reading them. */
import { fileNameOf } from '../telemetry.ts';

export interface Found {
  packages: string[];
  images: string[];
  extensions: string[];
  scripts: string[];
  paths: string[];
  carriedNames: string[];
  urls: string[];
  module: string | undefined;
  firstWords: string[];
}

/** Reads the words after a program; launchers hand on what they start. `depth`: of launchers in launchers. */
export type ReadWords = (base: string, words: readonly string[], found: Found, depth: number) => void;

export const nothingFound = (): Found => ({
  packages: [],
  images: [],
  extensions: [],
  scripts: [],
  paths: [],
  carriedNames: [],
  urls: [],
  module: undefined,
  firstWords: [],
});

export const unixPath = (path: string): string =>
  (path.includes('\\') ? path.replaceAll('\\', '/') : path).toLowerCase();

export const withoutExe = (name: string): string => name.replace(/\.(?:exe|cmd|bat|ps1)$/, '');

/** The lower-case name of a program, without its folder and `.exe`. */
export const baseOf = (path: string): string => withoutExe(fileNameOf(path).toLowerCase());

/** Of `--flag=value` the flag alone. */
export const firstWordsOf = (words: readonly string[]): string[] =>
  words
    .slice(0, 3)
    .map((word) => (word.startsWith('--') ? word.split('=', 1)[0] : word)?.toLowerCase() ?? '');

/** Host and path of what is downloaded. */
export const urlsIn = (words: readonly string[]): string[] =>
  words.flatMap((word) => {
    const url = /(?:https?:\/\/)?([a-z0-9.-]{1,253}\.[a-z]{2,24}\/[^\s"'|;)]*)/i.exec(word)?.[1];
    return url === undefined ? [] : [url.toLowerCase().replace(/^www\./, '')];
  });

/** The package that a file belongs to; what is linked from `.bin` has the name of its command. */
export function packageFolder(path: string): string | undefined {
  if (!path.includes('/node_modules/')) return undefined;
  const [, folder] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return folder === '.bin' ? baseOf(path) : folder;
}

/** The words from the first that is no flag, nor the value of one, nor `NAME=value`. */
export function afterFlags(words: readonly string[], hasValue: (flag: string) => boolean): readonly string[] {
  let i = 0;
  while (i < words.length) {
    const word = words[i] ?? '';
    if (word === '--') return words.slice(i + 1);
    if (hasValue(word)) i += 2;
    else if (word.startsWith('-') || /^\w+=/.test(word)) i += 1;
    else break;
  }
  return words.slice(i);
}

/** Whether a package manager may have put it on the path under the name of its package; short names say too little. */
export function isInstalledCommand(path: string): boolean {
  const end = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(end, 0));
  return path.includes('-', end + 1) && (folder.endsWith('/bin') || folder.endsWith('/scripts'));
}
