/** What programs do with the files that they are given: which they read, and which they write, move or remove. */
import { type ShellArguments, readArguments } from './shell-arguments.ts';
import type { Command } from './shell-command.ts';

/** Files as they are written in a command. */
export interface FileUse {
  readonly read?: readonly string[];
  readonly changed?: readonly string[];
}

type Uses = (given: ShellArguments, command: Command) => FileUse;

const reads: Uses = ({ operands }) => ({ read: operands });
const changes: Uses = ({ operands }) => ({ changed: operands });
/** `grep PATTERN FILE`, `chmod MODE FILE`: the first says what to do, unless a flag does. */
const afterFirst =
  (uses: (files: readonly string[]) => FileUse, ...instead: string[]): Uses =>
  ({ operands, has }) =>
    uses(has(...instead) ? operands : operands.slice(1));

const copies: Uses = ({ operands, valuesOf, has }) => {
  const into = valuesOf('-t', '--target-directory');
  if (has('-d', '--directory') && into.length === 0) return { changed: operands };
  return into.length > 0 || operands.length < 2
    ? { read: operands, changed: into }
    : { read: operands.slice(0, -1), changed: operands.slice(-1) };
};

/** What was there is gone afterwards. */
const moves: Uses = (given, command) => {
  const { read = [], changed = [] } = copies(given, command);
  return { read, changed: [...changed, ...read] };
};

const copiesOnly: Uses = (given, command) =>
  copies({ ...given, has: (...flags) => !flags.includes('-d') && given.has(...flags) }, command);

/** `docker cp FROM TO`, `aws s3 cp FROM TO`. */
const copiesBehindAct: Uses = (given, command) => {
  const at = given.operands.findIndex((word) => /^(?:cp|mv|sync|rsync)$/.test(word));
  if (at < 0) return {};
  const behind = { ...given, operands: given.operands.slice(at + 1) };
  return given.operands[at] === 'mv' ? moves(behind, command) : copiesOnly(behind, command);
};

/** `sed -i`, `perl -i`: files are changed in place; else the result goes on. */
const edits: Uses = ({ operands, has, valuesOf }) => {
  const files =
    has('-e', '-f', '--expression', '--file', '-E') && valuesOf('-e').length > 0
      ? operands
      : operands.slice(1);
  return { read: [...files, ...valuesOf('-f', '--file')], changed: has('-i', '--in-place') ? files : [] };
};

const fileOfForm = (value: string) => /^[^=]*=?[@<](.+?)(?:;.*)?$/.exec(value)?.[1];

