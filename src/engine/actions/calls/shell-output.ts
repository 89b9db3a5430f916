import type { ShellBudget } from './shell-budget.ts';
import type { ShellCommand } from './shell-command.ts';
import { ansiText } from './shell-escapes.ts';

/** `printf FORMAT ARGUMENTS`, with `%s` alone. */
function printed([format = '', ...values]: readonly string[]): string {
  let at = 0;
  return ansiText(format).replace(/%[bs]/g, () => values[at++] ?? '');
}

function echoed(words: readonly string[]): string {
  const flags = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const rest = words.slice(flags < 0 ? words.length : flags);
  return words.slice(0, Math.max(0, flags)).some((word) => word.includes('e'))
    ? ansiText(rest.join(' '))
    : rest.join(' ');
}

const hasFlag = (words: readonly string[], flag: string) =>
  words.some((word) => word.startsWith('-') && !word.startsWith('--') && word.includes(flag));

const decodes = (words: readonly string[]) =>
  hasFlag(words, 'd') || hasFlag(words, 'D') || words.includes('--decode');

/** What programs make of what they read. */
function changed(name: string, rest: readonly string[], input: string): string | undefined {
  if (name === 'base64') return decodes(rest) ? Buffer.from(input, 'base64').toString('utf8') : undefined;
  if (name === 'xxd')
    return hasFlag(rest, 'r') ? Buffer.from(input.trim(), 'hex').toString('utf8') : undefined;
  if (name === 'rev') return Array.from(input).toReversed().join('');
  return name === 'cat' && rest.length === 0 ? input : undefined;
}

/** What a command writes, where the line itself says it; undefined where only running it would tell. */
export function outputOf({ words, input }: ShellCommand, budget: ShellBudget): string | undefined {
  const [path = '', ...rest] = words;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'echo') return echoed(rest);
  if (name === 'printf') return printed(rest);
  if (input === undefined || !budget.writes(input.length)) return undefined;
  return changed(name, rest, input);
}
