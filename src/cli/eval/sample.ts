import { Random } from '#base/random.ts';
import type { LabelledText } from './rows.ts';

/**
 * At most `limit` rows of each set: an even draw over the whole set, since files are often sorted by label, and the
 * same draw at every run. Holds `limit` rows of each set in memory (reservoir sampling, Vitter 1985).
 */
export async function* sampleOf(
  rows: AsyncIterable<LabelledText>,
  limit: number,
): AsyncGenerator<LabelledText> {
  const random = new Random(1);
  const drawn = new Map<string, { seen: number; rows: LabelledText[] }>();
  for await (const row of rows) {
    let set = drawn.get(row.set);
    if (set === undefined) drawn.set(row.set, (set = { seen: 0, rows: [] }));
    set.seen++;
    if (set.rows.length < limit) set.rows.push(row);
    else {
      const at = random.below(set.seen);
      if (at < limit) set.rows[at] = row;
    }
  }
  for (const { rows: kept } of drawn.values()) yield* kept;
}
