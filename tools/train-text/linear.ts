import { buckets } from '../../src/engine/text/features.ts';
import { type Example, type FeatureTable, sourceWeights } from './examples.ts';
import { Random } from '../../src/base/random.ts';
import { detectorIds } from './rows.ts';

const heads = detectorIds.length;

export interface LinearModel {
  /** buckets x heads, both blocks. */
  weights: Float32Array;
  bias: Float32Array;
}

export interface LinearOptions {
  epochs: number;
  rate: number;
  seed: number;
  /** Rows of one source that count fully; a source with more has their total weight. */
  fullRows: number;
}

export const linearDefaults: LinearOptions = { epochs: 4, rate: 0.3, seed: 1, fullRows: 1000 };

/** The bias has a lower learning rate, because every row changes it. */
const biasShare = 0.3;

/** Each block has unit length: a feature has the weight of one over the square root of their number. */
const blockScale = (count: number) => (count === 0 ? 0 : 1 / Math.sqrt(count));

export function linearLogits(model: LinearModel, table: FeatureTable, row: number, out: Float64Array): void {
  const begin = table.from[row] ?? 0;
  const end = table.from[row + 1] ?? 0;
  const words = table.wordCounts[row] ?? 0;
  for (let h = 0; h < heads; h++) out[h] = model.bias[h] ?? 0;
  addBlock(model.weights, table.ids, { begin, end: begin + words, scale: blockScale(words) }, out);
  addBlock(
    model.weights,
    table.ids,
    { begin: begin + words, end, scale: blockScale(end - begin - words) },
    out,
  );
}

interface Block {
  begin: number;
  end: number;
  scale: number;
}

function addBlock(
  weights: Float32Array,
  ids: Int32Array,
  { begin, end, scale }: Block,
  out: Float64Array,
): void {
  for (let at = begin; at < end; at++) {
    const base = (ids[at] ?? 0) * heads;
    for (let h = 0; h < heads; h++) out[h] = (out[h] ?? 0) + (weights[base + h] ?? 0) * scale;
  }
}

/**
 * Logistic regression for all nine detectors at once with AdaGrad; unknown labels are ignored. `start` is changed in
 * place.
 */
export function trainLinear(
  examples: readonly Example[],
  table: FeatureTable,
  options: LinearOptions,
  start?: LinearModel,
): LinearModel {
  const trainer = new LinearTrainer(options.rate, start);
  const weightOf = sourceWeights(examples, options.fullRows);
  const order = Int32Array.from(examples, (_, i) => i);
  const random = new Random(options.seed);
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    random.shuffle(order);
    for (const row of order) {
      const example = examples[row];
      if (example !== undefined) trainer.learn(table, row, example.labels, weightOf.get(example.source) ?? 1);
    }
  }
  return trainer.model;
}

class LinearTrainer {
  readonly model: LinearModel;
  readonly #rate: number;
  readonly #squares = new Float32Array(buckets * 2 * heads).fill(0.01);
  readonly #biasSquares = new Float32Array(heads).fill(0.01);
  readonly #logits = new Float64Array(heads);
  readonly #gradient = new Float64Array(heads);

  constructor(rate: number, start?: LinearModel) {
    this.model = start ?? {
      weights: new Float32Array(buckets * 2 * heads),
      bias: new Float32Array(heads),
    };
    this.#rate = rate;
  }

  learn(table: FeatureTable, row: number, labels: Int8Array, weight: number): void {
    linearLogits(this.model, table, row, this.#logits);
    for (let h = 0; h < heads; h++) this.#learnBias(h, labels[h] ?? -1, weight);
    const begin = table.from[row] ?? 0;
    const end = table.from[row + 1] ?? 0;
    const words = table.wordCounts[row] ?? 0;
    this.#learnBlock(table.ids, { begin, end: begin + words, scale: blockScale(words) });
    this.#learnBlock(table.ids, { begin: begin + words, end, scale: blockScale(end - begin - words) });
  }

  #learnBias(h: number, label: number, weight: number): void {
    const probability = 1 / (1 + Math.exp(-(this.#logits[h] ?? 0)));
    const g = label < 0 ? 0 : weight * (probability - label);
    this.#gradient[h] = g;
    if (g === 0) return;
    const square = (this.#biasSquares[h] ?? 0) + g * g;
    this.#biasSquares[h] = square;
    this.model.bias[h] = (this.model.bias[h] ?? 0) - (this.#rate * biasShare * g) / Math.sqrt(square);
  }

  #learnBlock(ids: Int32Array, { begin, end, scale }: Block): void {
    const { weights } = this.model;
    const squares = this.#squares;
    for (let at = begin; at < end; at++) {
      const base = (ids[at] ?? 0) * heads;
      for (let h = 0; h < heads; h++) {
        const g = (this.#gradient[h] ?? 0) * scale;
        if (g === 0) continue;
        const square = (squares[base + h] ?? 0) + g * g;
        squares[base + h] = square;
        weights[base + h] = (weights[base + h] ?? 0) - (this.#rate * g) / Math.sqrt(square);
      }
    }
  }
}
