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
import { readSigns, runsFetched } from './shell-signs.ts';

const wrappers = new Set([
  'sudo',
  'doas',
  'env',
  'nohup',
  'time',
  'xargs',
  'exec',
  'command',
  'then',
  'do',
  'else',
  'su',
]);
const shells = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'python',
  'python3',
  'perl',
  'ruby',
  'node',
  'powershell',
  'pwsh',
  'cmd',
]);
const senders = new Set([
  'scp',
  'rsync',
  'nc',
  'ncat',
  'netcat',
  'sftp',
  'ftp',
  'mail',
  'sendmail',
  'telnet',
  'socat',
]);
const wipers = new Set([
  'mkfs',
  'mkfs.xfs',
  'mkswap',
  'fdisk',
  'dd',
  'wipefs',
  'format',
  'parted',
  'mkfs.ext4',
]);
const installers = new Set([
  'pip',
  'pip3',
  'npm',
  'yarn',
  'pnpm',
  'apt',
  'apt-get',
  'yum',
  'dnf',
  'brew',
  'gem',
  'cargo',
  'uv',
  'pipx',
  'npx',
]);
const readers = new Set([
  'ls',
  'cat',
  'head',
  'tail',
  'less',
  'more',
  'grep',
  'find',
  'pwd',
  'echo',
  'wc',
  'df',
  'du',
  'ps',
  'top',
  'stat',
  'which',
  'whoami',
  'uname',
  'date',
  'env',
  'printenv',
  'id',
  'ping',
  'dig',
  'history',
]);
const stoppers = new Set([
  'kill',
  'killall',
  'pkill',
  'shutdown',
  'reboot',
  'halt',
  'poweroff',
  'systemctl',
  'service',
]);

function unwrap(words: readonly string[]): Command {
  let at = 0;
  let elevated = false;
  while (
    at < words.length - 1 &&
    (wrappers.has(words[at] ?? '') ||
      /^\w+=/.test(words[at] ?? '') ||
      (at > 0 && (words[at] ?? '').startsWith('-')))
  ) {
    elevated ||= ['sudo', 'doas', 'su'].includes(words[at] ?? '');
    at++;
  }
  const name = (words[at] ?? '').toLowerCase();
  return { name: name.slice(name.lastIndexOf('/') + 1), rest: words.slice(at + 1), elevated };
}

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
  const flags = gitDestroyers[act] ?? [];
  if (flags.length > 0 && has(rest, ...flags)) add(out, 'delete', 'destructive_command');
  if (rest.some((word) => word.startsWith('--force'))) out.words.push('force');
}

/** Flags that make a git command lose work. */
const gitDestroyers: Readonly<Record<string, readonly string[]>> = {
  push: ['-f', '--force', '--force-with-lease', '--delete'],
  reset: ['--hard'],
  clean: ['-f'],
  branch: ['-D', '-d'],
};

const readersOf: readonly (readonly [names: ReadonlySet<string>, read: Reader])[] = [
  [
    removers,
    ({ rest }, out) =>
      add(
        out,
        'delete',
        ...(has(rest, '-r', '-f', '-R', '--recursive', '--force', '/s', '-recurse') ||
        rest.some((word) => word.includes('*'))
          ? (['destructive_command'] as const)
          : []),
      ),
  ],
  [wipers, (_, out) => add(out, 'delete', 'destructive_command')],
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
  [protectors, (_, out) => add(out, 'disable', 'disables_protection')],
  [readers, (_, out) => add(out, 'read')],
  [new Set(['mv', 'cp', 'ln']), (_, out) => add(out, 'move')],
  [new Set(['mkdir', 'touch', 'tee', 'sed']), (_, out) => add(out, 'write')],
  [new Set(['git']), readGit],
  [new Set(['crontab', 'at']), (_, out) => add(out, 'schedule')],
  [
    new Set(['terraform', 'kubectl', 'helm', 'docker', 'aws', 'gcloud', 'az']),
    ({ rest }, out) => {
      if (
        rest.some((word) =>
          /^(?:destroy|delete|rm|rmi|prune|uninstall|terminate-instances|rb|delete-.*)$/.test(word),
        )
      )
        add(out, 'delete', 'destructive_command');
      if (rest.some((word) => /^(?:apply|deploy|install|upgrade|run|rollout)$/.test(word)))
        add(out, 'deploy');
    },
  ],
];

function readOne(command: Command, piped: boolean, earlier: readonly Command[], out: ShellReading): void {
  out.words.push(
    command.name,
    ...command.rest.slice(0, 40).flatMap((word) => word.toLowerCase().split(/[^a-z0-9.]+/)),
  );
  if (command.elevated) add(out, 'execute', 'privileged_command');
  for (const [names, read] of readersOf) if (names.has(command.name)) read(command, out);
  if (shells.has(command.name)) {
    add(out, 'execute');
    if (piped && earlier.some(({ name }) => fetchers.has(name))) out.facts.add('downloads_and_runs');
    if (piped && earlier.some(({ name }) => name === 'base64' || name === 'xxd'))
      out.facts.add('obfuscated_command');
    if (has(command.rest, '-c', '-e') && command.rest.length > 1) mergeInner(command.rest.at(-1) ?? '', out);
  }
}

function mergeInner(text: string, out: ShellReading): void {
  if (text.includes('base64') && text.includes('eval')) out.facts.add('obfuscated_command');
  if (/\/dev\/tcp\//.test(text)) out.facts.add('downloads_and_runs');
  for (const { words } of parseShell(text).slice(0, 20)) {
    const command = unwrap(words);
    for (const [names, read] of readersOf) if (names.has(command.name)) read(command, out);
  }
}

/** What a command line does, from its programs and flags. */
export function readShell(line: string): ShellReading {
  const out: ShellReading = { senses: new Set(), facts: new Set(), words: [] };
  const earlier: Command[] = [];
  for (const { words, piped } of parseShell(line).slice(0, 100)) {
    const command = unwrap(words);
    readOne(command, piped, earlier, out);
    readSigns(command, out);
    if (words.some((word) => /^\d?>{1,2}/.test(word))) out.senses.add('write');
    earlier.push(command);
  }
  if (line.includes(':(){') || line.includes('/dev/sd')) add(out, 'delete', 'destructive_command');
  if (runsFetched(line, earlier)) add(out, 'execute', 'downloads_and_runs');
  if (line.includes('/dev/tcp/')) add(out, 'execute', 'downloads_and_runs', 'reverse_shell');
  return out;
}
