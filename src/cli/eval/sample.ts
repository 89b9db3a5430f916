import type { LabelledText } from './rows.ts';

/** Numbers in [0, 1), the same at every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * At most `limit` rows of each set: an even draw over the whole set, since files are often sorted by label, and the
 * same draw at every run. Holds `limit` rows of each set in memory (reservoir sampling, Vitter 1985).
 */
export async function* sampleOf(
  rows: AsyncIterable<LabelledText>,
  limit: number,
): AsyncGenerator<LabelledText> {
  const random = seeded(1);
  const drawn = new Map<string, { seen: number; rows: LabelledText[] }>();
  for await (const row of rows) {
    let set = drawn.get(row.set);
    if (set === undefined) drawn.set(row.set, (set = { seen: 0, rows: [] }));
    set.seen++;
    if (set.rows.length < limit) set.rows.push(row);
    else {
      const at = Math.floor(random() * set.seen);
      if (at < limit) set.rows[at] = row;
    }
  }
  for (const { rows: kept } of drawn.values()) yield* kept;
}
