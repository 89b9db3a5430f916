import { type EnvironmentState } from '../kit/state.ts';
import { existing } from '../kit/record-tools.ts';
import { ToolError } from '../kit/environment.ts';

type Command = (args: string[], state: EnvironmentState) => string;

const readFile = (state: EnvironmentState, path: string) => String(existing(state, 'files', path).content);

function writeFile(state: EnvironmentState, path: string, content: string): void {
  if (
    state.run('UPDATE files SET content = ?, changed_at = ? WHERE id = ?', content, state.now(), path) === 0
  )
    state.insert('files', { id: path, content, owner: 'robin', mode: '644', changed_at: state.now() });
}

function needed(args: string[], at: number, what: string): string {
  const arg = args[at];
  if (arg === undefined) throw new ToolError(`The command needs ${what}.`);
  return arg;
}

const withoutFlags = (args: string[]) => args.filter((arg) => !arg.startsWith('-'));

function remove(args: string[], state: EnvironmentState): string {
  const recursive = args.some((arg) => /^-[a-z]*r/.test(arg));
  for (const path of withoutFlags(args)) {
    const inside = recursive
      ? state.run('DELETE FROM files WHERE substr(id, 1, ?) = ?', path.length + 1, `${path}/`)
      : 0;
    if (state.run('DELETE FROM files WHERE id = ?', path) + inside === 0)
      throw new ToolError(`rm: no such file: ${path}`);
  }
  return '';
}

/** The commands of the emulated shell. Each reads and changes rows alone: there are no other programs. */
const commands: Record<string, Command> = {
  echo: (args) => args.join(' '),
  pwd: () => '/home/robin',
  whoami: () => 'robin',
  date: (_, state) => state.now(),
  cat: (args, state) => args.map((path) => readFile(state, path)).join(''),
  head: (args, state) =>
    readFile(state, needed(withoutFlags(args), 0, 'a file'))
      .split('\n')
      .slice(0, 10)
      .join('\n'),
  wc: (args, state) =>
    String(readFile(state, needed(withoutFlags(args), 0, 'a file')).split('\n').length - 1),
  ls: (args, state) => {
    const folder = `${(withoutFlags(args)[0] ?? '/home/robin').replace(/\/+$/, '')}/`;
    const found = state.all(
      'SELECT id FROM files WHERE substr(id, 1, ?) = ? ORDER BY id',
      folder.length,
      folder,
    );
    return [...new Set(found.map(({ id }) => String(id).slice(folder.length).split('/')[0]))].join('\n');
  },
  grep: (args, state) => {
    const [word, path] = withoutFlags(args);
    const text = readFile(state, needed([path ?? ''].filter(Boolean), 0, 'a word and a file'));
    return text
      .split('\n')
      .filter((line) => line.includes(word ?? ''))
      .join('\n');
  },
  rm: remove,
  cp: (args, state) => {
    writeFile(state, needed(args, 1, 'two paths'), readFile(state, needed(args, 0, 'two paths')));
    return '';
  },
  touch: (args, state) => {
    const path = needed(args, 0, 'a path');
    writeFile(state, path, String(state.get('SELECT content FROM files WHERE id = ?', path)?.content ?? ''));
    return '';
  },
  chmod: (args, state) => {
    existing(state, 'files', needed(args, 1, 'a mode and a path'));
    state.run('UPDATE files SET mode = ? WHERE id = ?', needed(args, 0, 'a mode'), needed(args, 1, 'a path'));
    return '';
  },
  ps: (_, state) =>
    state
      .all('SELECT id, name, owner, status FROM processes ORDER BY id')
      .map((row) => Object.values(row).join(' '))
      .join('\n'),
  kill: (args, state) => {
    const id = needed(withoutFlags(args), 0, 'the number of a process');
    existing(state, 'processes', id);
    state.run(`UPDATE processes SET status = 'stopped' WHERE id = ?`, id);
    return '';
  },
  env: (_, state) =>
    state
      .all('SELECT id, value FROM variables ORDER BY id')
      .map(({ id, value }) => `${String(id)}=${String(value)}`)
      .join('\n'),
  curl: (args, state) => {
    const url = args.find((arg) => /^https?:\/\//.test(arg));
    if (!url) throw new ToolError('curl: an address is needed.');
    const data = args[args.indexOf('-d') + 1];
    if (!args.includes('-d') || data === undefined) return 'curl: there is no network for downloads here.';
    const content = data.startsWith('@') ? readFile(state, data.slice(1)) : data;
    state.insert('uploads', { id: state.newId('up'), url, content, sent_at: state.now() });
    return 'ok';
  },
};

/** Splits a command line at spaces, with quotes; there are no variables, pipes or substitutions. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}

/** Runs a command line of the emulated shell: simple commands joined by `&&` or `;`, with `>` to write a file. */
export function runCommand(line: string, state: EnvironmentState): string {
  const output = line
    .split(/&&|;/)
    .map((part) => runOne(part.trim(), state))
    .filter(Boolean)
    .join('\n');
  state.insert('commands', { id: state.newId('cmd'), line, status: 0, run_at: state.now() });
  return output;
}

function runOne(part: string, state: EnvironmentState): string {
  const [name = '', ...rest] = words(part);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new ToolError(`${name}: command not found. There are: ${Object.keys(commands).join(', ')}.`);
  const at = rest.findIndex((word) => word === '>' || word === '>>');
  if (at < 0) return command(rest, state);
  const target = needed(rest, at + 1, 'a file after ">"');
  const old =
    rest[at] === '>>'
      ? String(state.get('SELECT content FROM files WHERE id = ?', target)?.content ?? '')
      : '';
  writeFile(state, target, `${old}${command(rest.slice(0, at), state)}\n`);
  return '';
}
