/** Which commands destroy data, by their programs with flags and arguments: a name alone says little. */
import { device, wipesDisk } from './disk-destroyers.ts';
import { destroysService } from './service-destroyers.ts';
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
  const far =
    has(rest, '-r', '-f', '-R', '--recursive', '--force') ||
    rest.some((word) => /^(?:\/s|-recurse|-rec|-force)$/i.test(word));
  return far || listed || of.some((word) => /[*?]/.test(word));
};

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
    destroys({ name: nameOf(rest[at + 1]), rest: rest.slice(at + 2), elevated: false, listed: true }) !==
      undefined
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
  program.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');

const interpreter: Destroys = ({ rest, input }) => {
  const at = rest.findIndex((word) => /^-(?:c|e|ne|E|pe|command|-eval)$/i.test(word));
  const programs = [at < 0 ? undefined : rest[at + 1], input];
  return programs.some((program) => program !== undefined && code.test(withoutTexts(program)));
};

const databases = someWord(/^(?:flushall|flushdb)$/i);

const byProgram: readonly (readonly [names: string, destroys: Destroys])[] = [
  [[...removers].filter((name) => !['truncate', 'shred', 'rmdir', 'rd'].includes(name)).join(' '), removes],
  // Of Windows with everything in it; elsewhere only what is empty goes.
  [
    'rd rmdir',
    ({ rest }) =>
      rest.some((word) => /^(?:\/s|-r|-rec|-recurse)$/i.test(word)) && !operands(rest).every(isRemade),
  ],
  ['clear-content clear-recyclebin', ({ rest }) => rest.length > 0],
  ['git', git],
  ['find', find],
  ['vssadmin wbadmin', ({ rest }) => /^(?:delete|resize)$/i.test(rest[0] ?? '')],
  ['wmic', ({ rest }) => /\bshadowcopy\b.*\bdelete\b/i.test(rest.join(' '))],
  ['bcdedit', ({ rest }) => someWord(/^\/(?:delete\w*|set|import)$/i)(rest)],
  ['fsutil', ({ rest }) => someWord(/^(?:deletejournal|setzerodata)$/i)(rest)],
  ['reg', ({ rest }) => /^delete$/i.test(rest[0] ?? '')],
  ['mysqladmin', ({ rest }) => someWord(/^drop$/i)(rest)],
  ['shred', ({ rest }) => operands(rest).length > 0],
  ['truncate', ({ rest }) => has(rest, '-s') && rest.some((word) => /^-?s?0$/.test(word))],
  ['psql mysql mariadb sqlite3 sqlcmd clickhouse-client duckdb cockroach', sqlClient],
  ['crontab', ({ rest }) => has(rest, '-r')],
  ['chmod chown chgrp', changesTree],
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
  ['zfs', ({ rest }) => rest[0] === 'destroy' && !has(rest, '-n')],
  ['btrfs', ({ rest }) => /^sub\w*$/.test(rest[0] ?? '') && /^del\w*$/.test(rest[1] ?? '')],
  ['userdel deluser', ({ rest }) => has(rest, '-r', '--remove', '--remove-home')],
  [
    'rsync',
    ({ rest }) =>
      !has(rest, '-n') &&
      rest.some((word) => word.startsWith('--delete') || word === '--remove-source-files'),
  ],
  ['tar', ({ rest }) => rest.includes('--remove-files')],
  ['mv', ({ rest }) => rest.at(-1) === '/dev/null'],
  ['python python2 python3 perl ruby node deno bun php pwsh powershell', interpreter],
];

const destroyers = new Map(
  byProgram.flatMap(([names, destroys]) => names.split(' ').map((name) => [name, destroys] as const)),
);

const tries =
  /^(?:--?help|--version|--dry-?run(?:=(?!none|false).*)?|--what-?if|-whatif(?::\$true)?|--simulate)$/i;
/** Where an argument `/?` asks for help, and is no pattern of files. */
const ofWindows = new Set(
  'format rd del erase cmd vssadmin wbadmin wmic bcdedit reg cipher diskpart fsutil'.split(' '),
);
/** What they are given is a program, and flags behind it are for that. */
const interpreters = new Set(
  'python python2 python3 perl ruby node deno bun php pwsh powershell sh bash zsh'.split(' '),
);

/** Whether the command only shows how the program is used, or what it would do. */
export function onlyTries({ name, rest }: Command): boolean {
  if (interpreters.has(name)) return rest.length > 0 && rest.every((word) => tries.test(word));
  const end = rest.indexOf('--');
  return (
    rest.slice(0, end < 0 ? undefined : end).some((word) => tries.test(word)) ||
    (ofWindows.has(name) && rest.includes('/?'))
  );
}

/** What of the data the command destroys; undefined for one that shows, tries or does something else. */
export function destroys(command: Command): 'disk' | 'service' | 'data' | undefined {
  if (onlyTries(command)) return undefined;
  if (wipesDisk(command)) return 'disk';
  if (destroysService(command)) return 'service';
  return destroyers.get(command.name)?.(command) === true ? 'data' : undefined;
}

/** Whether one of the files is a device, whose disk is overwritten. */
export const overwritesDisk = (writes: readonly string[]): boolean =>
  writes.some((file) => device.test(file));

/** Whether writing there, or emptying it by writing nothing, destroys what was there. */
export const overwrites = (words: readonly string[], writes: readonly string[]): boolean =>
  writes.some(
    (file) =>
      device.test(file) ||
      ((words.length === 0 || words[0] === ':' || words[0] === 'true') &&
        !isRemade(file) &&
        file !== '/dev/null'),
  );
