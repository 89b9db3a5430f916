import type { Command, ShellCommand } from './shell-command.ts';

/** Programs and words of the shell that start another program, with their flags that take a value. */
const valuedFlags: ReadonlyMap<string, string> = new Map([
  ['sudo', '-u -g -h -p -C -T'],
  ['doas', '-u -C'],
  ['su', '-s'],
  ['env', '-u -C'],
  ['time', '-f -o'],
  ['timeout', '-s -k'],
  ['nice', '-n'],
  ['ionice', '-c -n -p'],
  ['stdbuf', '-i -o -e'],
  ['xargs', '-n -P -I -L -d -s -a'],
  ['parallel', '-j'],
  ['watch', '-n'],
  ['exec', '-a'],
]);
const plainWrappers = new Set(
  'nohup setsid busybox chroot command builtin then do else if elif while until ! {'.split(' '),
);
const isWrapper = (name: string) => valuedFlags.has(name) || plainWrappers.has(name);
/** `timeout 10`, `chroot /mnt`: an argument of their own before the program. */
const ownArgument = new Set(['timeout', 'chroot']);
const elevating = new Set(['sudo', 'doas', 'su']);

const nameOf = (word: string) =>
  word
    .slice(word.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/\.exe$/, '');

/** `-u www`, `--flag`, and `A=b` of env. */
const isOption = (word: string | undefined, wrapper: string) =>
  word !== undefined && (word.startsWith('-') || (wrapper === 'env' && word.includes('=')));

/** Where the next program begins behind a wrapper with its flags. */
function behind(words: readonly string[], at: number): number {
  const wrapper = nameOf(words[at] ?? '');
  const valued = (valuedFlags.get(wrapper) ?? '').split(' ');
  let next = at + 1;
  while (isOption(words[next], wrapper)) {
    // What `su -c "…"` runs is read by whoever reads payloads.
    if (wrapper === 'su' && words[next] === '-c') return next;
    next += valued.includes(words[next] ?? '') ? 2 : 1;
  }
  return ownArgument.has(wrapper) ? next + 1 : next;
}

/** The program of a command without what only starts it. */
export function unwrap({ words, input }: ShellCommand): Command {
  let at = 0;
  let elevated = false;
  let listed = false;
  while (at < words.length - 1) {
    const word = words[at] ?? '';
    if (/^[A-Za-z_]\w*=/.test(word)) {
      at++;
      continue;
    }
    const name = nameOf(word);
    if (!isWrapper(name)) break;
    const next = behind(words, at);
    if (next >= words.length) break;
    elevated ||= elevating.has(name);
    listed ||= name === 'xargs' || name === 'parallel';
    if (name === 'su' && words[next] === '-c')
      return { name: 'sh', rest: words.slice(next), elevated: true, input, listed };
    at = next;
  }
  return { name: nameOf(words[at] ?? ''), rest: words.slice(at + 1), elevated, input, listed };
}
