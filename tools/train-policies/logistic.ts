/** Logistic regression on hashed features that occur or not, each worth 1 / sqrt(features of the text). */

export interface LogisticExample {
  features: Int32Array;
  /** 0 to 1. */
  label: number;
  weight: number;
}

export interface LogisticModel {
  weights: Float64Array;
  bias: number;
}

const history = 8;

export function logisticLogit({ weights, bias }: LogisticModel, features: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += weights[features[i]!]!;
  return bias + sum / Math.sqrt(Math.max(1, features.length));
}

/** Mean weighted loss with its gradient; the last number of `at` is the bias. */
function lossOf(examples: readonly LogisticExample[], at: Float64Array, gradient: Float64Array, ridge: number): number {
  gradient.fill(0);
  const last = at.length - 1;
  let loss = 0;
  let total = 0;
  for (const { features, label, weight } of examples) {
    let sum = 0;
    for (let i = 0; i < features.length; i++) sum += at[features[i]!]!;
    const scale = 1 / Math.sqrt(Math.max(1, features.length));
    const logit = at[last]! + sum * scale;
    loss += weight * (Math.max(logit, 0) - label * logit + Math.log1p(Math.exp(-Math.abs(logit))));
    const error = weight * (1 / (1 + Math.exp(-logit)) - label);
    gradient[last] = gradient[last]! + error;
    const share = error * scale;
    for (let i = 0; i < features.length; i++) gradient[features[i]!] = gradient[features[i]!]! + share;
    total += weight;
  }
  loss /= total;
  for (let k = 0; k < at.length; k++) {
    gradient[k] = gradient[k]! / total;
    if (k === last) continue;
    gradient[k] = gradient[k]! + ridge * at[k]!;
    loss += 0.5 * ridge * at[k]! ** 2;
  }
  return loss;
}

const dot = (a: Float64Array, b: Float64Array) => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
};

/** The direction of L-BFGS by its two loops (Nocedal and Wright 2006, algorithm 7.4). */
function directionOf(gradient: Float64Array, moves: readonly { s: Float64Array; y: Float64Array }[]): Float64Array {
  const out = gradient.slice();
  const alphas: number[] = [];
  for (const { s, y } of moves.toReversed()) {
    const alpha = dot(s, out) / dot(y, s);
    alphas.push(alpha);
    for (let k = 0; k < out.length; k++) out[k] = out[k]! - alpha * y[k]!;
  }
  const last = moves.at(-1);
  const scale = last === undefined ? 1 : dot(last.s, last.y) / dot(last.y, last.y);
  for (let k = 0; k < out.length; k++) out[k] = out[k]! * scale;
  for (const { s, y } of moves) {
    const alpha = alphas.pop() ?? 0;
    const beta = dot(y, out) / dot(y, s);
    for (let k = 0; k < out.length; k++) out[k] = out[k]! + (alpha - beta) * s[k]!;
  }
  return out;
}

/** Fits by L-BFGS; deterministic. `ridge` is the L2 penalty on the mean loss. */
export function fitLogistic(
  examples: readonly LogisticExample[],
  size: number,
  { ridge, steps }: { ridge: number; steps: number },
): LogisticModel {
  const at = new Float64Array(size + 1);
  let gradient = new Float64Array(size + 1);
  let loss = lossOf(examples, at, gradient, ridge);
  const moves: { s: Float64Array; y: Float64Array }[] = [];
  for (let step = 0; step < steps; step++) {
    const direction = directionOf(gradient, moves);
    const slope = -dot(direction, gradient);
    if (slope > -1e-10) break;
    const next = new Float64Array(at.length);
    const nextGradient = new Float64Array(at.length);
    let nextLoss = Infinity;
    let length = moves.length === 0 ? 1 / Math.sqrt(-slope) : 1;
    for (let tries = 0; tries < 20; tries++, length /= 2) {
      for (let k = 0; k < at.length; k++) next[k] = at[k]! - length * direction[k]!;
      nextLoss = lossOf(examples, next, nextGradient, ridge);
      if (nextLoss <= loss + 1e-4 * length * slope) break;
    }
    const s = next.map((value, k) => value - at[k]!);
    const y = nextGradient.map((value, k) => value - gradient[k]!);
    if (dot(s, y) > 1e-12) moves.push({ s, y });
    if (moves.length > history) moves.shift();
    const gain = loss - nextLoss;
    at.set(next);
    gradient = nextGradient;
    loss = nextLoss;
    if (gain < 1e-7) break;
  }
  return { weights: at.slice(0, size), bias: at[size] ?? 0 };
}
