/** Which of its files a program reads, and which it writes, moves or removes. */
import {
  type FileUse,
  type Uses,
  afterFirst,
  changes,
  changesAt,
  convertsToLast,
  copies,
  copiesBehindAct,
  copiesOnly,
  dd,
  edits,
  fetches,
  git,
  moves,
  nothing,
  openssl,
  packs,
  reads,
  readsFirstWritesSecond,
  tar,
  wget,
  writesOutput,
} from './file-uses.ts';
import { readArguments } from './shell-arguments.ts';
import type { Command } from './shell-command.ts';

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
  ['openssl', openssl],
  ['ffmpeg convert magick', convertsToLast],
  ['pg_dump pg_dumpall', changesAt('-f', '--file'), '-f --file -h -p -U -d -t -n -F'],
  ['mysqldump', changesAt('-r', '--result-file'), '-r --result-file -h -P -u'],
  [
    'psql',
    ({ valuesOf }) => ({ read: valuesOf('-f', '--file'), changed: valuesOf('-o', '-L') }),
    '-f --file -o -L -c -d -h -p -U -v',
  ],
  ['npm pnpm yarn', changesAt('--prefix', '--dir', '-C', '--cwd'), '--prefix --dir -C --cwd'],
  [
    'pip pip3 uv',
    changesAt('-t', '--target', '--prefix', '--root'),
    '-t --target --prefix --root -r -c -i --index-url',
  ],
  ['ssh-keygen tcpdump', changesAt('-f', '-w'), '-f -w -t -b -C -N -i -c'],
  [
    '7z 7za',
    (_, { rest }) => ({
      read: rest.slice(1, 2),
      changed: rest.filter((word) => /^-o./.test(word)).map((word) => word.slice(2)),
    }),
  ],
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
