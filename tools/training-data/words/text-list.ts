const marks: Record<string, string> = { n: '\n', t: '\t' };

/**
 * Hand-written entries, one per line of a template literal; `\n` inside an entry is a line break, `\t` a tab, and a
 * backslash before a back quote, a dollar sign or a backslash gives that character. Empty lines are dropped.
 */
export const textList = (parts: TemplateStringsArray): string[] =>
  (parts.raw[0] ?? '')
    .split('\n')
    .map((line) => line.trim().replace(/\\([nt`$\\])/g, (_, mark: string) => marks[mark] ?? mark))
    .filter((line) => line !== '');

/** Entries of the form `key | text`, grouped by key. */
export function keyedList(entries: readonly string[]): { key: string; text: string }[] {
  return entries.map((entry) => {
    const at = entry.indexOf(' | ');
    if (at < 0) throw new RangeError(`entry without a key: ${entry}`);
    return { key: entry.slice(0, at).trim(), text: entry.slice(at + 3) };
  });
}
