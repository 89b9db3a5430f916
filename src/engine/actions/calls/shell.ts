import type { FactName } from '../clauses.ts';
import { clouds, readCloud } from './clouds.ts';
import { destroys, onlyTries, overwrites, overwritesDisk } from './destroyers.ts';
import { parseShell } from './parse-shell.ts';
import {
  type Command,
  type ShellReading,
  add,
  fetchers,
  has,
  protectors,
  removers,
} from './shell-command.ts';
import { ShellBudget } from './shell-budget.ts';
import { readInlineCode, runsUnread, withoutGlobals } from './shell-code.ts';
import { readSigns, runsFetched } from './shell-signs.ts';
import { unwrap } from './shell-wrappers.ts';

/** `ufw status`, `iptables -L`: what a protection is asked, and not told. */
const onlyShows = /^(?:status|list|show|version|help|-L|-l|-S|--list|--status|--version|--help)$/;

/** `ufw allow 80`, `ufw delete allow 80`: one port is opened or closed, and the firewall stays on. */
const isPort = (rest: readonly string[]): boolean =>
  /^(?:allow|deny|reject|limit)$/.test(rest[rest[0] === 'delete' ? 1 : 0] ?? '');

const shells = new Set('sh bash zsh dash ksh python python3 perl ruby node powershell pwsh cmd'.split(' '));
const senders = new Set('scp rsync nc ncat netcat sftp ftp mail sendmail telnet socat'.split(' '));
const installers = new Set(
  'pip pip3 npm yarn pnpm apt apt-get yum dnf brew gem cargo uv pipx npx'.split(' '),
);
const readers = new Set(
  'ls cat head tail less more grep find pwd echo wc df du ps top stat which whoami uname date env printenv id ping dig history'.split(
    ' ',
  ),
);
const stoppers = new Set('kill killall pkill shutdown reboot halt poweroff systemctl service'.split(' '));

const sends = (rest: readonly string[]) =>
  has(
    rest,
    '-d',
    '-F',
    '-T',
    '--data',
    '--data-binary',
    '--form',
    '--upload-file',
    '--data-raw',
    '--post-file',
    '--post-data',
  ) || rest.some((word, at) => word === '-X' && /^(post|put|patch|delete)$/i.test(rest[at + 1] ?? ''));

type Reader = (command: Command, out: ShellReading) => void;

const gitActs: Readonly<Record<string, string>> = {
  push: 'commit',
  commit: 'commit',
  merge: 'approve',
  clone: 'download',
  pull: 'download',
  rm: 'delete',
  clean: 'delete',
  branch: 'create',
  tag: 'create',
};

function readGit({ rest }: Command, out: ShellReading): void {
  const act = rest.find((word) => !word.startsWith('-')) ?? '';
  const sense = gitActs[act];
  if (sense !== undefined) out.senses.add(sense);
  if (act === 'push') out.senses.add('share');
  if (rest.some((word) => word.startsWith('--force'))) out.words.push('force');
}

const readersOf: readonly (readonly [names: ReadonlySet<string>, read: Reader])[] = [
  [removers, (_, out) => add(out, 'delete')],
  [fetchers, ({ rest }, out) => add(out, sends(rest) ? 'send' : 'download')],
  [senders, (_, out) => add(out, 'send')],
  [
    installers,
    ({ rest }, out) => {
      if (rest.some((word) => ['install', 'add', 'i', 'ci', 'upgrade'].includes(word))) add(out, 'install');
      if (rest.includes('publish')) add(out, 'share');
      if (rest.some((word) => ['uninstall', 'remove', 'purge'].includes(word))) add(out, 'delete');
    },
  ],
  [
    new Set(['chmod', 'chown', 'chgrp', 'usermod', 'useradd', 'adduser', 'visudo', 'setfacl', 'passwd']),
    ({ rest }, out) =>
      add(
        out,
        'grant',
        ...(rest.some((word) => /^(?:0?777|\+s|u\+s|a\+rwx|4\d{3})$/.test(word)) || rest.includes('sudo')
          ? (['privileged_command'] as const)
          : []),
      ),
  ],
  [
    stoppers,
    ({ rest, name }, out) => {
      add(out, 'restart');
      if (
        (name === 'systemctl' || name === 'service') &&
        rest.some((word) => ['stop', 'disable', 'mask'].includes(word))
      )
        add(
          out,
          'disable',
          ...(rest.some((word) => /firewall|ufw|audit|defender|apparmor|falcon|clam/i.test(word))
            ? (['disables_protection'] as const)
            : []),
        );
    },
  ],
  [
    protectors,
    ({ rest }, out) => {
      if (rest.some((word) => onlyShows.test(word))) add(out, 'read');
      else if (isPort(rest)) add(out, 'update');
      else add(out, 'disable', 'disables_protection');
    },
  ],
  [readers, (_, out) => add(out, 'read')],
  [new Set(['mv', 'cp', 'ln']), (_, out) => add(out, 'move')],
  [new Set(['mkdir', 'touch', 'tee', 'sed']), (_, out) => add(out, 'write')],
  [new Set(['git']), readGit],
  [new Set(['crontab', 'at']), (_, out) => add(out, 'schedule')],
  [clouds, readCloud],
];

