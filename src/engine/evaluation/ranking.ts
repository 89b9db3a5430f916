/**
 * How well scores separate labels, over all cuts. All take parallel arrays; labels are 1 (positive) or 0, a higher
 * score means "more likely positive".
 */

interface Scored {
  score: number;
  label: number;
}

function ranked(scores: readonly number[], labels: readonly number[]): Scored[] {
  return scores.map((score, i) => ({ score, label: labels[i] ?? 0 })).sort((a, b) => b.score - a.score);
}

const count = (labels: readonly number[]) => labels.reduce((sum, label) => sum + label, 0);

/**
 * Area under the receiver operating curve: the chance that a positive scores above a negative, ties counting half
 * (Hanley and McNeil 1982, the Mann-Whitney statistic). NaN when one class is missing.
 */
export function areaUnderRoc(scores: readonly number[], labels: readonly number[]): number {
  const positives = count(labels);
  const negatives = labels.length - positives;
  if (positives === 0 || negatives === 0) return Number.NaN;
  let above = 0;
  let sum = 0;
  for (const [, group] of groupsByScore(ranked(scores, labels))) {
    sum += group.positives * (negatives - above - group.negatives / 2);
    above += group.negatives;
  }
  return sum / (positives * negatives);
}

/**
 * Average precision: the step-wise area under precision over recall, without interpolation (Davis and Goadrich 2006
 * show why a straight line between its points says too much). NaN without positives.
 */
export function averagePrecision(scores: readonly number[], labels: readonly number[]): number {
  const positives = count(labels);
  if (positives === 0) return Number.NaN;
  let found = 0;
  let seen = 0;
  let sum = 0;
  for (const [, group] of groupsByScore(ranked(scores, labels))) {
    found += group.positives;
    seen += group.positives + group.negatives;
    sum += (group.positives / positives) * (found / seen);
  }
  return sum;
}

/** The best F1 over all cuts, and the cut that reaches it (`score >= cut` is positive). */
export function bestF1(scores: readonly number[], labels: readonly number[]): { f1: number; cut: number } {
  const positives = count(labels);
  let best = { f1: 0, cut: Infinity };
  let found = 0;
  let seen = 0;
  for (const [score, group] of groupsByScore(ranked(scores, labels))) {
    found += group.positives;
    seen += group.positives + group.negatives;
    const f1 = (2 * found) / (seen + positives);
    if (f1 > best.f1) best = { f1, cut: score };
  }
  return best;
}

/** Share of positives above the lowest cut at which at most `rate` of the negatives lie. */
export function recallAtFalsePositiveRate(
  scores: readonly number[],
  labels: readonly number[],
  rate: number,
): number {
  const positives = count(labels);
  const allowed = (labels.length - positives) * rate;
  let [hits, alarms] = [0, 0];
  for (const [, group] of groupsByScore(ranked(scores, labels))) {
    if (alarms + group.negatives > allowed) break;
    hits += group.positives;
    alarms += group.negatives;
  }
  return hits / positives;
}

function* groupsByScore(
  rows: readonly Scored[],
): Generator<[score: number, { positives: number; negatives: number }]> {
  let at = 0;
  while (at < rows.length) {
    const score = rows[at]?.score ?? 0;
    const group = { positives: 0, negatives: 0 };
    for (; at < rows.length && rows[at]?.score === score; at++) {
      if (rows[at]?.label === 1) group.positives++;
      else group.negatives++;
    }
    yield [score, group];
  }
}
