/** A logistic regression on hashed features: AdaGrad, features left out at random, so that no single word carries a row. */
import { Random } from '#base/random.ts';

/** Features by their place in the table of weights, and how much there is of each. */
export interface Example {
  at: Int32Array;
  value: Float32Array;
  label: 0 | 1;
  weight: number;
}

export interface Weights {
  bias: number;
  weights: Float32Array;
}

export interface FitOptions {
  /** Size of the table of weights. */
  buckets: number;
  epochs: number;
  rate: number;
  decay: number;
  drop: number;
  seed: number;
}

const fitDefaults = { epochs: 6, rate: 0.25, decay: 2e-6, drop: 0.3, seed: 1 };

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

export function logitOf({ bias, weights }: Weights, { at, value }: Pick<Example, 'at' | 'value'>): number {
  let sum = bias;
  for (let i = 0; i < at.length; i++) sum += (weights[at[i] as number] as number) * (value[i] as number);
  return sum;
}

interface State extends Weights {
  squares: Float32Array;
  /** Which features of the row at hand take part. */
  mask: Uint8Array;
}

/** Leaves features out at random; the log-odds of the rest. */
function masked(
  { weights, mask, bias }: State,
  { at, value }: Example,
  keep: number,
  random: Random,
): number {
  let sum = bias;
  for (let i = 0; i < at.length; i++) {
    const isKept = random.next() < keep;
    mask[i] = isKept ? 1 : 0;
    if (isKept) sum += ((weights[at[i] as number] as number) * (value[i] as number)) / keep;
  }
  return sum;
}

/** Moves the weights of the features that take part. */
function move(
  { weights, squares, mask }: State,
  { at, value }: Example,
  { slope, step, decay }: { slope: number; step: number; decay: number },
): void {
  for (let i = 0; i < at.length; i++) {
    if (mask[i] === 0) continue;
    const bucket = at[i] as number;
    const weight = weights[bucket] as number;
    const g = slope * (value[i] as number) + decay * weight;
    const square = (squares[bucket] as number) + g * g;
    squares[bucket] = square;
    weights[bucket] = weight - (step * g) / Math.sqrt(square);
  }
}

/** What a row of either label counts, so that both weigh the same in all. */
function balanceOf(examples: readonly Example[]): [number, number] {
  const totals: [number, number] = [0, 0];
  for (const { label, weight } of examples) totals[label] += weight;
  const mean = (totals[0] + totals[1]) / 2;
  return [mean / totals[0], mean / totals[1]];
}

/** Both labels weigh the same in all. Deterministic for a given seed. */
function fit(
  examples: readonly Example[],
  options: Partial<FitOptions> & Pick<FitOptions, 'buckets'>,
): Weights {
  const { buckets, epochs, rate, decay, drop, seed } = { ...fitDefaults, ...options };
  const random = new Random(seed);
  const balance = balanceOf(examples);
  const longest = examples.reduce((most, { at }) => Math.max(most, at.length), 0);
  const state: State = {
    bias: 0,
    weights: new Float32Array(buckets),
    squares: new Float32Array(buckets).fill(0.05),
    mask: new Uint8Array(longest),
  };
  const order = Int32Array.from(examples.keys());
  for (let epoch = 0; epoch < epochs; epoch++) {
    random.shuffle(order);
    const step = rate / (1 + epoch / 2);
    for (const place of order) {
      const example = examples[place] as Example;
      const sum = masked(state, example, 1 - drop, random);
      const slope = (sigmoid(sum) - example.label) * example.weight * balance[example.label];
      if (Math.abs(slope) < 1e-4) continue;
      state.bias -= step * 0.05 * slope;
      move(state, example, { slope, step, decay });
    }
  }
  return { bias: state.bias, weights: state.weights };
}

/** The mean of models that saw the rows in different orders. */
export function fitMean(
  examples: readonly Example[],
  seeds: readonly number[],
  options: Partial<FitOptions> & Pick<FitOptions, 'buckets'>,
): Weights {
  const models = seeds.map((seed) => fit(examples, { ...options, seed }));
  const weights = new Float32Array(options.buckets);
  for (const model of models)
    for (const [bucket, weight] of model.weights.entries())
      weights[bucket] = (weights[bucket] ?? 0) + weight / models.length;
  return { weights, bias: models.reduce((sum, { bias }) => sum + bias, 0) / models.length };
}

/** Weights as signed bytes, to be multiplied by `scale`. */
export function packed({ weights, bias }: Weights): { bias: number; scale: number; weights: Int8Array } {
  let largest = 1e-6;
  for (const weight of weights) largest = Math.max(largest, Math.abs(weight));
  const scale = largest / 127;
  return { bias, scale, weights: Int8Array.from(weights, (weight) => Math.round(weight / scale)) };
}
