/** Edit distance of Damerau and Levenshtein (adjacent swaps count once), over short names. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  rows[0] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost);
      (rows[i] ?? [])[j] = swapped ? Math.min(best, at(i - 2, j - 2) + 1) : best;
    }
  return at(a.length, b.length);
}

/** The prefix that all variables have makes no name near. `; did you mean …?` for the nearest name, or nothing when none is near. */
export function nearest(name: string, known: readonly string[]): string {
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(name, candidate) }))
    .sort((a, b) => a.away - b.away);
  return best !== undefined && best.away <= Math.max(2, name.replace(/^BULWARK_/, '').length / 3)
    ? `; did you mean ${best.candidate}?`
    : '';
}
