/** Which commands destroy data, by their programs with flags and arguments: a name alone says little. */
import { type Command, has, removers } from './shell-command.ts';
import { readSql } from './sql.ts';

type Destroys = (command: Command) => boolean;

const someWord = (shape: RegExp) => (rest: readonly string[]) => rest.some((word) => shape.test(word));

const operands = (rest: readonly string[]) => rest.filter((word) => !/^-|^\/[a-z]$/i.test(word));

/** What a build makes anew, and what is for passing use. */
const remade =
  /^(?:\.\/)?(?:[\w.-]+\/)*(?:node_modules|dist|build|out|target|coverage|__pycache__|\.cache|\.next|\.pytest_cache|\.venv|venv|tmp)\/?$|^\/tmp\/[\w./-]+$/;
const isRemade = (word: string) => remade.test(word) && !word.includes('..');

const removes: Destroys = ({ rest, listed }) => {
  const of = operands(rest);
  if (of.length > 0 && of.every(isRemade)) return false;
  const far = has(rest, '-r', '-f', '-R', '--recursive', '--force', '/s', '-recurse');
  return far || listed || of.some((word) => /[*?]/.test(word));
};

/** Devices, and no regular file. */
const device = /^(?:of=)?\/dev\/(?!null$|zero$|stdout$|stderr$|tty)/;

const gitDestroys: Readonly<Record<string, (rest: readonly string[]) => boolean>> = {
  push: (rest) =>
    has(rest, '-f', '-d', '--force', '--force-with-lease', '--delete', '--mirror', '--prune') ||
    rest.slice(rest.indexOf('push') + 1).some((word) => /^[+:]\S/.test(word) || word.startsWith('--force')),
  reset: (rest) => rest.includes('--hard'),
  clean: (rest) => has(rest, '-f', '--force') && !has(rest, '-n', '--dry-run'),
  branch: (rest) => has(rest, '-D', '-d', '--delete'),
  checkout: (rest) => has(rest, '-f', '--force') || rest.at(-1) === '.' || rest.includes('--'),
  restore: (rest) => rest.at(-1) === '.',
  stash: (rest) => rest.includes('drop') || rest.includes('clear'),
  'filter-branch': () => true,
  'filter-repo': () => true,
  reflog: (rest) => rest.includes('expire') || rest.includes('delete'),
  'update-ref': (rest) => has(rest, '-d'),
  tag: (rest) => has(rest, '-d', '--delete'),
};

const git: Destroys = ({ rest }) => {
  const act = rest.find((word) => !word.startsWith('-')) ?? '';
  return Object.hasOwn(gitDestroys, act) && gitDestroys[act]?.(rest) === true;
};

/** Old files of a kind that a system writes anew all the time: `find /var/log -name '*.gz' -mtime +7 -delete`. */
const isHousekeeping = (rest: readonly string[]) =>
  rest.some((word) => /^-(?:mtime|mmin|atime|ctime)$/.test(word)) &&
  rest.some((word) => /^-i?name$/.test(word)) &&
  /^(?:\/tmp|\/var\/(?:log|tmp|cache))(?:\/|$)/.test(rest[0] ?? '');

const find: Destroys = ({ rest }) => {
  if (isHousekeeping(rest)) return false;
  if (rest.includes('-delete')) return true;
  const at = rest.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(word));
  return (
    at >= 0 &&
    destroys({ name: nameOf(rest[at + 1]), rest: rest.slice(at + 2), elevated: false, listed: true })
  );
};

const nameOf = (word = '') => word.slice(word.lastIndexOf('/') + 1).toLowerCase();

const sqlFacts = new Set(['sql_schema_change', 'sql_without_condition']);
const statementFlags = new Set(['-c', '-e', '--command', '--execute', '-Q', '-q']);

/** Statements that throw away tables, or rows without a condition. */
const sqlClient: Destroys = ({ rest, input }) => {
  const at = rest.findIndex((word) => statementFlags.has(word));
  const said = [at >= 0 ? rest[at + 1] : rest.at(-1), input].filter((text) => text !== undefined);
  return said.some((text) => {
    const reading = readSql(text);
    return (
      reading !== undefined &&
      reading.senses.has('delete') &&
      ([...reading.facts].some((fact) => sqlFacts.has(fact)) || /^\s*(?:drop|truncate)\b/i.test(text))
    );
  });
};

const clouds: Destroys = ({ name, rest }) => {
  if (rest.includes('--help') || rest.includes('--dry-run')) return false;
  const words = rest.filter((word) => !word.startsWith('-'));
  if (name === 'terraform' || name === 'tofu')
    return words[0] === 'destroy' || (words[0] === 'apply' && someWord(/^-{1,2}destroy$/)(rest));
  if (name === 'docker' && words[0] === 'run') return false;
  return words
    .slice(0, 4)
    .some((word) =>
      /^(?:destroy|delete|rm|rmi|prune|uninstall|terminate-instances|rb|purge|delete-[a-z-]+|drain)$/.test(
        word,
      ),
    );
};

