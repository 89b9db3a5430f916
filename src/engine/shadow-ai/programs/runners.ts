/** Package managers that run or install what they are told. */
import { fileNameOf } from '../telemetry.ts';
import { type Found, firstWordsOf } from './found.ts';

interface Runner {
  /** Verbs that run or install; one without verbs runs its first argument. */
  readonly verbs: readonly string[];
  /** Of the names of its packages in the catalogue; npm's and PyPI's have none. */
  readonly prefix?: string;
}

const runners: Record<string, Runner> = {
  npx: { verbs: [] },
  bunx: { verbs: [] },
  pnpx: { verbs: [] },
  uvx: { verbs: [] },
  npm: { verbs: ['exec', 'x', 'install', 'i', 'add', 'create', 'init'] },
  pnpm: { verbs: ['dlx', 'exec', 'add', 'install', 'i', 'create'] },
  yarn: { verbs: ['dlx', 'add', 'create', 'exec'] },
  bun: { verbs: ['x', 'add', 'install', 'create'] },
  deno: { verbs: ['run'] },
  uv: { verbs: ['tool', 'run'] },
  pipx: { verbs: ['run', 'install', 'upgrade'] },
  pip: { verbs: ['install'] },
  go: { verbs: ['run', 'install'], prefix: 'go:' },
  brew: { verbs: ['install', 'reinstall'], prefix: 'brew:' },
  winget: { verbs: ['install', 'add'], prefix: 'winget:' },
  choco: { verbs: ['install'], prefix: 'choco:' },
  scoop: { verbs: ['install'], prefix: 'scoop:' },
  cargo: { verbs: ['install'], prefix: 'cargo:' },
  snap: { verbs: ['install', 'run'], prefix: 'snap:' },
};

const pip = /^pip[0-9.]*$/;
const flagsWithValue = new Set([
  '--python',
  '--registry',
  '--prefix',
  '--cache',
  '--index',
  '--directory',
  '-c',
  '--call',
  '--project',
  '--source',
  '--scope',
  '--version',
]);
/** Flags whose value is a package. */
const packageFlags = new Set(['-p', '--package', '--from', '--with', '--spec', '--id']);
const joinedPackage = /^--(?:package|from|with|spec|id)=(.+)$/;

const runnerOf = (base: string): [name: string, runner: Runner] | undefined => {
  const name = pip.test(base) ? 'pip' : base;
  return Object.hasOwn(runners, name) ? [name, runners[name] as Runner] : undefined;
};

export const isRunner = (base: string): boolean => runnerOf(base) !== undefined;

/** Whether the program has this verb, as `bun` has `x`. */
export const hasVerb = (base: string, verb: string): boolean =>
  runnerOf(base)?.[1].verbs.includes(verb) === true;

/** The package of its name: without version, extras and the prefix of a registry. */
function packageOf(word: string): string {
  const plain = word
    .toLowerCase()
    .replace(/^(?:npm|jsr|pypi):/, '')
    .replace(/\[.*$/, '')
    .replace(/[=<>~!].*$/, '');
  const at = plain.lastIndexOf('@');
  return at > 0 ? plain.slice(0, at) : plain;
}

/** Where its arguments begin; undefined where it neither runs nor installs. */
function afterVerb([name, { verbs }]: [string, Runner], words: readonly string[]): number | undefined {
  if (verbs.length === 0) return 0;
  let at = 0;
  while (at < words.length && (words[at] ?? '').startsWith('-'))
    at += flagsWithValue.has(words[at] ?? '') ? 2 : 1;
  if (!verbs.includes(words[at] ?? '')) return undefined;
  return at + (name === 'uv' && words[at] === 'tool' ? 2 : 1);
}

/** Takes what flags name, and answers where the first argument is that is no flag. */
function readFlags(words: readonly string[], from: number, take: (name: string) => void): number {
  let at = from;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const joined = joinedPackage.exec(word)?.[1];
    if (joined !== undefined) take(joined);
    else if (packageFlags.has(word)) take(words[(at += 1)] ?? '');
    else if (flagsWithValue.has(word)) at += 1;
    else if (!word.startsWith('-')) break;
  }
  return at;
}

/**
 * What a package manager runs or installs.
 * @returns the program that it carries and the words after it, where it carries one
 */
export function readRunner(
  base: string,
  words: readonly string[],
  found: Found,
): { carried: string; words: readonly string[] } | undefined {
  const runner = runnerOf(base);
  const from = runner && afterVerb(runner, words);
  if (runner === undefined || from === undefined) return undefined;
  const { prefix = '' } = runner[1];
  const take = (word: string) => void found.packages.push(prefix + packageOf(word));
  const at = readFlags(words, from, take);
  const word = words[at];
  if (word === undefined) return undefined;
  take(word);
  const rest = words.slice(at + 1);
  // Installing takes several.
  if (words.slice(0, at).some((each) => /install|^i$|add/.test(each)))
    for (const other of rest) if (!other.startsWith('-')) take(other);
  if (prefix !== '') return undefined;
  const carried = packageOf(word);
  found.carriedNames.push(fileNameOf(carried));
  found.firstWords.push(...firstWordsOf(rest));
  return { carried, words: rest };
}
