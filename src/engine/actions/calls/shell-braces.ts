import type { ShellBudget } from './shell-budget.ts';

/** Braces and commas that stand outside of quotes are marked, until the word that they stand in is whole. */
export const braceMarks: Readonly<Record<string, string>> = { '{': '\uE0F0', ',': '\uE0F1', '}': '\uE0F2' };

const [open, comma, close] = ['\uE0F0', '\uE0F1', '\uE0F2'];
const marks = /[\uE0F0-\uE0F2]/g;
const group = /\uE0F0([^\uE0F0\uE0F2]*\uE0F1[^\uE0F0\uE0F2]*)\uE0F2/;

const plain = (word: string): string =>
  word.replaceAll(marks, (mark) => (mark === open ? '{' : mark === comma ? ',' : '}'));

/** How many groups of one word are opened out. */
const mostGroups = 12;

/** `{rm,-rf,/etc}` as the shell takes it: a word for each part, innermost first. */
export function expandBraces(word: string, budget: ShellBudget): string[] {
  if (!word.includes(open) || !word.includes(comma) || !word.includes(close)) return [plain(word)];
  let words = [word];
  for (let at = 0; at < mostGroups && words.some((one) => group.test(one)); at++) {
    const next = words.flatMap((one) => {
      const found = group.exec(one);
      if (found === null) return [one];
      const [whole, inner = ''] = found;
      const parts = inner.split(comma);
      if (!budget.takes(one.length * parts.length)) return [one];
      const [before, after] = [one.slice(0, found.index), one.slice(found.index + whole.length)];
      return parts.map((part) => before + part + after);
    });
    if (next.length === words.length) break;
    words = next;
  }
  return words.map(plain).filter((one) => one !== '');
}
