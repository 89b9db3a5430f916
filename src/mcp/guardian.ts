/**
 * Ends child processes that outlive us: when this process dies in whichever way, `kill -9` included, its end of a pipe
 * closes, and a shell that waits at the other end kills each process group that is still on its list.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Writable } from 'node:stream';

const script = `
groups=""
while read -r word group; do
  kept=""
  for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
  groups="$kept"
  [ "$word" = add ] && groups="$groups $group"
done
for each in $groups; do kill -s TERM -- "-$each" 2>/dev/null; done
[ -n "$groups" ] && sleep 1
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
exit 0
`;

type Shell = ChildProcessByStdio<Writable, null, null>;

let shell: Shell | undefined;
const groups = new Set<number>();

const tell = (to: Shell, word: 'add' | 'drop', group: number) => void to.stdin.write(`${word} ${group}\n`);

function start(): Shell {
  // In a session of its own: what ends us (Ctrl+C, a closed terminal) must not end it first.
  const started = spawn('/bin/sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
  });
  started.stdin.on('error', () => undefined);
  const gone = () => {
    if (shell === started) shell = groups.size > 0 ? start() : undefined;
  };
  started.once('exit', gone);
  started.once('error', () => undefined);
  started.unref();
  (started.stdin as Writable & { unref?: () => void }).unref?.();
  for (const group of groups) tell(started, 'add', group);
  return started;
}

/** From now on the process group ends with us. The answer takes it off the list, once it is gone. */
export function guardGroup(group: number): () => void {
  groups.add(group);
  if (shell === undefined) shell = start();
  else tell(shell, 'add', group);
  return () => {
    groups.delete(group);
    if (shell === undefined) return;
    tell(shell, 'drop', group);
    if (groups.size > 0) return;
    shell.stdin.end();
    shell = undefined;
  };
}
