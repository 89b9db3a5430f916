/** Trains the pooled net with Adam; word vectors use its lazy form (only rows that occur are updated). */
import { Adam, LazyAdam } from './adam.ts';
import type { Example } from './examples.ts';
import { type NetModel, NetPass, startNet, strangeRows, toVectorRows } from './net-model.ts';
import { Random } from '../../src/base/random.ts';
import { detectorIds } from './rows.ts';
import type { WordVectors } from './vectors.ts';

const heads = detectorIds.length;

export interface NetOptions {
  epochs: number;
  /** Maximum number of rows of one source per epoch. */
  rowsPerSource: number;
  rate: number;
  vectorRate: number;
  dropout: number;
  vectorDropout: number;
  strangeShare: number;
  tokens: number;
  batch: number;
  seed: number;
  hidden: number;
  log: (line: string) => void;
}

export const netDefaults: NetOptions = {
  epochs: 5,
  rowsPerSource: 3000,
  rate: 2e-3,
  vectorRate: 1e-3,
  dropout: 0.3,
  vectorDropout: 0.15,
  strangeShare: 0.12,
  tokens: 128,
  batch: 64,
  seed: 1,
  hidden: 128,
  log: () => undefined,
};

/** Rows of one epoch: at most `rowsPerSource` of each source, sampled anew each time; larger sources are subsampled. */
function drawEpoch(examples: readonly Example[], most: number, random: Random): Int32Array {
  const bySource = new Map<string, number[]>();
  examples.forEach(({ source }, i) => {
    const list = bySource.get(source) ?? [];
    list.push(i);
    bySource.set(source, list);
  });
  const drawn: number[] = [];
  for (const list of bySource.values()) {
    random.shuffle(list);
    for (const row of list.slice(0, most)) drawn.push(row);
  }
  const order = Int32Array.from(drawn);
  random.shuffle(order);
  return order;
}

/** Tables of 0 and 1/(1-rate), read at random offsets: much cheaper than a random number for each element. */
const dropoutTable = (rate: number, random: Random) =>
  Float32Array.from({ length: 65_536 }, () => (random.next() < rate ? 0 : 1 / (1 - rate)));

class NetTrainer {
  readonly pass: NetPass;
  readonly #options: NetOptions;
  readonly #random: Random;
  readonly #inner: Adam;
  readonly #innerBias: Adam;
  readonly #outer: Adam;
  readonly #outerBias: Adam;
  readonly #shift: Adam;
  readonly #vectors: LazyAdam;
  readonly #vectorDrop: Float32Array;
  readonly #layerDrop: Float32Array;
  readonly #pooledGradient: Float32Array;
  readonly #words: number;
  readonly #offsets = new Int32Array(1024);

  constructor(model: NetModel, options: NetOptions) {
    this.pass = new NetPass(model);
    this.#options = options;
    this.#random = new Random(options.seed * 104_729);
    const decay = 0.01;
    this.#inner = new Adam(model.inner, decay);
    this.#innerBias = new Adam(model.innerBias, 0);
    this.#outer = new Adam(model.outer, decay);
    this.#outerBias = new Adam(model.outerBias, 0);
    this.#shift = new Adam(model.shift, 0);
    this.#vectors = new LazyAdam(model.vectors, model.size);
    this.#vectorDrop = dropoutTable(options.vectorDropout, this.#random);
    this.#layerDrop = dropoutTable(options.dropout, this.#random);
    this.#pooledGradient = new Float32Array(model.size * 3);
    this.#words = model.vectors.length / model.size - strangeRows;
  }