const fetches: Uses = ({ valuesOf, operands }) => ({
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

const wget: Uses = (given, command) => ({
  read: fetches({ ...given, operands: [] }, command).read ?? [],
  changed: given.valuesOf('-O', '--output-document', '-P', '--directory-prefix', '-o', '--output-file', '-a'),
});

/** `tar czf a.tgz dir` and `tar -czf a.tgz dir` are the same. */
const tar: Uses = (_, { rest }) => {
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

const packs: Uses = ({ operands, has, valuesOf }) =>
  has('-c', '--stdout', '-t', '--test', '-l', '--list')
    ? { read: operands }
    : { read: operands, changed: [...operands, ...valuesOf('-o')] };

const dd: Uses = (_, { rest }) => ({
  read: rest.filter((word) => word.startsWith('if=')).map((word) => word.slice(3)),
  changed: rest.filter((word) => word.startsWith('of=')).map((word) => word.slice(3)),
});

const readsFirstWritesSecond: Uses = ({ operands }) => ({
  read: operands.slice(0, 1),
  changed: operands.slice(1, 2),
});

const writesOutput =
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

const git: Uses = ({ operands: [act = '', ...rest], valuesOf }) => {
  const at = valuesOf('-C', '--work-tree');
  if (changesTree.has(act)) return { changed: at };
  if (act === 'clone' || act === 'init') {
    const into = rest.slice(act === 'clone' ? 1 : 0).slice(0, 1);
    return { changed: into.length > 0 ? into : at };
  }
  if (act === 'mv' || act === 'rm') return { changed: rest };
  return act === 'apply' || act === 'am' ? { read: rest, changed: at } : { read: at };
};

/** `find FROM -delete`, `find FROM -exec rm {} +`: what it does with what it finds, it does below its starting points. */
const find: Uses = (_, { rest }) => {
  const end = rest.findIndex((word) => /^[-(!]/.test(word));
  const from = rest.slice(0, end < 0 ? undefined : end);
  const written = rest.flatMap((word, at) =>
    /^-f(?:print0?|printf|ls)$/.test(word) ? (rest[at + 1] ?? []) : [],
  );
  const at = rest.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(word));
  const stop = rest.findIndex((word, i) => i > at && (word === ';' || word === '+'));
  const [name = '', ...words] = at < 0 ? [] : rest.slice(at + 1, stop < 0 ? undefined : stop);
  const inner =
    at < 0 ? {} : filesOf({ name: name.slice(name.lastIndexOf('/') + 1), rest: words, elevated: false });
  const found = (files: readonly string[] = []) => files.flatMap((file) => (file === '{}' ? from : [file]));
  return {
    read: [...from, ...found(inner.read)],
    changed: [...written, ...found(inner.changed), ...(rest.includes('-delete') ? from : [])],
  };
};

const nothing: Uses = () => ({});

const programs: readonly (readonly [names: string, uses: Uses, valued?: string])[] = [
  ['cp copy ln link', copiesOnly, '-t --target-directory -S --suffix'],
  ['install', copies, '-t --target-directory -m --mode -o --owner -g --group -S --suffix'],
  ['mv move ren rename', moves, '-t --target-directory -S --suffix'],
  ['rsync', copiesOnly, '-e --rsh --exclude --include -f --filter --exclude-from --include-from --bwlimit'],
  ['scp', copiesOnly, '-P -i -o -F -l -c -S -J'],
  [
    'docker podman kubectl aws gsutil gcloud az',
    copiesBehindAct,
    '-n --namespace -c --container --profile --region',
  ],
  ['dd', dd],
  ['tee touch mkdir rm rmdir unlink del erase rd mkfifo vi vim nvim nano ed emacs', changes, '-m --mode'],
  ['touch', changes, '-d --date -r --reference -t'],
  ['truncate shred', changes, '-s --size -r --reference -n --iterations'],
  [
    'chmod chown chgrp setfacl chattr',
    afterFirst((changed) => ({ changed }), '-m', '-x', '--reference'),
    '-m -x --reference',
  ],
  ['sed perl', edits, '-e --expression -f --file -l'],
  [
    'curl',
    fetches,
    '-o --output --output-dir -D --dump-header -c --cookie-jar -b --cookie -T --upload-file -K --config -d --data --data-binary --data-raw --data-ascii --data-urlencode -F --form -H --header -X --request -u --user -A --user-agent -e --referer -x --proxy -m --max-time -w --write-out --connect-timeout --retry --cacert --cert --key -E',
  ],
  [
    'wget',
    wget,
    '-O --output-document -P --directory-prefix -o --output-file -a -i --input-file --post-file --post-data --body-file --header -U --user-agent -t --tries -T --timeout',
  ],
  ['tar bsdtar', tar],
  [
    'unzip',
    ({ operands, valuesOf }) => ({ read: operands.slice(0, 1), changed: valuesOf('-d') }),
    '-d -x -P',
  ],
  ['zip', ({ operands }) => ({ read: operands.slice(1), changed: operands.slice(0, 1) }), '-x -i -P'],
  ['gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd', packs, '-S -o -T'],
  [
    'sort shuf',
    writesOutput('-o', '--output'),
    '-o --output -k --key -t --field-separator -T -S -n --head-count',
  ],
  ['uniq xxd', readsFirstWritesSecond, '-f -s -w -l -c -n'],
  ['split csplit', readsFirstWritesSecond, '-b --bytes -l --lines -n --number -a --suffix-length -C'],
  [
    'gcc g++ cc c++ clang ld go rustc javac tsc pandoc protoc gpg age',
    writesOutput('-o', '--output', '--outDir'),
    '-o --output --outDir -I -L -l -D -r --recipient -u -t -f',
  ],
  [
    'patch',
    ({ operands, valuesOf }) => ({
      read: [...operands.slice(1), ...valuesOf('-i')],
      changed: [...operands.slice(0, 1), ...valuesOf('-o', '-d')],
    }),
    '-i -o -d -p',
  ],
  ['git', git, '-C --work-tree -c --git-dir -b --branch --depth -m --message -o --origin'],
  ['find', find],
  [
    'grep egrep fgrep rg zgrep ag',
    afterFirst((read) => ({ read }), '-e', '-f', '--regexp', '--file'),
    '-e --regexp -f --file -A -B -C -m --include --exclude --exclude-dir -g --glob -t --type',
  ],
  [
    'awk gawk mawk jq yq',
    afterFirst((read) => ({ read }), '-f', '--from-file'),
    '-f --from-file -F -v --arg --argjson',
  ],
  ['head tail', reads, '-n --lines -c --bytes'],
  ['cut paste column', reads, '-d --delimiter -f --fields -c -b -s -t'],
  [
    'echo printf test [ export set true false : kill exit return sleep cd pushd popd alias unset which type man',
    nothing,
  ],
];

const byName = new Map(
  programs.flatMap(([names, uses, valued = '']) =>
    names.split(' ').map((name) => [name, { uses, valued: new Set(valued.split(' ')) }] as const),
  ),
);

/** Of any program: files stand by themselves or behind flags, and some flags say that what they name is written. */
const writtenFlags = [
  '--out',
  '--output',
  '--outfile',
  '--out-file',
  '--output-file',
  '--out-dir',
  '--output-dir',
  '--outdir',
];
const usual = new Set([...writtenFlags, '-c']);
const usually: Uses = ({ operands, valuesOf }) => ({ read: operands, changed: valuesOf(...writtenFlags) });

/** Which of its arguments a program reads and which it changes. */
export function filesOf(command: Command): FileUse {
  const { uses, valued } = byName.get(command.name) ?? { uses: usually, valued: usual };
  return uses(readArguments(command.rest, valued), command);
}
