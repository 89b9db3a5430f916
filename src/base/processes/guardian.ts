/**
 * Kills child processes that outlive us: when this process dies in any way, `kill -9` included, its end of a pipe
 * closes, and a shell waiting at the other end kills what is still on its list: process groups (`g` and the number),
 * and all processes with a mark (`m` and the mark; see `process-mark.ts`).
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Writable } from 'node:stream';

const script = `
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
list=""
while read -r word entry; do
  kept=""
  for each in $list; do [ "$each" = "$entry" ] || kept="$kept $each"; done
  list="$kept"
  [ "$word" = add ] && list="$list $entry"
done
kill_all() {
  for each in $list; do
    case "$each" in
      g*) kill -s "$1" -- "-\${each#g}" 2>/dev/null ;;
      m*)
        for file in $(grep -ls " \${each#m} " /proc/[0-9]*/limits); do
          file=\${file#/proc/}
          kill -s "$1" "\${file%/limits}" 2>/dev/null
        done ;;
    esac
  done
}
[ -n "$list" ] || exit 0
kill_all TERM
sleep 1
# Again: what was being started while the first round went by.
for round in 1 2 3; do kill_all KILL; done
exit 0
`;

type Shell = ChildProcessByStdio<Writable, null, null>;
type Entry = `g${number}` | `m${string}`;

let shell: Shell | undefined;
const entries = new Set<Entry>();

const tell = (to: Shell, word: 'add' | 'drop', entry: Entry) => void to.stdin.write(`${word} ${entry}\n`);

function start(): Shell {
  // In its own session: what ends us (Ctrl+C, a closed terminal) must not end it first.
  const started = spawn('/bin/sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
  });
  started.stdin.on('error', () => undefined);
  const gone = () => {
    if (shell === started) shell = entries.size > 0 ? start() : undefined;
  };
  started.once('exit', gone);
  started.once('error', () => undefined);
  started.unref();
  (started.stdin as Writable & { unref?: () => void }).unref?.();
  for (const entry of entries) tell(started, 'add', entry);
  return started;
}

/** Adds an entry to the list of processes that end with us. Call the result to remove it, once it has ended. */
export function guard(entry: Entry): () => void {
  entries.add(entry);
  if (shell === undefined) shell = start();
  else tell(shell, 'add', entry);
  return () => {
    entries.delete(entry);
    if (shell === undefined) return;
    tell(shell, 'drop', entry);
    if (entries.size > 0) return;
    shell.stdin.end();
    shell = undefined;
  };
}
