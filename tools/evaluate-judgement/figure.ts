import { bootstrapInterval } from '../../src/engine/evaluation/intervals.ts';
import { averagePrecision } from '../../src/engine/evaluation/ranking.ts';

/** A value with its 95 % interval. */
export interface Figure {
  value: number;
  low: number;
  high: number;
  /** Policies, or texts, that it was measured on. */
  of: number;
}

/** What a figure should reach: at least, or at most. */
export interface Goal {
  least?: number;
  most?: number;
}

const seed = 1;

/**
 * Texts that were made from one pattern begin alike: drawn one by one they would make an interval look surer than it
 * is, so that all texts with the same first words are drawn together.
 */
function byOpening(texts: readonly string[]): number[][] {
  const groups = new Map<string, number[]>();
  texts.forEach((text, i) => {
    const opening = text.toLowerCase().split(/\s+/).slice(0, 3).join(' ');
    const group = groups.get(opening);
    if (group === undefined) groups.set(opening, [i]);
    else group.push(i);
  });
  return [...groups.values()];
}

/** The share of texts that is flagged; undefined without texts. Bootstrap over openings, fixed seed. */
export function shareOf(texts: readonly string[], flagged: readonly boolean[]): Figure | undefined {
  if (texts.length === 0) return undefined;
  const groups = byOpening(texts).map((group) => ({
    all: group.length,
    hit: group.filter((i) => flagged[i] === true).length,
  }));
  const { low, high } = bootstrapInterval(
    groups.length,
    (drawn) => {
      let [all, hit] = [0, 0];
      for (const g of drawn) {
        all += groups[g]?.all ?? 0;
        hit += groups[g]?.hit ?? 0;
      }
      return hit / all;
    },
    { seed },
  );
  return { value: flagged.filter(Boolean).length / texts.length, low, high, of: texts.length };
}

const draws = 200;

/** Average precision with its interval; the two classes are drawn apart, so that their shares stay as they are. */
export function precisionOf(positive: readonly number[], negative: readonly number[]): Figure | undefined {
  if (positive.length === 0 || negative.length === 0) return undefined;
  const labels = [...positive.map(() => 1), ...negative.map(() => 0)];
  const all = [...positive, ...negative];
  const { low, high } = bootstrapInterval(
    all.length,
    (drawn) => {
      const scores = Array.from(drawn, (at, i) =>
        i < positive.length ? (positive[at % positive.length] ?? 0) : (negative[at % negative.length] ?? 0),
      );
      return averagePrecision(scores, labels);
    },
    { seed, draws },
  );
  return { value: averagePrecision(all, labels), low, high, of: all.length };
}

/** Whether a figure reaches its goal; with `surely`, its whole interval does. */
export function meets({ value, low, high }: Figure, { least, most }: Goal, surely = false): boolean {
  const isEnough = least === undefined || (surely ? low : value) >= least;
  return isEnough && (most === undefined || (surely ? high : value) <= most);
}

/** One line of the table. */
export interface Row {
  title: string;
  now: Figure;
  /** By the weights before; or a figure from a decision record, with a note. */
  before?: Figure | { value: number; note: string };
  /** The same by a judge that never sees the policy. */
  control?: Figure;
  goal?: Goal;
  /** Figures of parts of the texts. */
  groups?: { what: string; name: string; now: Figure }[];
}
