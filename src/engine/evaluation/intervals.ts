import { Random } from '#base/random.ts';

/** A metric with its confidence interval. */
export interface Interval {
  low: number;
  high: number;
}

/** The two-sided 95 % point of the standard normal distribution. */
const z95 = 1.959_963_984_540_054;

/**
 * Wilson score interval of a share at 95 % (Wilson 1927; Brown, Cai and DasGupta 2001 recommend it over the plain
 * normal interval, which leaves 0..1 and says "certain" at 0 of n). From 0 to 1 without trials.
 */
export function wilsonInterval(successes: number, trials: number, z = z95): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const share = successes / trials;
  const squared = z * z;
  const centre = (share + squared / (2 * trials)) / (1 + squared / trials);
  const half =
    (z / (1 + squared / trials)) *
    Math.sqrt((share * (1 - share)) / trials + squared / (4 * trials * trials));
  // The formula gives exactly 0 and 1 at the ends, but for rounding.
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === trials ? 1 : Math.min(1, centre + half),
  };
}

/**
 * Interval of an area under the ROC curve at 95 % from the numbers of both classes alone (Hanley and McNeil 1982). Where
 * the area is 0 or 1 their error is 0, so that of half a pair less is taken.
 */
export function rocInterval(area: number, positives: number, negatives: number): Interval {
  const halfPair = 0.5 / Math.max(1, positives * negatives);
  const a = Math.max(halfPair, Math.min(1 - halfPair, area));
  const [q1, q2] = [a / (2 - a), (2 * a * a) / (1 + a)];
  const variance =
    (a * (1 - a) + (positives - 1) * (q1 - a * a) + (negatives - 1) * (q2 - a * a)) /
    Math.max(1, positives * negatives);
  const half = z95 * Math.sqrt(variance);
  return { low: Math.max(0, area - half), high: Math.min(1, area + half) };
}

export interface BootstrapOptions {
  /** Equal seeds give equal intervals. */
  seed: number;
  /** Number of resamples; a thousand is enough for two decimals. */
  draws?: number;
  /** Confidence level; default: 0.95. */
  level?: number;
}

/** Linear interpolation between the closest ranks (type 7 of Hyndman and Fan 1996). */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/**
 * Percentile bootstrap interval of any measure of rows (Efron and Tibshirani 1993, chapter 13): `measure` gets the
 * places of rows drawn with replacement. Draws of which the measure is not a number (a class did not occur) are left
 * out; NaN at both ends when none is left.
 */
export function bootstrapInterval(
  rows: number,
  measure: (drawn: Int32Array) => number,
  { seed, draws = 1000, level = 0.95 }: BootstrapOptions,
): Interval {
  const random = new Random(seed);
  const drawn = new Int32Array(rows);
  const values: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    for (let at = 0; at < rows; at++) drawn[at] = random.below(rows);
    const value = measure(drawn);
    if (!Number.isNaN(value)) values.push(value);
  }
  values.sort((a, b) => a - b);
  return { low: quantile(values, (1 - level) / 2), high: quantile(values, (1 + level) / 2) };
}
