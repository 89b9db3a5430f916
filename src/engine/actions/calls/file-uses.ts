/** What kinds of programs do with the files that they are given. */
import { type ShellArguments, readArguments } from './shell-arguments.ts';
import type { Command } from './shell-command.ts';

/** Files as they are written in a command. */
export interface FileUse {
  readonly read?: readonly string[];
  readonly changed?: readonly string[];
}

export type Uses = (given: ShellArguments, command: Command) => FileUse;

export const reads: Uses = ({ operands }) => ({ read: operands });
export const changes: Uses = ({ operands }) => ({ changed: operands });
/** `grep PATTERN FILE`, `chmod MODE FILE`: the first says what to do, unless a flag does. */
export const afterFirst =
  (uses: (files: readonly string[]) => FileUse, ...instead: string[]): Uses =>
  ({ operands, has }) =>
    uses(has(...instead) ? operands : operands.slice(1));

export const copies: Uses = ({ operands, valuesOf, has }) => {
  const into = valuesOf('-t', '--target-directory');
  if (has('-d', '--directory') && into.length === 0) return { changed: operands };
  return into.length > 0 || operands.length < 2
    ? { read: operands, changed: into }
    : { read: operands.slice(0, -1), changed: operands.slice(-1) };
};

/** What was there is gone afterwards. */
export const moves: Uses = (given, command) => {
  const { read = [], changed = [] } = copies(given, command);
  return { read, changed: [...changed, ...read] };
};

export const copiesOnly: Uses = (given, command) =>
  copies({ ...given, has: (...flags) => !flags.includes('-d') && given.has(...flags) }, command);

/** `docker cp FROM TO`, `aws s3 cp FROM TO`. */
export const copiesBehindAct: Uses = (given, command) => {
  const at = given.operands.findIndex((word) => /^(?:cp|mv|sync|rsync)$/.test(word));
  if (at < 0) return {};
  const behind = { ...given, operands: given.operands.slice(at + 1) };
  return given.operands[at] === 'mv' ? moves(behind, command) : copiesOnly(behind, command);
};

/** `sed -i`, `perl -i`: files are changed in place; else the result goes on. */
export const edits: Uses = ({ operands, has, valuesOf }) => {
  const files =
    has('-e', '-f', '--expression', '--file', '-E') && valuesOf('-e').length > 0
      ? operands
      : operands.slice(1);
  return { read: [...files, ...valuesOf('-f', '--file')], changed: has('-i', '--in-place') ? files : [] };
};

const fileOfForm = (value: string) => /^[^=]*=?[@<](.+?)(?:;.*)?$/.exec(value)?.[1];

export const fetches: Uses = ({ valuesOf, operands }) => ({
  read: [
    ...valuesOf('-T', '--upload-file', '-K', '--config', '--post-file', '--body-file', '-i', '--input-file'),
    ...valuesOf(
      '-d',
      '--data',
      '--data-binary',
      '--data-raw',
      '--data-ascii',
      '--data-urlencode',
      '-F',
      '--form',
    ).flatMap((value) => fileOfForm(value) ?? []),
    ...operands.filter((word) => word.startsWith('file:')),
  ],
  changed: valuesOf('-o', '--output', '--output-dir', '-D', '--dump-header', '-c', '--cookie-jar'),
});

export const wget: Uses = (given, command) => ({
  read: fetches({ ...given, operands: [] }, command).read ?? [],
  changed: given.valuesOf('-O', '--output-document', '-P', '--directory-prefix', '-o', '--output-file', '-a'),
});

/** `tar czf a.tgz dir` and `tar -czf a.tgz dir` are the same. */
export const tar: Uses = (_, { rest }) => {
  const words = /^[a-zA-Z]+$/.test(rest[0] ?? '') ? [`-${rest[0]}`, ...rest.slice(1)] : rest;
  const { operands, has, valuesOf } = readArguments(
    words,
    new Set(['-f', '-C', '-T', '-X', '--file', '--directory']),
  );
  const [archive, into] = [valuesOf('-f', '--file'), valuesOf('-C', '--directory')];
  if (has('-x', '--extract', '--get')) return { read: archive, changed: into };
  if (has('-c', '-r', '-u', '-A', '--create', '--append', '--update'))
    return { read: [...operands, ...into], changed: archive };
  return { read: archive };
};

export const packs: Uses = ({ operands, has, valuesOf }) =>
  has('-c', '--stdout', '-t', '--test', '-l', '--list')
    ? { read: operands }
    : { read: operands, changed: [...operands, ...valuesOf('-o')] };

export const dd: Uses = (_, { rest }) => ({
  read: rest.filter((word) => word.startsWith('if=')).map((word) => word.slice(3)),
  changed: rest.filter((word) => word.startsWith('of=')).map((word) => word.slice(3)),
});

export const readsFirstWritesSecond: Uses = ({ operands }) => ({
  read: operands.slice(0, 1),
  changed: operands.slice(1, 2),
});

export const writesOutput =
  (...flags: string[]): Uses =>
  ({ operands, valuesOf }) => ({ read: operands, changed: valuesOf(...flags) });

/** Acts of git that change the files of its folder. */
const changesTree = new Set([
  'pull',
  'checkout',
  'switch',
  'reset',
  'merge',
  'commit',
  'rebase',
  'clean',
  'stash',
]);

export const git: Uses = ({ operands: [act = '', ...rest], valuesOf }) => {
  const at = valuesOf('-C', '--work-tree');
  if (changesTree.has(act)) return { changed: at };
  if (act === 'clone' || act === 'init') {
    const into = rest.slice(act === 'clone' ? 1 : 0).slice(0, 1);
    return { changed: into.length > 0 ? into : at };
  }
  if (act === 'mv' || act === 'rm') return { changed: rest };
  return act === 'apply' || act === 'am' ? { read: rest, changed: at } : { read: at };
};

export const nothing: Uses = () => ({});

const behindFlags = (rest: readonly string[], ...flags: string[]) =>
  rest.filter((_, at) => flags.includes(rest[at - 1] ?? ''));

/** Flags with one hyphen and several letters: `openssl … -in a -out b`. */
export const openssl: Uses = (_, { rest }) => ({
  read: behindFlags(rest, '-in', '-key', '-CA', '-CAkey'),
  changed: behindFlags(rest, '-out', '-keyout'),
});

/** `ffmpeg -i a.mp4 b.mp4`, `convert a.png b.jpg`: the last one is made. */
export const convertsToLast: Uses = (_, { rest }) => {
  const named = behindFlags(rest, '-i');
  const last = rest.length > 1 ? rest.slice(-1) : [];
  const before = rest
    .slice(0, -1)
    .filter((word, at) => !word.startsWith('-') && !(rest[at - 1] ?? '').startsWith('-'));
  return { read: named.length > 0 ? named : before, changed: last };
};

export const changesAt =
  (...flags: string[]): Uses =>
  ({ valuesOf }) => ({ changed: valuesOf(...flags) });
