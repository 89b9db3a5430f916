/** A logistic regression on hashed features: AdaGrad, features left out at random, so that no single word carries a row. */
import { Random } from '#base/random.ts';
import { buckets, readUnit } from '#engine/descriptions/features.ts';
import type { Row } from './rows.ts';

export interface Example {
  at: Int32Array;
  value: Float32Array;
  label: 0 | 1;
  weight: number;
  group: string;
}

export function toExample({ unit, label, weight, group }: Row): Example {
  const { features } = readUnit(unit);
  return {
    at: Int32Array.from(features, ({ bucket }) => bucket),
    value: Float32Array.from(features, ({ value }) => value),
    label,
    weight,
    group,
  };
}

export interface Weights {
  bias: number;
  weights: Float32Array;
}

interface FitOptions {
  epochs: number;
  rate: number;
  decay: number;
  drop: number;
  seed: number;
}

const fitDefaults: FitOptions = { epochs: 6, rate: 0.25, decay: 2e-6, drop: 0.3, seed: 1 };

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

export function logitOf({ bias, weights }: Weights, { at, value }: Pick<Example, 'at' | 'value'>): number {
  let sum = bias;
  for (let i = 0; i < at.length; i++) sum += (weights[at[i] ?? 0] ?? 0) * (value[i] ?? 0);
  return sum;
}

interface State extends Weights {
  squares: Float32Array;
}

/** One row: features that `mask` leaves out take no part. */
function learn(
  state: State,
  { at, value, label }: Example,
  mask: Uint8Array,
  { step, keep, decay, importance }: { step: number; keep: number; decay: number; importance: number },
): void {
  const { weights, squares } = state;
  let sum = state.bias;
  for (let i = 0; i < at.length; i++)
    if (mask[i] === 1) sum += ((weights[at[i] ?? 0] ?? 0) * (value[i] ?? 0)) / keep;
  const slope = (sigmoid(sum) - label) * importance;
  if (Math.abs(slope) < 1e-4) return;
  state.bias -= step * 0.05 * slope;
  for (let i = 0; i < at.length; i++) {
    if (mask[i] === 0) continue;
    const bucket = at[i] ?? 0;
    const g = slope * (value[i] ?? 0) + decay * (weights[bucket] ?? 0);
    const square = (squares[bucket] ?? 0) + g * g;
    squares[bucket] = square;
    weights[bucket] = (weights[bucket] ?? 0) - (step * g) / Math.sqrt(square);
  }
}

/** Both labels weigh the same in all. */
export function fit(examples: readonly Example[], options: Partial<FitOptions> = {}): Weights {
  const { epochs, rate, decay, drop, seed } = { ...fitDefaults, ...options };
  const random = new Random(seed);
  const state: State = {
    bias: 0,
    weights: new Float32Array(buckets),
    squares: new Float32Array(buckets).fill(0.05),
  };
  const totals = [0, 0];
  for (const { label, weight } of examples) totals[label] = (totals[label] ?? 0) + weight;
  const mean = ((totals[0] ?? 0) + (totals[1] ?? 0)) / 2;
  const scale = totals.map((total) => mean / total);
  const order = Int32Array.from(examples.keys());
  const keep = 1 - drop;
  for (let epoch = 0; epoch < epochs; epoch++) {
    random.shuffle(order);
    const step = rate / (1 + epoch / 2);
    for (const place of order) {
      const example = examples[place];
      if (example === undefined) continue;
      const mask = Uint8Array.from(example.at, () => (random.next() < keep ? 1 : 0));
      const importance = example.weight * (scale[example.label] ?? 1);
      learn(state, example, mask, { step, keep, decay, importance });
    }
  }
  return { bias: state.bias, weights: state.weights };
}
