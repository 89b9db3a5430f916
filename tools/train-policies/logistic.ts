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

/** The logit of a text by its features. */
export function logisticLogit({ weights, bias }: LogisticModel, features: Int32Array): number {
  let sum = 0;
  for (const feature of features) sum += weights[feature] ?? 0;
  return bias + sum / Math.sqrt(Math.max(1, features.length));
}

const history = 8;

/** The logit of one text and what its features count. */
function logitAt(features: Int32Array, at: Float64Array): { logit: number; scale: number } {
  let sum = 0;
  for (let i = 0; i < features.length; i++) sum += at[features[i] ?? 0] ?? 0;
  const scale = 1 / Math.sqrt(Math.max(1, features.length));
  return { logit: (at[at.length - 1] ?? 0) + sum * scale, scale };
}

/** Mean weighted loss with its gradient; the last number of `at` is the bias. */
function lossOf(
  examples: readonly LogisticExample[],
  at: Float64Array,
  gradient: Float64Array,
  ridge: number,
): number {
  gradient.fill(0);
  const last = at.length - 1;
  let loss = 0;
  let total = 0;
  for (const { features, label, weight } of examples) {
    const { logit, scale } = logitAt(features, at);
    loss += weight * (Math.max(logit, 0) - label * logit + Math.log1p(Math.exp(-Math.abs(logit))));
    const error = weight * (1 / (1 + Math.exp(-logit)) - label);
    gradient[last] = (gradient[last] ?? 0) + error;
    addTo(gradient, features, error * scale);
    total += weight;
  }
  return loss / total + addRidge(gradient, at, { total, ridge });
}

function addTo(gradient: Float64Array, features: Int32Array, share: number): void {
  for (let i = 0; i < features.length; i++) {
    const feature = features[i] ?? 0;
    gradient[feature] = (gradient[feature] ?? 0) + share;
  }
}

/** Divides the gradient by the total weight and adds the penalty's. @returns the penalty */
function addRidge(
  gradient: Float64Array,
  at: Float64Array,
  { total, ridge }: { total: number; ridge: number },
): number {
  const last = at.length - 1;
  let penalty = 0;
  for (let k = 0; k < at.length; k++) {
    gradient[k] = (gradient[k] ?? 0) / total;
    if (k === last) continue;
    const value = at[k] ?? 0;
    gradient[k] = (gradient[k] ?? 0) + ridge * value;
    penalty += 0.5 * ridge * value ** 2;
  }
  return penalty;
}

const dot = (a: Float64Array, b: Float64Array) => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] ?? 0) * (b[k] ?? 0);
  return sum;
};

interface Move {
  s: Float64Array;
  y: Float64Array;
}

const addScaled = (to: Float64Array, by: number, from: Float64Array) => {
  for (let k = 0; k < to.length; k++) to[k] = (to[k] ?? 0) + by * (from[k] ?? 0);
};

/** The direction of L-BFGS by its two loops (Nocedal and Wright 2006, algorithm 7.4). */
function directionOf(gradient: Float64Array, moves: readonly Move[]): Float64Array {
  const out = gradient.slice();
  const alphas: number[] = [];
  for (const { s, y } of moves.toReversed()) {
    const alpha = dot(s, out) / dot(y, s);
    alphas.push(alpha);
    addScaled(out, -alpha, y);
  }
  const last = moves.at(-1);
  const scale = last === undefined ? 1 : dot(last.s, last.y) / dot(last.y, last.y);
  for (let k = 0; k < out.length; k++) out[k] = (out[k] ?? 0) * scale;
  for (const { s, y } of moves) {
    const alpha = alphas.pop() ?? 0;
    addScaled(out, alpha - dot(y, out) / dot(y, s), s);
  }
  return out;
}

interface Point {
  at: Float64Array;
  gradient: Float64Array;
  loss: number;
}

type Loss = (at: Float64Array, gradient: Float64Array) => number;

const mostHalvings = 20;

/** Halves the step until the loss falls enough (Armijo's condition). */
function stepAlong(point: Point, direction: Float64Array, first: number, lossAt: Loss): Point {
  const slope = -dot(direction, point.gradient);
  const next = { at: point.at, gradient: new Float64Array(direction.length), loss: Infinity };
  let length = first;
  for (let tries = 0; tries < mostHalvings; tries++, length /= 2) {
    next.at = point.at.slice();
    addScaled(next.at, -length, direction);
    next.loss = lossAt(next.at, next.gradient);
    if (next.loss <= point.loss + 1e-4 * length * slope) break;
  }
  return next;
}

const difference = (a: Float64Array, b: Float64Array) => a.map((value, k) => value - (b[k] ?? 0));

/** Fits by L-BFGS; deterministic. `ridge` is the L2 penalty on the mean loss. */
export function fitLogistic(
  examples: readonly LogisticExample[],
  size: number,
  { ridge, steps }: { ridge: number; steps: number },
): LogisticModel {
  const lossAt: Loss = (at, gradient) => lossOf(examples, at, gradient, ridge);
  const start = { at: new Float64Array(size + 1), gradient: new Float64Array(size + 1) };
  let point: Point = { ...start, loss: lossAt(start.at, start.gradient) };
  const moves: Move[] = [];
  for (let step = 0; step < steps; step++) {
    const direction = directionOf(point.gradient, moves);
    const slope = -dot(direction, point.gradient);
    if (slope > -1e-10) break;
    const next = stepAlong(point, direction, moves.length === 0 ? 1 / Math.sqrt(-slope) : 1, lossAt);
    const move = { s: difference(next.at, point.at), y: difference(next.gradient, point.gradient) };
    if (dot(move.s, move.y) > 1e-12) moves.push(move);
    if (moves.length > history) moves.shift();
    const gain = point.loss - next.loss;
    point = next;
    if (gain < 1e-7) break;
  }
  return { weights: point.at.slice(0, size), bias: point.at[size] ?? 0 };
}
