/** Programs that are given to an interpreter, or that a shell is given from elsewhere: what can be read of them. */
import type { Command } from './shell-command.ts';

const interpreters = /^(?:python\d?(?:\.\d+)?|perl|ruby|node|nodejs|deno|bun|php|lua)$/;
const shells = /^(?:sh|bash|zsh|dash|ksh|fish|source|\.)$/;

const deletes =
  /\b(?:unlink(?:sync)?|rmtree|remove(?:_tree|dirs)?|rm(?:_rf|_r|_f|dir|sync|dirsync)?|removedirs|send2trash|file\.delete|delete_file)\b/i;
const writes =
  /\b(?:writefile(?:sync)?|write_text|file\.write|fileutils\.(?:mv|cp|touch)|rename(?:sync)?|shutil\.(?:move|copy\w*)|os\.replace|truncate)\b/i;
/** What it then does stands nowhere in plain words. */
const hides =
  /\b(?:eval|exec|system|popen|spawn\w*|__import__|getattr|fromcharcode|unpack|pack|chr|b64decode|decode_base64|base64|atob|unhexlify|subprocess|child_process|compile|marshal|zlib)\b|`|%x|qx\W|instance_eval|public_send/i;

/** Texts in quotes of all kinds: `'…'`, `"…"`, `q(…)`, `%q(…)`. */
const quoted =
  /'([^'\n]{1,400})'|"([^"\n]{1,400})"|[qQw]{1,2}(?:\(([^)\n]{1,400})\)|\[([^\]\n]{1,400})\]|\{([^}\n]{1,400})\}|[!|]([^!|\n]{1,400})[!|])/g;
const isPath = (text: string) =>
  /^(?:~|\.{0,2}\/|[a-z]:[\\/])\S*$/i.test(text) || /^[\w.-]+(?:\/[\w.-]+)+$/.test(text);

export interface ReadCode {
  readonly deletes: boolean;
  readonly writes: boolean;
  /** Files that it names. */
  readonly paths: readonly string[];
  /** It may do more than can be read of it. */
  readonly isOpaque: boolean;
}

function codeOf({ rest }: Command): string | undefined {
  const at = rest.findIndex((word) => /^-[a-z]*[ecEr]$|^--eval$|^--print$/.test(word));
  return at < 0 ? undefined : rest[at + 1];
}

/** What the program that stands in the command does; undefined where none stands there. */
export function readInlineCode(command: Command): ReadCode | undefined {
  // `perl -pi -e 's/a/b/' FILE` edits files, as sed does.
  if (!interpreters.test(command.name) || command.rest.some((word) => /^-[a-z]*[pin]/.test(word)))
    return undefined;
  const code =
    codeOf(command) ?? (command.rest.every((word) => word.startsWith('-')) ? command.input : undefined);
  if (code === undefined) return undefined;
  const found = [...code.matchAll(quoted)].map(
    (match) => match.slice(1).find((part) => part !== undefined) ?? '',
  );
  const [isDeleting, isWriting] = [deletes.test(code), writes.test(code)];
  const paths = found.filter(isPath);
  return {
    deletes: isDeleting,
    writes: isWriting,
    paths,
    isOpaque: hides.test(code) || ((isDeleting || isWriting) && paths.length === 0),
  };
}

/** A shell or an interpreter that is fed by what was fetched, or by what no reading of the line can tell. */
export function runsUnread(command: Command, piped: boolean, fetches: boolean): boolean {
  const isShell = shells.test(command.name);
  if (!isShell && !interpreters.test(command.name)) return false;
  const operands = command.rest.filter((word) => !word.startsWith('-') || word === '-');
  // `bash <(curl …)`, `sh -c "$(curl …)"`: what was fetched stands in for a file or a word.
  const isGiven = operands.every((word) => word === '-' || word === '/dev/stdin' || word === '');
  if (fetches && isGiven) return true;
  return (
    piped &&
    isGiven &&
    operands.length === command.rest.filter((word) => word === '-').length &&
    command.input === undefined
  );
}

/** Options before the act of a program that take a value: `git -C / clean`. */
const globalOptions: Readonly<Record<string, string>> = {
  git: '-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env',
  docker: '-H --host -c --context -l --log-level --config --tlscacert --tlscert --tlskey',
  podman: '-c --connection --url --identity --log-level --root --runroot',
  kubectl:
    '-n --namespace -s --server --context --cluster --user --kubeconfig --token --as --as-group --cache-dir --request-timeout',
  helm: '-n --namespace --kube-context --kubeconfig',
  npm: '--prefix -C --registry --userconfig --loglevel -w --workspace',
  pnpm: '--dir -C --filter -F --registry',
  yarn: '--cwd --registry',
};

/** The arguments without options that stand before the act: `git -C / clean -fdx` cleans as `git clean -fdx` does. */
export function withoutGlobals(name: string, rest: readonly string[]): readonly string[] {
  const valued = Object.hasOwn(globalOptions, name) ? globalOptions[name] : undefined;
  if (valued === undefined) return rest;
  const takes = new Set(valued.split(' '));
  let at = 0;
  while ((rest[at] ?? '').startsWith('-')) at += takes.has(rest[at] ?? '') ? 2 : 1;
  return at === 0 || at >= rest.length ? rest : rest.slice(at);
}
