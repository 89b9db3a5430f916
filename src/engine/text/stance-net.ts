/**
 * A small convolutional net that reads how something is said, beside the n-grams of `stance-features.ts`: two layers that
 * see each token with both neighbours, then what they saw anywhere, on average and at the beginning. The logit takes time
 * linear in tokens.
 */
import { isWord, piecesOf } from './sentence-units.ts';

/** Numbers of a token: a projection of its fixed vector, and a vector of its own if it is one of the frequent words. */
export const projectedSize = 24;
export const ownSize = 8;
export const netWidth = projectedSize + ownSize;
/** Rows of the vocabulary, most frequent first, that have a vector of their own. */
export const ownWords = 3000;
/** A token with its neighbours. */
export const netWindow = 3 * netWidth;
export const mostNetTokens = 64;

/** Numbers that stand for a text. */
export const netPooled = 4 * netWidth;

const layer = (netWindow + 1) * netWidth;
/** Where each layer begins, its weights before its biases. */
export const netLayout = {
  first: 0,
  second: layer,
  output: 2 * layer,
  outputBias: 2 * layer + netPooled,
  length: 2 * layer + netPooled + 1,
} as const;

/** Neighbouring rows share a scale: words of like frequency have vectors of like length. */
export const rowsOfScale = 16;

export interface StanceNetWeights {
  /** (words + pieceRows) x `projectedSize` */
  projection: Int8Array;
  /** One for each `rowsOfScale` rows. */
  projectionScales: Float32Array;
  /** `ownWords` x `ownSize`; fewer rows where the vocabulary is smaller. */
  own: Int8Array;
  ownScales: Float32Array;
  /** By `netLayout`. */
  layers: Float32Array;
}

/** Mean and deviation of the logits of both readers of stance, on texts that neither was trained on. */
export interface StanceScales {
  ngrams: { mean: number; deviation: number };
  net: { mean: number; deviation: number };
  /** Deviation of the mean of the two, each in its own deviations. */
  together: number;
}

/**
 * Both logits as one: their mean, each in its own deviations, brought back to the mean and deviation of the n-grams' one,
 * so that what is built on that keeps its meaning.
 */
export function joinStances(ngrams: number, net: number, { ngrams: by, net: other, together }: StanceScales) {
  const mean = ((ngrams - by.mean) / by.deviation + (net - other.mean) / other.deviation) / 2;
  return by.mean + (by.deviation * mean) / together;
}

/** A layer's numbers, with an empty token before the first and behind the last. */
export const netBuffer = (): Float64Array => new Float64Array((mostNetTokens + 2) * netWidth);

/** Runs the net. One instance judges one text at a time. */
export class StanceNet {
  readonly #weights: StanceNetWeights;
  readonly #words: number;
  readonly #pieceRows: number;
  readonly #layers: Float64Array;
  readonly #tokens = netBuffer();
  readonly #first = netBuffer();
  readonly #second = netBuffer();
  readonly #pooled = new Float64Array(netPooled);

  constructor(weights: StanceNetWeights, { words, pieceRows }: { words: number; pieceRows: number }) {
    this.#weights = weights;
    this.#words = words;
    this.#pieceRows = pieceRows;
    this.#layers = Float64Array.from(weights.layers);
  }

