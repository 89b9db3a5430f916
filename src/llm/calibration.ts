/** Calibrates a model's probabilities: p' = sigmoid((logit p - bias) / temperature). */

export interface Calibration {
  readonly temperature: number;
  readonly bias: number;
}

export interface LabelledProbability {
  /** The model's probability, 0..1. */
  readonly probability: number;
  readonly positive: boolean;
}

export const noCalibration: Calibration = { temperature: 1, bias: 0 };

/** Beyond these limits a fit would be overfitted to few rows. */
const temperatureRange = { least: 0.05, most: 20 };
const edge = 1e-4;
const rounds = 100;

const logit = (p: number): number => {
  const inside = Math.min(1 - edge, Math.max(edge, p));
  return Math.log(inside / (1 - inside));
};
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Monotone in `probability` for every calibration. */
export const calibrate = (probability: number, { temperature, bias }: Calibration): number =>
  sigmoid((logit(probability) - bias) / temperature);

/**
 * Contextual calibration, without labels: the bias is what the model says of texts without content
 * (Zhao et al. 2021, arXiv 2102.09690). A text without content violates nothing, so only a model that leans towards a
 * violation is moved: putting a clear "no" in the middle would flag every text.
 */
export const contextualCalibration = (ofEmptyTexts: readonly number[]): Calibration => ({
  temperature: 1,
  bias: Math.max(0, ofEmptyTexts.reduce((sum, p) => sum + logit(p), 0) / Math.max(1, ofEmptyTexts.length)),
});

/** Mean negative log-likelihood of `slope * x + offset` against soft targets; `fixed` holds the offset at 0. */
function fitLine(
  xs: readonly number[],
  targets: readonly number[],
  fixed: boolean,
): { slope: number; offset: number } {
  let slope = 1;
  let offset = 0;
  const loss = (a: number, b: number) =>
    xs.reduce((sum, x, i) => {
      const z = a * x + b;
      const softplus = Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)));
      return sum + softplus - (targets[i] ?? 0) * z;
    }, 0);
  for (let round = 0; round < rounds; round++) {
    const step = newtonStep(xs, targets, { slope, offset, fixed });
    let share = 1;
    const now = loss(slope, offset);
    while (share > 1e-10 && loss(slope - share * step.slope, offset - share * step.offset) > now) share /= 2;
    slope -= share * step.slope;
    offset -= share * step.offset;
    if (Math.abs(step.slope) + Math.abs(step.offset) < 1e-10) break;
  }
  return { slope, offset };
}

function newtonStep(
  xs: readonly number[],
  targets: readonly number[],
  { slope, offset, fixed }: { slope: number; offset: number; fixed: boolean },
): { slope: number; offset: number } {
  // A ridge of the size of rounding keeps rows that are all alike solvable.
  let [haa, hab, hbb, ga, gb] = [1e-9, 0, 1e-9, 0, 0];
  for (const [i, x] of xs.entries()) {
    const p = sigmoid(slope * x + offset);
    const weight = p * (1 - p);
    const error = p - (targets[i] ?? 0);
    haa += weight * x * x;
    hab += weight * x;
    hbb += weight;
    ga += error * x;
    gb += error;
  }
  if (fixed) return { slope: ga / haa, offset: 0 };
  const determinant = haa * hbb - hab * hab;
  return { slope: (hbb * ga - hab * gb) / determinant, offset: (haa * gb - hab * ga) / determinant };
}

const temperatureOf = (slope: number): number =>
  Math.min(temperatureRange.most, Math.max(temperatureRange.least, slope > 0 ? 1 / slope : Infinity));

/** Temperature alone, from labelled rows, by maximum likelihood (Guo et al. 2017, arXiv 1706.04599). */
export function fitTemperature(rows: readonly LabelledProbability[]): Calibration {
  if (rows.length === 0) return noCalibration;
  const xs = rows.map(({ probability }) => logit(probability));
  const targets = rows.map(({ positive }) => Number(positive));
  return { temperature: temperatureOf(fitLine(xs, targets, true).slope), bias: 0 };
}

/**
 * Platt's sigmoid with his smoothed targets, from labelled rows, both labels among them; 50 are enough for most.
 * With one label only there is nothing to fit, and nothing is changed.
 */
export function fitPlatt(rows: readonly LabelledProbability[]): Calibration {
  const positives = rows.filter(({ positive }) => positive).length;
  const negatives = rows.length - positives;
  if (positives === 0 || negatives === 0) return noCalibration;
  const xs = rows.map(({ probability }) => logit(probability));
  const targets = rows.map(({ positive }) =>
    positive ? (positives + 1) / (positives + 2) : 1 / (negatives + 2),
  );
  const { slope, offset } = fitLine(xs, targets, false);
  const temperature = temperatureOf(slope);
  return { temperature, bias: -offset * temperature };
}
