/** Calibration metrics. All take parallel arrays; labels are 1 (positive) or 0, probabilities 0..1. */

/** Predicted against observed, for one bin of probabilities. */
export interface Bin {
  from: number;
  to: number;
  rows: number;
  /** NaN in an empty bin, as is the share. */
  meanScore: number;
  positiveShare: number;
}

const bins = 10;

/** Ten bins of equal width, as a reliability diagram shows them (Niculescu-Mizil and Caruana 2005). */
export function reliability(probabilities: readonly number[], labels: readonly number[]): Bin[] {
  const counts = Array.from({ length: bins }, () => ({ rows: 0, sum: 0, positives: 0 }));
  probabilities.forEach((probability, i) => {
    const bin = counts[Math.max(0, Math.min(bins - 1, Math.floor(probability * bins)))];
    if (bin === undefined) return;
    bin.rows++;
    bin.sum += probability;
    bin.positives += labels[i] ?? 0;
  });
  return counts.map(({ rows, sum, positives }, i) => ({
    from: i / bins,
    to: (i + 1) / bins,
    rows,
    meanScore: sum / rows,
    positiveShare: positives / rows,
  }));
}

/**
 * Expected calibration error: mean distance between stated probability and observed share over the ten bins, each
 * weighted by its rows (Naeini, Cooper and Hauskrecht 2015). 0 without rows.
 */
export function calibrationError(probabilities: readonly number[], labels: readonly number[]): number {
  const gaps = reliability(probabilities, labels).map(({ rows, meanScore, positiveShare }) =>
    rows === 0 ? 0 : rows * Math.abs(meanScore - positiveShare),
  );
  return gaps.reduce((a, b) => a + b, 0) / Math.max(1, probabilities.length);
}

/** Brier score: mean squared distance between probability and label; 0 is perfect (Brier 1950). NaN without rows. */
export const brierScore = (probabilities: readonly number[], labels: readonly number[]): number =>
  probabilities.reduce((sum, probability, i) => sum + (probability - (labels[i] ?? 0)) ** 2, 0) /
  probabilities.length;
