/**
 * Cohen's kappa: how far two raters agree beyond chance; 1 is full agreement, 0 what chance gives (Cohen 1960).
 * Takes parallel arrays of any labels. 1 where both gave one and the same label throughout, NaN without rows.
 */
export function cohensKappa<Label>(first: readonly Label[], second: readonly Label[]): number {
  const rows = first.length;
  const counts = new Map<Label, { first: number; second: number }>();
  const countOf = (label: Label) => {
    let count = counts.get(label);
    if (count === undefined) counts.set(label, (count = { first: 0, second: 0 }));
    return count;
  };
  let agreed = 0;
  first.forEach((label, i) => {
    const other = second[i] as Label;
    countOf(label).first++;
    countOf(other).second++;
    if (label === other) agreed++;
  });
  const observed = agreed / rows;
  const byChance = [...counts.values()].reduce(
    (sum, count) => sum + (count.first / rows) * (count.second / rows),
    0,
  );
  return byChance === 1 ? 1 : (observed - byChance) / (1 - byChance);
}