/** What a shell or an interpreter is told to run: by `-c`, or what it reads where it is given no file. */
function ofShell({ name, rest, input }: Command): string | undefined {
  // `cmd /c rd /s /q C:\\`: all behind its own switches is one line.
  if (name === 'cmd')
    return rest.slice(rest.findIndex((word) => !/^\/[a-z](?::\w+)?$/i.test(word))).join(' ');
  if (/^(?:powershell|pwsh)$/.test(name) && /^[a-z]+-[a-z]+$/i.test(rest[0] ?? '')) return rest.join(' ');
  const at = rest.findIndex((word) => /^-[a-z]*[ce]$|^-command$|^\/c$/i.test(word));
  if (at >= 0) return rest[at + 1];
  return rest.every((word) => word.startsWith('-')) ? input : undefined;
}

/** What runs behind the host or the container. */
function ofRemote({ rest, input }: Command, [act, valued]: Remote): string | undefined {
  const from = act === '' ? 0 : rest.indexOf(act) + 1;
  if (act !== '' && from === 0) return undefined;
  let at = from;
  while ((rest[at] ?? '').startsWith('-')) at += valued.includes(rest[at] ?? '') ? 2 : 1;
  const words = rest.slice(rest[at + 1] === '--' ? at + 2 : at + 1);
  return words.length === 0 ? input : words.join(' ');
}

/** A command that is given to another program as a text: `sh -c`, `ssh host`, `docker exec`, `eval`. */
export function payloadOf(command: Command): string | undefined {
  if (shells.has(command.name)) return ofShell(command);
  if (command.name === 'eval') return command.rest.join(' ');
  const remote = Object.hasOwn(remotes, command.name) ? remotes[command.name] : undefined;
  return remote && ofRemote(command, remote);
}

type Remote = readonly [act: string, valued: readonly string[]];

/** Programs that run another one elsewhere: the word before its host or container, and flags with a value. */
const remotes: Readonly<Record<string, Remote>> = {
  ssh: ['', ['-p', '-i', '-l', '-o', '-J', '-F']],
  docker: ['exec', ['-u', '-w', '-e', '--user']],
  podman: ['exec', ['-u', '-w', '-e', '--user']],
  kubectl: ['exec', ['-n', '-c', '--namespace', '--container']],
};

/** `sudo ufw status`, `sudo systemctl status nginx`: how things stand is asked, which mostly takes raised rights. */
const showsState = ({ name, rest }: Command): boolean =>
  (readers.has(name) && !rest.some((word) => keptFrom.test(word))) ||
  ((protectors.has(name) || stoppers.has(name)) && onlyShows.test(rest[0] ?? '') && rest.length <= 3);

/** What is kept from other users for a reason. */
const keptFrom =
  /shadow|sudoers|secret|credential|passw|token|\.(?:env|key|pem|p12|kdbx)$|id_[a-z]+|\.ssh|\.gnupg|\.aws|^\/root|^\/proc|^-(?:exec|ok|delete)/i;

/** What a command that destroys shows beside that. */
const factsOf: Readonly<Record<'disk' | 'service' | 'data', readonly FactName[]>> = {
  disk: ['wipes_disk'],
  service: ['destroys_service'],
  data: [],
};

