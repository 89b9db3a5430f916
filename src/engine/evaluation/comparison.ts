import { type BootstrapOptions, type Interval, bootstrapInterval } from './intervals.ts';

/** Two judges compared on the same cases. */
export interface McNemar {
  /** Cases that only the first got right. */
  onlyFirst: number;
  /** Cases that only the second got right. */
  onlySecond: number;
  /** Two-sided: how likely a difference as large would be if both were equally good. */
  pValue: number;
}

/** ln(n!), exact by summing; the callers' n is a count of cases. */
function logFactorials(most: number): Float64Array {
  const logs = new Float64Array(most + 1);
  for (let n = 2; n <= most; n++) logs[n] = (logs[n - 1] ?? 0) + Math.log(n);
  return logs;
}

/**
 * McNemar's test in its exact form: of the cases that one judge alone got right, each should be either's with chance
 * one half (McNemar 1947; the exact binomial as in Fagerland, Lydersen and Laake 2013). Takes parallel arrays of
 * whether each judge was right.
 */
export function mcNemar(first: readonly boolean[], second: readonly boolean[]): McNemar {
  let [onlyFirst, onlySecond] = [0, 0];
  first.forEach((isRight, i) => {
    if (isRight && second[i] === false) onlyFirst++;
    else if (!isRight && second[i] === true) onlySecond++;
  });
  const differing = onlyFirst + onlySecond;
  const logs = logFactorials(differing);
  let tail = 0;
  for (let k = 0; k <= Math.min(onlyFirst, onlySecond); k++)
    tail += Math.exp(
      (logs[differing] ?? 0) - (logs[k] ?? 0) - (logs[differing - k] ?? 0) - differing * Math.LN2,
    );
  return { onlyFirst, onlySecond, pValue: Math.min(1, 2 * tail) };
}

/** The second's measure minus the first's, over the same cases. */
export interface PairedDifference extends Interval {
  difference: number;
  /** The interval does not contain 0 (significant). */
  isClear: boolean;
}

/**
 * Difference of a measure between two judges of the same cases, with its bootstrap interval: cases are drawn anew, and
 * both are measured on the same draw, so that how hard a case is cancels out (Efron and Tibshirani 1993; Berg-Kirkpatrick,
 * Burkett and Klein 2012). `measureFirst` and `measureSecond` get the places of the drawn cases.
 */
export function pairedDifference(
  cases: number,
  measureFirst: (drawn: Int32Array) => number,
  measureSecond: (drawn: Int32Array) => number,
  options: BootstrapOptions,
): PairedDifference {
  const difference = (drawn: Int32Array) => measureSecond(drawn) - measureFirst(drawn);
  const interval = bootstrapInterval(cases, difference, options);
  return {
    ...interval,
    difference: difference(Int32Array.from({ length: cases }, (_, i) => i)),
    isClear: interval.low > 0 || interval.high < 0,
  };
}