  /**
   * Above 0: done, offered or asked for. `rows` are those of the words, below 0 for unknown ones, which are read by their
   * pieces; of a longer run the first 64 tokens are read.
   */
  logit(words: readonly string[], rows: Int32Array): number {
    const length = this.#readTokens(words, rows);
    const { first, second, output, outputBias } = netLayout;
    const layers = this.#layers;
    if (length === 0) return layers[outputBias] ?? 0;
    for (let t = 0; t < length; t++) convolve(layers, first, this.#tokens, this.#first, t);
    this.#first.fill(0, (length + 1) * netWidth, (length + 2) * netWidth);
    for (let t = 0; t < length; t++) convolve(layers, second, this.#first, this.#second, t);
    this.#pool(length);
    let logit = layers[outputBias] ?? 0;
    for (let i = 0; i < netPooled; i++) logit += (layers[output + i] ?? 0) * (this.#pooled[i] ?? 0);
    return logit;
  }

  /** Mean and maximum of the second layer, its first token, and the maximum of the first layer. */
  #pool(length: number): void {
    const pooled = this.#pooled;
    pooled.fill(0);
    for (let at = netWidth; at <= length * netWidth; at += netWidth)
      for (let o = 0; o < netWidth; o++) {
        const second = this.#second[at + o] ?? 0;
        pooled[o] = (pooled[o] ?? 0) + second / length;
        pooled[netWidth + o] = Math.max(pooled[netWidth + o] ?? 0, second);
        pooled[3 * netWidth + o] = Math.max(pooled[3 * netWidth + o] ?? 0, this.#first[at + o] ?? 0);
      }
    for (let o = 0; o < netWidth; o++) pooled[2 * netWidth + o] = this.#second[netWidth + o] ?? 0;
  }

  /** @returns how many tokens have something to read; unknown symbols have nothing and are left out */
  #readTokens(words: readonly string[], rows: Int32Array): number {
    const tokens = this.#tokens;
    let length = 0;
    for (let i = 0; i < rows.length && length < mostNetTokens; i++) {
      const row = rows[i] ?? -1;
      const word = words[i] ?? '';
      if (row < 0 && !isWord(word)) continue;
      const at = ++length * netWidth;
      tokens.fill(0, at, at + netWidth);
      if (row >= 0) this.#addRow(row, 1, at);
      else {
        const pieces = piecesOf(word, this.#pieceRows);
        for (const piece of pieces) this.#addRow(this.#words + piece, 1 / pieces.length, at);
      }
    }
    tokens.fill(0, (length + 1) * netWidth, (length + 2) * netWidth);
    return length;
  }

  #addRow(row: number, share: number, at: number): void {
    const { projection, projectionScales, own, ownScales } = this.#weights;
    const tokens = this.#tokens;
    const scale = share * (projectionScales[Math.floor(row / rowsOfScale)] ?? 0);
    for (let k = 0; k < projectedSize; k++)
      tokens[at + k] = (tokens[at + k] ?? 0) + scale * (projection[row * projectedSize + k] ?? 0);
    if (row * ownSize >= own.length) return;
    const ownScale = ownScales[Math.floor(row / rowsOfScale)] ?? 0;
    for (let k = 0; k < ownSize; k++)
      tokens[at + projectedSize + k] = ownScale * (own[row * ownSize + k] ?? 0);
  }
}

/**
 * One layer at token `t`, by the weights of `layers` from `weights` on, with the biases behind them; no number below 0.
 * Before token 0 stands an empty one, so the window begins at `t`. Four at once: what is read of the window is read once
 * for them.
 */
export function convolve(
  layers: Float64Array,
  weights: number,
  from: Float64Array,
  to: Float64Array,
  t: number,
): void {
  const begin = t * netWidth;
  const end = begin + netWindow;
  const bias = weights + netWidth * netWindow;
  for (let o = 0; o < netWidth; o += 4) {
    let w = weights + o * netWindow;
    let a = layers[bias + o] ?? 0;
    let b = layers[bias + o + 1] ?? 0;
    let c = layers[bias + o + 2] ?? 0;
    let d = layers[bias + o + 3] ?? 0;
    for (let i = begin; i < end; i++, w++) {
      const value = from[i] ?? 0;
      a += value * (layers[w] ?? 0);
      b += value * (layers[w + netWindow] ?? 0);
      c += value * (layers[w + 2 * netWindow] ?? 0);
      d += value * (layers[w + 3 * netWindow] ?? 0);
    }
    const at = begin + netWidth + o;
    to[at] = Math.max(0, a);
    to[at + 1] = Math.max(0, b);
    to[at + 2] = Math.max(0, c);
    to[at + 3] = Math.max(0, d);
  }
}
