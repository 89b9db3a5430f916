/** Longer texts seldom come again, and are no copies: they would hold the whole source. */
const longestName = 12;
const mostNames = 50_000;
const names = new Map<string, string>();

/** Part of a source; a short one is the same string wherever it stands: names come again and again, and are looked up. */
export function sharedText(source: string, start: number, end: number): string {
  const text = source.slice(start, end);
  if (text.length > longestName) return text;
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= mostNames) names.clear();
  names.set(text, text);
  return text;
}
