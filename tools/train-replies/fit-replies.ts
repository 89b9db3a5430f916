/** Fits the model of replies: multinomial logistic regression by Adam on the full batch, with weight decay. */
import { probabilitiesOf, refusalKinds } from '#engine/replies/refusal/model.ts';

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

function fitScaled(cases: readonly ReplyCase[], width: number): number[][] {
  const rows = () => refusalKinds.map(() => Array.from({ length: width }, () => 0));
  const [weights, means, squares] = [rows(), rows(), rows()];
  const total = cases.reduce((sum, { weight }) => sum + weight, 0);
  for (let step = 1; step <= steps; step++) {
    const slopes = weights.map((row) => row.map((weight, i) => (i === 0 ? 0 : decay * weight)));
    for (const { features, label, weight } of cases) {
      const found = probabilitiesOf(features, weights);
      refusalKinds.forEach((kind, k) => {
        const error = ((found[kind] - (k === label ? 1 : 0)) * weight) / total;
        const row = slopes[k] ?? [];
        for (let i = 0; i < width; i++) row[i] = (row[i] ?? 0) + error * (features[i] ?? 0);
      });
    }
    weights.forEach((row, k) =>
      row.forEach((weight, i) => {
        const slope = slopes[k]?.[i] ?? 0;
        const moment = ((means[k] ?? [])[i] = 0.9 * (means[k]?.[i] ?? 0) + 0.1 * slope);
        const square = ((squares[k] ?? [])[i] = 0.999 * (squares[k]?.[i] ?? 0) + 0.001 * slope * slope);
        row[i] =
          weight - (rate * (moment / (1 - 0.9 ** step))) / (Math.sqrt(square / (1 - 0.999 ** step)) + 1e-8);
      }),
    );
  }
  return weights;
}
