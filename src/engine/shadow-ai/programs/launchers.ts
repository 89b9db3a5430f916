/** Programs that start others: shells, containers, `sudo` and the like. */
import { splitCommandLine } from '../command-line.ts';
import { afterFlags, baseOf, firstWordsOf, type Found, type ReadWords, unixPath, urlsIn } from './found.ts';
import { kindOf } from './kinds.ts';

/** @param readWords called for the command that is given to the shell */
export function readShell(words: readonly string[], found: Found, depth: number, readWords: ReadWords): void {
  if (depth > 0) return;
  found.urls.push(
    ...urlsIn(words.flatMap((word) => word.split(' '))).filter((url) =>
      /\.(?:sh|ps1|cmd)\b|install/.test(url),
    ),
  );
  const command = shellCommand(words);
  if (command === undefined) {
    // A script with a shebang, as npm writes them on Windows and uv elsewhere.
    const script = words.find((word) => !word.startsWith('-'));
    if (script !== undefined && /[\\/]/.test(script)) found.paths.push(unixPath(script));
    return;
  }
  // A shell may become what it is told to start, and runners on Windows are scripts of the shell itself.
  const [word, ...rest] = command;
  if (word === undefined || kindOf(baseOf(word)) === 'shell') return;
  found.paths.push(unixPath(word));
  found.carriedNames.push(baseOf(word));
  readWords(baseOf(word), rest, found, depth + 1);
}

/** The command that is given to a shell; undefined where it runs a script, or is talked to. */
function shellCommand(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => /^(?:-\w*c|\/c|\/k|-command|-encodedcommand)$/i.test(word));
  if (at < 0) return undefined;
  // A caret takes a sign its meaning in `cmd`; node puts them before quotes and spaces.
  const isCmd = words[at]?.startsWith('/') === true;
  const rest = words.slice(at + 1).map((word) => (isCmd ? word.replaceAll('^', '') : word));
  return mainCommand(rest.length === 1 ? splitCommandLine(rest[0] ?? '') : rest);
}

/** What only prepares the shell for the command that it is there for. */
const preparations = /^(?:cd|pushd|set-location|sl|export|set|source|\.|umask|ulimit|chcp|true|exec)$/;
const operators = /^(?:&&|\|\||[;|&])$/;

/**
 * The command that a shell is there for: the first of a chain that does more than prepare the shell, as `claude` in
 * `cd app && claude | tee log`.
 */
function mainCommand(words: readonly string[]): readonly string[] {
  const split = words.flatMap((word) => (/[^;];$/.test(word) ? [word.slice(0, -1), ';'] : [word]));
  for (let from = 0; from < split.length;) {
    const end = split.findIndex((word, i) => i >= from && operators.test(word));
    const to = end < 0 ? split.length : end;
    const command = afterFlags(split.slice(from, to), () => false);
    const [first = ''] = command;
    if (first.toLowerCase() === 'exec' && command.length > 1) return command.slice(1);
    if (first !== '' && !preparations.test(first.toLowerCase())) return command;
    from = to + 1;
  }
  return [];
}

const wrapperFlagsWithValue = /^-(?:[ugpCTrtDRSnskc]|-user|-group|-unset|-signal|-kill-after|-adjustment)$/;

/** Programs that start the one that they are given, with other rights or limits. */
export function readWrapped(
  words: readonly string[],
  found: Found,
  depth: number,
  readWords: ReadWords,
): void {
  if (depth > 1) return;
  const command = afterFlags(words, (flag) => wrapperFlagsWithValue.test(flag));
  // `timeout 10m` and `nice 5`.
  const [word = '', ...rest] = /^\d+[smhd]?$/.test(command[0] ?? '')
    ? afterFlags(command.slice(1), () => false)
    : command;
  const program = baseOf(word);
  // Other programs come as processes of their own; installing is known by the words of the wrapper alone.
  if (['runner', 'container', 'wrapper'].includes(kindOf(program)))
    readWords(program, rest, found, depth + 1);
}

const systemFlagsWithValue = /^(?:-d|--distribution|-u|--user|--cd|--shell-type)$/;

/** Another system on the same machine: what runs there is seen by its launcher alone. */
export function readSystem(
  words: readonly string[],
  found: Found,
  depth: number,
  readWords: ReadWords,
): void {
  if (depth > 1) return;
  const started = afterFlags(words, (flag) => systemFlagsWithValue.test(flag));
  const inShell = kindOf(baseOf(started[0] ?? '')) === 'shell' ? shellCommand(started.slice(1)) : undefined;
  const [word, ...rest] = inShell ?? started;
  if (word === undefined) return;
  found.paths.push(unixPath(word));
  found.carriedNames.push(baseOf(word));
  readWords(baseOf(word), rest, found, depth + 1);
}

const execFlagsWithValue = /^-(?:[ueEw]|-user|-env|-env-file|-workdir|-detach-keys)$/;

export function readContainer(words: readonly string[], found: Found): void {
  found.firstWords.push(...words.slice(0, 1));
  const at = words.findIndex((word) => word === 'run' || word === 'create' || word === 'exec');
  if (words[at] === 'exec') {
    const [, program, ...rest] = afterFlags(words.slice(at + 1), (flag) => execFlagsWithValue.test(flag));
    if (program !== undefined) found.carriedNames.push(baseOf(program));
    found.firstWords.push(...firstWordsOf(rest));
  } else if (at >= 0) {
    const [image] = afterFlags(words.slice(at + 1), takesValue);
    if (image !== undefined) readImage(image, found);
  }
}

const runFlagsAlone =
  /^(?:-[ditPq]+|--(?:detach|interactive|tty|rm|init|privileged|publish-all|read-only|quiet|replace|no-healthcheck|oom-kill-disable|sig-proxy|disable-content-trust|tls-verify))$/;

/** Of flags of `run`: nearly all have a value, in the next word unless it is joined to them. */
const takesValue = (flag: string): boolean =>
  /^(?:-[a-zA-Z]|--[^=]+)$/.test(flag) && !runFlagsAlone.test(flag);

function readImage(word: string, found: Found): void {
  const image = word
    .toLowerCase()
    .replace(/@sha256:.*$/, '')
    .replace(/:[^/:]*$/, '')
    .replace(/^docker\.io\//, '');
  const parts = image.split('/');
  // A registry of one's own may have any path before the name that all know.
  for (let from = 0; from === 0 || from < parts.length - 1; from += 1)
    found.images.push(parts.slice(from).join('/'));
  const server = /^mcp\/([a-z0-9-]+)$/.exec(parts.slice(-2).join('/'))?.[1];
  if (server !== undefined) found.packages.push(`mcp-server-${server}`);
  const last = parts.at(-1) ?? '';
  // Images of MCP servers have the names of their packages.
  if (parts.length > 1 && /^mcp-|-mcp$|-mcp-server$/.test(last)) found.packages.push(last);
}
