/** Fits the model of replies: multinomial logistic regression by Adam on the full batch, with weight decay. */
import { refusalKinds } from '#engine/replies/refusal/model.ts';

export interface ReplyCase {
  features: number[];
  /** Place in `refusalKinds`. */
  label: number;
  weight: number;
}

const steps = 700;
const rate = 0.03;
const decay = 0.002;
/** Added to each variance, so that features that are hardly ever there do not weigh too much. */
const leastVariance = 0.01;

/** Weights for features as they are; they are brought to mean 0 and variance 1 for the fit. The first one is the bias. */
export function fitReplies(cases: readonly ReplyCase[], width: number): number[][] {
  const places = Array.from({ length: width }, (_, i) => i);
  const mean = places.map(
    (i) => cases.reduce((sum, { features }) => sum + (features[i] ?? 0), 0) / cases.length,
  );
  const spread = places.map((i) =>
    Math.sqrt(
      leastVariance +
        cases.reduce((sum, { features }) => sum + ((features[i] ?? 0) - (mean[i] ?? 0)) ** 2, 0) /
          cases.length,
    ),
  );
  const scaled = cases.map((each) => ({
    ...each,
    features: each.features.map((value, i) => (i === 0 ? 1 : (value - (mean[i] ?? 0)) / (spread[i] ?? 1))),
  }));
  return fitScaled(scaled, width).map((row) => {
    const plain = row.map((weight, i) => (i === 0 ? weight : weight / (spread[i] ?? 1)));
    plain[0] = plain.reduce(
      (sum, weight, i) => (i === 0 ? sum : sum - weight * (mean[i] ?? 0)),
      plain[0] ?? 0,
    );
    return plain;
  });
}

/** Softmax of three numbers, in place. */
function softmax(logits: Float64Array): void {
  const highest = logits.reduce((most, each) => Math.max(most, each), -Infinity);
  let sum = 0;
  for (let k = 0; k < logits.length; k++) sum += logits[k] = Math.exp((logits[k] as number) - highest);
  for (let k = 0; k < logits.length; k++) logits[k] = (logits[k] as number) / sum;
}

function fitScaled(cases: readonly ReplyCase[], width: number): number[][] {
  const kinds = refusalKinds.length;
  const flat = Float64Array.from(cases.flatMap(({ features }) => features));
  const weights = new Float64Array(kinds * width);
  const means = new Float64Array(kinds * width);
  const squares = new Float64Array(kinds * width);
  const slopes = new Float64Array(kinds * width);
  const found = new Float64Array(kinds);
  const total = cases.reduce((sum, { weight }) => sum + weight, 0);
  for (let step = 1; step <= steps; step++) {
    for (let i = 0; i < slopes.length; i++) slopes[i] = i % width === 0 ? 0 : decay * (weights[i] as number);
    for (const [at, { label, weight }] of cases.entries()) {
      const first = at * width;
      for (let k = 0; k < kinds; k++) {
        let sum = 0;
        for (let i = 0; i < width; i++)
          sum += (weights[k * width + i] as number) * (flat[first + i] as number);
        found[k] = sum;
      }
      softmax(found);
      for (let k = 0; k < kinds; k++) {
        const error = (((found[k] as number) - (k === label ? 1 : 0)) * weight) / total;
        for (let i = 0; i < width; i++)
          slopes[k * width + i] = (slopes[k * width + i] as number) + error * (flat[first + i] as number);
      }
    }
    for (let i = 0; i < weights.length; i++) {
      const slope = slopes[i] as number;
      const mean = (means[i] = 0.9 * (means[i] as number) + 0.1 * slope);
      const square = (squares[i] = 0.999 * (squares[i] as number) + 0.001 * slope * slope);
      weights[i] =
        (weights[i] as number) -
        (rate * (mean / (1 - 0.9 ** step))) / (Math.sqrt(square / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return refusalKinds.map((_, k) => [...weights.subarray(k * width, (k + 1) * width)]);
}
