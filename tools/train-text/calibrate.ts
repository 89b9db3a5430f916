import { combine, lengthPlace } from '../../src/engine/text/judge.ts';
import { type Calibration, lengthKnots } from '../../src/engine/text/model.ts';

/** Raw logits of both models for one row, with what is needed to calibrate. */
export interface Measured {
  linear: Float64Array;
  net: Float64Array;
  tokens: number;
  labels: Int8Array;
  source: string;
  harmless: boolean;
}

export const meanAndDeviation = (values: readonly number[]) => {
  const mean = values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
  const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, values.length);
  return { mean, deviation: Math.max(1e-3, Math.sqrt(variance)) };
};

export interface CalibrationOptions {
  netShare: number;
  /** Proportion of positives that the calibrated probabilities assume. */
  positiveShare: number;
  /** Maximum false-positive rate on the harmless mix at probability .5. */
  falsePositiveRate: number;
}

interface Point {
  score: number;
  tokens: number;
  label: number;
  weight: number;
}

/**
 * Calibration of one detector from standardised logits: Platt scaling with an offset for each length, then shifted so
 * that the desired share of the harmless rows lies above probability .5.
 */
export function calibrateDetector(
  rows: readonly Measured[],
  detector: number,
  options: CalibrationOptions,
): Calibration {
  const by: Calibration = {
    linear: { mean: 0, deviation: 1 },
    net: { mean: 0, deviation: 1 },
    netShare: options.netShare,
    slope: 1,
    offsets: lengthKnots.map(() => 0),
    sentenceCost: 1,
  };
  const known = rows.filter(({ labels }) => (labels[detector] ?? -1) >= 0);
  const points = known.map((row) => ({
    score: combine(row, detector, by),
    tokens: row.tokens,
    label: row.labels[detector] ?? 0,
    weight: 1,
  }));
  balance(points, options.positiveShare);
  fitPlatt(points, by);
  const harmless = rows.filter((row) => row.harmless);
  placeThreshold(harmless, detector, by, options.falsePositiveRate);
  return by;
}

function balance(points: Point[], share: number): void {
  const positives = points.filter(({ label }) => label === 1).length;
  const negatives = points.length - positives;
  const weight = (share * negatives) / ((1 - share) * Math.max(1, positives));
  for (const point of points) if (point.label === 1) point.weight = weight;
}

const ridge = 0.02;

/** Weighted logistic regression by gradient descent with momentum: the slope and the offsets at the length knots. */
function fitPlatt(points: readonly Point[], by: Calibration): void {
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  const speed = { slope: 0, offsets: lengthKnots.map(() => 0) };
  by.offsets.fill(-3);
  for (let step = 0; step < 1500; step++) {
    const pull = { slope: 0, offsets: lengthKnots.map(() => 0) };
    for (const { score, tokens, label, weight } of points) {
      const { below, share } = lengthPlace(tokens);
      const offset = (by.offsets[below] ?? 0) * (1 - share) + (by.offsets[below + 1] ?? 0) * share;
      const error = ((1 / (1 + Math.exp(-(by.slope * score + offset))) - label) * weight) / total;
      pull.slope += error * score;
      pull.offsets[below] = (pull.offsets[below] ?? 0) + error * (1 - share);
      pull.offsets[below + 1] = (pull.offsets[below + 1] ?? 0) + error * share;
    }
    const mean = by.offsets.reduce((a, b) => a + b, 0) / by.offsets.length;
    speed.slope = 0.9 * speed.slope - pull.slope;
    by.slope = Math.max(0.2, by.slope + speed.slope);
    by.offsets.forEach((offset, i) => {
      const g = (pull.offsets[i] ?? 0) + ridge * (offset - mean);
      speed.offsets[i] = 0.9 * (speed.offsets[i] ?? 0) - g;
      by.offsets[i] = offset + (speed.offsets[i] ?? 0);
    });
  }
}

/** With fewer rows of one length, the rows of all lengths are used instead. */
const enoughRows = 300;

/**
 * Shifts the offsets so that at probability .5 the desired share of the harmless rows is flagged: half by the rows of
 * each length and half by all rows, because single lengths have few rows in their tails.
 */
function placeThreshold(
  harmless: readonly Measured[],
  detector: number,
  by: Calibration,
  rate: number,
): void {
  const logits = harmless.map((row) => {
    const { below, share } = lengthPlace(row.tokens);
    const offset = (by.offsets[below] ?? 0) * (1 - share) + (by.offsets[below + 1] ?? 0) * share;
    return { logit: by.slope * combine(row, detector, by) + offset, near: share < 0.5 ? below : below + 1 };
  });
  const cut = (rows: readonly { logit: number }[]) => {
    const sorted = rows.map(({ logit }) => logit).sort((a, b) => b - a);
    return sorted[Math.floor(sorted.length * rate)] ?? 0;
  };
  const overall = cut(logits);
  by.offsets.forEach((offset, knot) => {
    const own = logits.filter(({ near }) => near === knot);
    by.offsets[knot] = offset - ((own.length >= enoughRows ? cut(own) : overall) + overall) / 2;
  });
}