  /** A section of the row with some words replaced by unknown ones. */
  #noisy(rows: Int32Array): Int32Array {
    const { tokens, strangeShare } = this.#options;
    const random = this.#random;
    let crop = rows;
    if (rows.length > tokens) {
      const begin = random.next() < 0.4 ? random.below(rows.length - tokens) : 0;
      crop = rows.subarray(begin, begin + tokens);
    }
    return crop.map((row) => (random.next() < strangeShare ? this.#words + random.below(strangeRows) : row));
  }

  /** Loss gradients of one example, added to those of the batch. */
  gather(rows: Int32Array, example: Example, weight: number): void {
    const noisy = this.#noisy(rows);
    const { pass } = this;
    const { size, hidden } = pass.model;
    const random = this.#random;
    for (let t = 0; t < noisy.length; t++) this.#offsets[t] = random.below(65_536 - size);
    pass.pool(noisy, { offsets: this.#offsets, table: this.#vectorDrop });
    const pooledAt = random.below(65_536 - size * 3);
    this.#drop(pass.pooled, pooledAt);
    const hiddenAt = random.below(65_536 - hidden);
    const kept = this.#layerDrop.subarray(hiddenAt, hiddenAt + hidden);
    pass.upper(kept);
    this.#backUpper(this.#backOuter(example, weight), kept);
    this.#drop(this.#pooledGradient, pooledAt);
    this.#scalePooledGradient(noisy.length);
    for (let t = 0; t < noisy.length; t++) this.#backToken(t, noisy);
  }

  #drop(values: Float32Array, offset: number): void {
    for (let k = 0; k < values.length; k++) values[k] = (values[k] ?? 0) * (this.#layerDrop[offset + k] ?? 1);
  }

  /**
   * From pooled values to tokens: the sum has a factor of one over twice the square root of their number, the mean
   * one over their number.
   */
  #scalePooledGradient(tokens: number): void {
    const gradient = this.#pooledGradient;
    const size = gradient.length / 3;
    for (let k = 0; k < size; k++) {
      gradient[k] = (gradient[k] ?? 0) / (2 * Math.sqrt(tokens));
      gradient[size + k] = (gradient[size + k] ?? 0) / tokens;
    }
  }

  /** Gradient of the hidden layer, from the known labels. */
  #backOuter(example: Example, weight: number): Float32Array {
    const { pass } = this;
    const { hidden, outer } = pass.model;
    const into = new Float32Array(hidden);
    for (let h = 0; h < heads; h++) {
      const label = example.labels[h] ?? -1;
      if (label < 0) continue;
      const g = (weight * (1 / (1 + Math.exp(-(pass.logits[h] ?? 0))) - label)) / 3;
      this.#outerBias.add(h, g);
      for (let j = 0; j < hidden; j++) {
        this.#outer.add(h * hidden + j, g * (pass.hiddenValues[j] ?? 0));
        into[j] = (into[j] ?? 0) + g * (outer[h * hidden + j] ?? 0);
      }
    }
    return into;
  }

  #backUpper(hiddenGradient: Float32Array, kept: Float32Array): void {
    const { pass } = this;
    const { size, hidden, inner } = pass.model;
    const width = size * 3;
    const into = this.#pooledGradient;
    into.fill(0);
    const innerGradient = this.#inner.gradient;
    for (let j = 0; j < hidden; j++) {
      if ((pass.hiddenValues[j] ?? 0) <= 0) continue;
      const g = (hiddenGradient[j] ?? 0) * (kept[j] ?? 1);
      if (g === 0) continue;
      this.#innerBias.add(j, g);
      const base = j * width;
      for (let k = 0; k < width; k++) {
        innerGradient[base + k] = (innerGradient[base + k] ?? 0) + g * (pass.pooled[k] ?? 0);
        into[k] = (into[k] ?? 0) + g * (inner[base + k] ?? 0);
      }
    }
  }

  // eslint-disable-next-line complexity -- one innermost loop; the reads of typed arrays count as branches
  #backToken(t: number, rows: Int32Array): void {
    const { model, largest } = this.pass;
    const { size, vectors, shift } = model;
    const gradient = this.#pooledGradient;
    const row = rows[t] ?? 0;
    const base = row * size;
    const slot = this.#vectors.slot(row);
    const into = this.#vectors.gradient;
    const offset = this.#offsets[t] ?? 0;
    for (let k = 0; k < size; k++) {
      const kept = this.#vectorDrop[offset + k] ?? 1;
      const moved = (vectors[base + k] ?? 0) * kept + (shift[k] ?? 0);
      const fromMean = moved > 0 ? gradient[size + k] : 0;
      const fromLargest = largest[k] === t ? gradient[size * 2 + k] : 0;
      const g = (fromMean ?? 0) + (fromLargest ?? 0);
      this.#shift.add(k, g);
      into[slot + k] = (into[slot + k] ?? 0) + (g + (gradient[k] ?? 0)) * kept;
    }
  }

  /** Updates all parameters by the accumulated gradients; `share` scales the learning rates. */
  step(size: number, share: number): void {
    const { rate, vectorRate } = this.#options;
    for (const part of [this.#inner, this.#innerBias, this.#outer, this.#outerBias, this.#shift])
      part.step(rate * share, size);
    this.#vectors.step(vectorRate * share, size);
  }
}

/** Trains a net, starting from word vectors; unknown labels are ignored. */
export function trainNet(examples: readonly Example[], start: WordVectors, options: NetOptions): NetModel {
  const model = startNet(start, options);
  trainFurther(model, start.words, examples, options);
  return model;
}

/** Continues the training of a net, in place. */
export function trainFurther(
  model: NetModel,
  words: readonly string[],
  examples: readonly Example[],
  options: NetOptions,
): void {
  const rows = toVectorRows(examples, words, 512);
  const trainer = new NetTrainer(model, options);
  const random = new Random(options.seed * 31_337);
  const epochs = Array.from({ length: options.epochs }, () =>
    drawEpoch(examples, options.rowsPerSource, random),
  );
  const steps = epochs.reduce((sum, epoch) => sum + Math.ceil(epoch.length / options.batch), 0);
  let step = 0;
  epochs.forEach((order, epoch) => {
    for (let begin = 0; begin < order.length; begin += options.batch) {
      const batch = order.subarray(begin, begin + options.batch);
      for (const row of batch) learnRow(trainer, examples[row], rows[row]);
      step++;
      const share = Math.min(1, step / 100) * Math.max(0.03, 1 - step / steps);
      trainer.step(batch.length, share);
    }
    options.log(`net: epoch ${epoch + 1} of ${order.length} rows`);
  });
}

function learnRow(trainer: NetTrainer, example: Example | undefined, rows: Int32Array | undefined): void {
  if (example === undefined || rows === undefined || rows.length === 0) return;
  trainer.gather(rows, example, 1);
}