/** What was met on a line so far, for what is told by a pipe. */
interface Met {
  /** It is said in which folder commands run. */
  isPlaced: boolean;
  fetches: boolean;
  decodes: boolean;
}

const acting = (command: Command): Command => {
  const rest = withoutGlobals(command.name, command.rest);
  return rest === command.rest ? command : { ...command, rest };
};

/** `git clean -fdx` empties the folder that it is run in, wherever that is. */
const worksInItsFolder = ({ name, rest }: Command): boolean =>
  name === 'git' && !rest.some((word) => /^-C$|^--(?:work-tree|git-dir)\b/.test(word));

/** What a program that stands in the command does, or that nobody can tell. */
function readCode(command: Command, piped: boolean, met: Met, out: ShellReading): void {
  const code = readInlineCode(command);
  if (code?.deletes === true) out.senses.add('delete');
  if (code?.writes === true) out.senses.add('write');
  if (code?.isOpaque === true || runsUnread(command, piped, met.fetches)) out.hidden = 'code';
}

function readOne(command: Command, piped: boolean, met: Met, out: ShellReading): void {
  out.words.push(
    command.name,
    ...command.rest.slice(0, 40).flatMap((word) => word.toLowerCase().split(/[^a-z0-9.]+/)),
  );
  if (command.elevated && !showsState(command)) add(out, 'execute', 'privileged_command');
  if (onlyTries(command)) add(out, 'read');
  else for (const [names, read] of readersOf) if (names.has(command.name)) read(acting(command), out);
  const what = destroys(acting(command));
  if (what === 'data' && worksInItsFolder(command) && !met.isPlaced) out.hidden = 'folder';
  readCode(command, piped, met, out);
  if (what !== undefined) add(out, 'delete', 'destructive_command', ...factsOf[what]);
  if (shells.has(command.name)) readStarted(command, piped, met, out);
}

/** A shell or an interpreter: what it is given may be fetched, or in disguise. */
function readStarted({ rest }: Command, piped: boolean, met: Met, out: ShellReading): void {
  add(out, 'execute');
  if (piped && met.fetches) out.facts.add('downloads_and_runs');
  if (piped && met.decodes) out.facts.add('obfuscated_command');
  const text = has(rest, '-c', '-e') ? (rest.at(-1) ?? '') : '';
  if (text.includes('base64') && text.includes('eval')) out.facts.add('obfuscated_command');
  if (text.includes('/dev/tcp/')) out.facts.add('downloads_and_runs');
}

/** Reads a line, and lines that its commands are given, into one reading. */
function readLine(line: string, out: ShellReading, budget: ShellBudget, depth: number): Command[] {
  const earlier: Command[] = [];
  const met: Met = { isPlaced: out.isPlaced === true, fetches: false, decodes: false };
  for (const one of parseShell(line, budget)) {
    const command = unwrap(one);
    readOne(command, one.piped, met, out);
    readSigns(command, out);
    if (one.writes.length > 0) out.senses.add('write');
    if (overwrites(one.words, one.writes)) add(out, 'delete', 'destructive_command');
    if (overwritesDisk(one.writes)) add(out, 'delete', 'wipes_disk');
    const payload = payloadOf(command);
    if (payload !== undefined && budget.nests(depth)) readLine(payload, out, budget, depth + 1);
    met.isPlaced ||= command.name === 'cd' || command.name === 'pushd';
    met.fetches ||= fetchers.has(command.name);
    met.decodes ||= command.name === 'base64' || command.name === 'xxd';
    earlier.push(command);
  }
  return earlier;
}

/** What a command line does, from its programs and flags. */
export function readShell(line: string, budget = new ShellBudget(), isPlaced = false): ShellReading {
  const out: ShellReading = { senses: new Set(), facts: new Set(), words: [], isPlaced };
  const earlier = readLine(line, out, budget, 0);
  if (line.includes(':(){')) add(out, 'delete', 'destructive_command');
  if (runsFetched(line, earlier)) add(out, 'execute', 'downloads_and_runs');
  if (line.includes('/dev/tcp/')) add(out, 'execute', 'downloads_and_runs', 'reverse_shell');
  if (budget.isCut) out.isCut = true;
  return out;
}
