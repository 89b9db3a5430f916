/** Metrics of decisions against labels. */

/** How many cases fell into each of the four kinds. */
export interface Confusion {
  truePositives: number;
  falsePositives: number;
  trueNegatives: number;
  falseNegatives: number;
}

/** Counts parallel arrays of decisions and labels; `true` and 1 are positive. */
export function confusionOf(decisions: readonly boolean[], labels: readonly number[]): Confusion {
  const counts: Confusion = { truePositives: 0, falsePositives: 0, trueNegatives: 0, falseNegatives: 0 };
  decisions.forEach((decision, i) => {
    const isPositive = labels[i] === 1;
    if (decision) counts[isPositive ? 'truePositives' : 'falsePositives']++;
    else counts[isPositive ? 'falseNegatives' : 'trueNegatives']++;
  });
  return counts;
}

/** Metrics of a confusion matrix; NaN if the denominator is 0, except F1, which is then 0. */
export interface DecisionMeasures {
  accuracy: number;
  /** Share of predicted positives that are positive: TP / (TP + FP). */
  precision: number;
  /** Share of positives that were found: TP / (TP + FN); the true-positive rate. */
  recall: number;
  /** Share of negatives that were predicted positive: FP / (FP + TN). */
  falsePositiveRate: number;
  /** Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN) (van Rijsbergen 1979). */
  f1: number;
}

/** Accuracy, precision, recall, false-positive rate and F1 of counted decisions. */
export function measuresOf(confusion: Confusion): DecisionMeasures {
  const { truePositives: hits, falsePositives: alarms, trueNegatives, falseNegatives: misses } = confusion;
  return {
    accuracy: (hits + trueNegatives) / (hits + alarms + trueNegatives + misses),
    precision: hits / (hits + alarms),
    recall: hits / (hits + misses),
    falsePositiveRate: alarms / (alarms + trueNegatives),
    f1: hits === 0 ? 0 : (2 * hits) / (2 * hits + alarms + misses),
  };
}

/** Metrics of scores at one threshold: `score >= cut` is positive. */
export const atCut = (scores: readonly number[], labels: readonly number[], cut: number): DecisionMeasures =>
  measuresOf(
    confusionOf(
      scores.map((score) => score >= cut),
      labels,
    ),
  );