/** Everything, or what the system lives by. */
const wholeTrees = /^\/(?:etc|usr|bin|boot|lib|var|home|root|opt|srv)?\/?\*?$/;

const changesTree: Destroys = ({ rest }) =>
  has(rest, '-R', '--recursive') &&
  operands(rest)
    .slice(1)
    .some((word) => wholeTrees.test(word));

const code =
  /\bshutil\.rmtree\s*\(|\bos\.(?:remove|unlink|rmdir|removedirs)\s*\(|\brmtree\s*\(|\bunlink\b|\brm(?:dir)?Sync\s*\(|\bunlinkSync\s*\(|\bfs(?:\.promises)?\.rm\s*\(|\brm_rf?\b|\bFile\.delete\b|\bRemove-Item\b/;
/** What stands in quotes in a program is only spoken of. */
const withoutTexts = (program: string) =>
  program.slice(0, 20_000).replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');

const interpreter: Destroys = ({ rest, input }) => {
  const at = rest.findIndex((word) => /^-(?:c|e|ne|E|pe|command|-eval)$/i.test(word));
  const programs = [at < 0 ? undefined : rest[at + 1], input];
  return programs.some((program) => program !== undefined && code.test(withoutTexts(program)));
};

const databases = someWord(/^(?:flushall|flushdb)$/i);

const byProgram: readonly (readonly [names: string, destroys: Destroys])[] = [
  [[...removers].filter((name) => !['truncate', 'shred', 'rmdir'].includes(name)).join(' '), removes],
  ['git', git],
  ['find', find],
  ['shred', ({ rest }) => operands(rest).length > 0],
  ['truncate', ({ rest }) => has(rest, '-s') && rest.some((word) => /^-?s?0$/.test(word))],
  ['dd', ({ rest }) => rest.some((word) => word.startsWith('of=') && device.test(word))],
  [
    'mkfs mkfs.xfs mkfs.ext3 mkfs.ext4 mkfs.btrfs mke2fs mkswap wipefs sgdisk',
    ({ rest }) => operands(rest).length > 0,
  ],
  ['fdisk parted format', ({ rest }) => !has(rest, '-l') && operands(rest).length > 0],
  ['psql mysql mariadb sqlite3 sqlcmd clickhouse-client duckdb cockroach', sqlClient],
  ['crontab', ({ rest }) => has(rest, '-r')],
  ['chmod chown chgrp', changesTree],
  ['kubectl helm docker podman terraform tofu aws gcloud az doctl oc', clouds],
  [
    'redis-cli',
    ({ rest, input }) =>
      databases(input === undefined ? rest.slice(0, 8) : [...rest, ...input.split(/\s+/)]) &&
      !rest.some((word) => /^(?:get|set|hget)$/i.test(word)),
  ],
  [
    'mongo mongosh',
    ({ rest, input = '' }) =>
      /\bdropDatabase\s*\(|\.drop\s*\(|\.deleteMany\s*\(\s*\{\s*\}/.test(`${rest.join(' ')} ${input}`),
  ],
  ['dropdb dropuser', ({ rest }) => operands(rest).length > 0],
  ['zfs zpool', ({ rest }) => rest[0] === 'destroy'],
  ['lvremove vgremove pvremove', ({ rest }) => operands(rest).length > 0],
  ['userdel deluser', ({ rest }) => has(rest, '-r', '--remove', '--remove-home')],
  [
    'rsync',
    ({ rest }) => rest.some((word) => word.startsWith('--delete') || word === '--remove-source-files'),
  ],
  ['tar', ({ rest }) => rest.includes('--remove-files')],
  ['mv', ({ rest }) => rest.at(-1) === '/dev/null'],
  ['python python2 python3 perl ruby node deno bun php pwsh powershell', interpreter],
];

const destroyers = new Map(
  byProgram.flatMap(([names, destroys]) => names.split(' ').map((name) => [name, destroys] as const)),
);

/** It only shows how the program is used. */
const onlyHelp = (rest: readonly string[]) => rest.some((word) => word === '--help' || word === '--version');

/** Whether the command destroys data. */
export function destroys(command: Command): boolean {
  return !onlyHelp(command.rest) && destroyers.get(command.name)?.(command) === true;
}

/** Whether writing there, or emptying it by writing nothing, destroys what was there. */
export const overwrites = (words: readonly string[], writes: readonly string[]): boolean =>
  writes.some(
    (file) =>
      device.test(file) ||
      ((words.length === 0 || words[0] === ':' || words[0] === 'true') &&
        !isRemade(file) &&
        file !== '/dev/null'),
  );
