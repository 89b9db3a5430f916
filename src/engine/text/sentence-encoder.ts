import type { PolicyWeights } from './policy-weights.ts';
import { type SentenceUnits, sentenceUnits } from './sentence-units.ts';
import { stanceFeatures } from './stance-features.ts';
import { StanceNet, joinStances } from './stance-net.ts';

/** A run of tokens as custom policies see it. */
export interface EncodedRun {
  from: number;
  to: number;
  units: SentenceUnits;
  /** Sum of the rows. */
  sum: Float32Array;
  /** How the run is said: above 0, as something done, offered or asked for. */
  stance: number;
  /** How near it is to policies at all, when it was asked for. */
  background?: Background;
}

/** A text encoded for comparison: a sum of word vectors and its length. */
export interface EncodedPhrase {
  rows: ReadonlySet<number>;
  /** Of unit length. */
  direction: Float32Array;
}

/** Mean and deviation of the cosines of a text with the policies of the background. */
export interface Background {
  mean: number;
  deviation: number;
}

/** Runs the sentence encoder and the models of stance. */
export class SentenceEncoder {
  readonly weights: PolicyWeights;
  readonly #net: StanceNet;
  #moments: Moments | undefined;

  constructor(weights: PolicyWeights) {
    this.weights = weights;
    this.#net = new StanceNet(weights.net, weights.header);
  }

  units(words: readonly string[]): SentenceUnits {
    const { words: known, header } = this.weights;
    return sentenceUnits(words, (word) => known.rowOfForm(word), header);
  }

  /** The sum of the rows, those in `leaveOut` left out. */
  sumOf(
    { rows, shares }: SentenceUnits,
    leaveOut?: ReadonlySet<number>,
  ): { sum: Float32Array; left: number } {
    const { vectors, vectorScales, header } = this.weights;
    const { size } = header;
    const sum = new Float32Array(size);
    let left = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] ?? 0;
      if (leaveOut?.has(row) === true) continue;
      left++;
      const scale = (vectorScales[row] ?? 0) * (shares[i] ?? 0);
      const at = row * size;
      for (let k = 0; k < size; k++) sum[k] = (sum[k] ?? 0) + scale * (vectors[at + k] ?? 0);
    }
    return { sum, left };
  }

  phrase(words: readonly string[]): EncodedPhrase {
    const units = this.units(words);
    const { sum } = this.sumOf(units);
    return { rows: new Set(units.rows), direction: toUnit(sum) };
  }

  /** Tokens `from` to `to`, encoded once for any number of policies. */
  run(words: readonly string[], from: number, to: number): EncodedRun {
    const part = words.slice(from, to);
    const units = this.units(part);
    const { sum } = this.sumOf(units);
    return { from, to, units, sum, stance: this.#stance(part) };
  }

  /**
   * Mean and deviation of the cosines of a sum with the policies of the background: what is near to all of them is about
   * nothing in particular (in speaker recognition: test normalisation, Auckenthaler, Carey and Lloyd-Thomas 2000).
   */
  background(sum: Float32Array): Background {
    const { size } = this.weights.header;
    const { mean, products } = (this.#moments ??= momentsOf(this.weights.strangers, size));
    let [norm, total, squares] = [1e-9, 0, 0];
    for (let i = 0; i < size; i++) {
      const value = sum[i] ?? 0;
      norm += value * value;
      total += value * (mean[i] ?? 0);
      let row = 0;
      for (let k = 0; k < size; k++) row += (products[i * size + k] ?? 0) * (sum[k] ?? 0);
      squares += value * row;
    }
    const average = total / Math.sqrt(norm);
    return {
      mean: average,
      deviation: Math.sqrt(Math.max(leastVariance, squares / norm - average * average)),
    };
  }

  /** How much each word adds to the cosine of a phrase and the run with this sum; a repeated word adds once. */
  contributions(words: readonly string[], { direction }: EncodedPhrase, sum: Float32Array): Float64Array {
    let norm = 1e-9;
    for (const value of sum) norm += value * value;
    const met = new Set<string>();
    return Float64Array.from(words, (word) => {
      if (met.has(word)) return 0;
      met.add(word);
      const own = this.sumOf(this.units([word])).sum;
      let product = 0;
      for (let k = 0; k < own.length; k++) product += (own[k] ?? 0) * (direction[k] ?? 0);
      return product / Math.sqrt(norm);
    });
  }

  #stance(words: readonly string[]): number {
    const { words: known, header } = this.weights;
    const rows = Int32Array.from(words, (word) => known.row(word));
    const ngrams = this.#ngrams(words, rows);
    return joinStances(ngrams, this.#net.logit(words, rows), header.stances);
  }

  #ngrams(words: readonly string[], rows: Int32Array): number {
    const { stance, codes, header } = this.weights;
    const features = stanceFeatures(words, rows, codes);
    let sum = 0;
    for (const feature of features) sum += stance[feature] ?? 0;
    return header.stanceBias + (header.stanceScale * sum) / Math.sqrt(Math.max(1, features.length));
  }
}

/** Of the directions of the background: their mean, and the mean of their products with themselves. */
interface Moments {
  mean: Float64Array;
  /** size x size */
  products: Float64Array;
}

/** The mean of cosines and of their squares follow from these, however many policies there are. */
function momentsOf(directions: Int8Array, size: number): Moments {
  const mean = new Float64Array(size);
  const products = new Float64Array(size * size);
  const count = Math.max(1, directions.length / size);
  for (let at = 0; at < directions.length; at += size)
    for (let i = 0; i < size; i++) {
      const value = (directions[at + i] ?? 0) / 127 / count;
      mean[i] = (mean[i] ?? 0) + value;
      for (let k = 0; k < size; k++)
        products[i * size + k] = (products[i * size + k] ?? 0) + value * ((directions[at + k] ?? 0) / 127);
    }
  return { mean, products };
}

function toUnit(vector: Float32Array): Float32Array {
  let norm = 1e-9;
  for (const value of vector) norm += value * value;
  const scale = 1 / Math.sqrt(norm);
  for (let k = 0; k < vector.length; k++) vector[k] = (vector[k] ?? 0) * scale;
  return vector;
}

/** Cosine of a phrase and a sum of rows. */
export function cosineOf({ direction }: EncodedPhrase, sum: Float32Array): number {
  let product = 0;
  let norm = 1e-9;
  for (let k = 0; k < sum.length; k++) {
    const value = sum[k] ?? 0;
    product += (direction[k] ?? 0) * value;
    norm += value * value;
  }
  return product / Math.sqrt(norm);
}

/** Of the cosines of a text with the background: those of a text of one odd word may all be alike. */
const leastVariance = 1e-5;

const windowTokens = 48;
const windowStride = 24;

/** The whole text where it is short, else overlapping windows of 48 tokens. */
export function* runsOf(tokens: number): Generator<[from: number, to: number]> {
  if (tokens <= windowTokens + windowStride / 2) {
    yield [0, tokens];
    return;
  }
  for (let from = 0; from < tokens - windowStride; from += windowStride)
    yield [from, Math.min(tokens, from + windowTokens)];
}
