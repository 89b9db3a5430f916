/** A logistic regression on hashed features: AdaGrad, features left out at random, so that no single word carries a row. */
import { Random } from '#engine/evaluation/random.ts';
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

export interface FitOptions {
  epochs: number;
  rate: number;
  decay: number;
  drop: number;
  seed: number;
}

export const fitDefaults: FitOptions = { epochs: 6, rate: 0.25, decay: 2e-6, drop: 0.3, seed: 1 };

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

export function logitOf({ bias, weights }: Weights, { at, value }: Pick<Example, 'at' | 'value'>): number {
  let sum = bias;
  for (let i = 0; i < at.length; i++) sum += (weights[at[i] ?? 0] ?? 0) * (value[i] ?? 0);
  return sum;
}

/** Both labels weigh the same in all. */
export function fit(examples: readonly Example[], options: Partial<FitOptions> = {}): Weights {
  const { epochs, rate, decay, drop, seed } = { ...fitDefaults, ...options };
  const random = new Random(seed);
  const weights = new Float32Array(buckets);
  const squares = new Float32Array(buckets).fill(0.05);
  let bias = 0;
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
      const { at, value, label, weight } = example;
      const mask = new Uint8Array(at.length);
      let sum = bias;
      for (let i = 0; i < at.length; i++)
        if (random.next() < keep) {
          mask[i] = 1;
          sum += ((weights[at[i] ?? 0] ?? 0) * (value[i] ?? 0)) / keep;
        }
      const slope = (sigmoid(sum) - label) * weight * (scale[label] ?? 1);
      if (Math.abs(slope) < 1e-4) continue;
      bias -= step * 0.05 * slope;
      for (let i = 0; i < at.length; i++) {
        if (mask[i] === 0) continue;
        const bucket = at[i] ?? 0;
        const g = slope * (value[i] ?? 0) + decay * (weights[bucket] ?? 0);
        const square = (squares[bucket] ?? 0) + g * g;
        squares[bucket] = square;
        weights[bucket] = (weights[bucket] ?? 0) - (step * g) / Math.sqrt(square);
      }
    }
  }
  return { bias, weights };
}
