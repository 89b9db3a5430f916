/** Rules of presets that are nearest to a sentence, by the words that they share. */

/** Words that say something, without their endings. */
const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])
      .filter((word) => !common.has(word))
      .map((word) => word.replace(/(?:ments?|ations?|ings?|ions?|ies|ers?|ed|es|s|e|y)$/, '')),
  );

const common: ReadonlySet<string> = new Set(
  'agent agents always anything before being call calls does else ever every from have into more must never nothing only other should than that their them then there they this unless what when where which while whose with without your'.split(
    ' ',
  ),
);

const shared = (wanted: ReadonlySet<string>, text: string): number => wanted.intersection(stemsOf(text)).size;

/** The nearest first; those that share nothing are left out. */
export function nearest<T>(
  all: readonly T[],
  sentence: string,
  textOf: (one: T) => string,
  most: number,
): T[] {
  const wanted = stemsOf(sentence);
  return all
    .map((one) => ({ one, score: shared(wanted, textOf(one)) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ one }) => one);
}
