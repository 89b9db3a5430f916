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

/** Rows whose part in the first layer is kept once it has been computed: four of five tokens of a text. */
const keptRows = 4096;

/** A layer's numbers, with room for one token before the first and one behind the last. */
const buffer = () => new Float64Array((mostNetTokens + 2) * netWidth);

/** Runs the net. One instance judges one text at a time. */
export class StanceNet {
  readonly #weights: StanceNetWeights;
  readonly #words: number;
  readonly #pieceRows: number;
  readonly #firstWeights: Float64Array;
  readonly #secondWeights: Float64Array;
  readonly #first = buffer();
  readonly #second = buffer();
  readonly #token = new Float64Array(netWidth);
  readonly #part = new Float64Array(netWindow);
  readonly #kept = new Float32Array(keptRows * netWindow);
  readonly #isKept = new Uint8Array(keptRows);
  readonly #pooled = new Float64Array(netPooled);

  constructor(weights: StanceNetWeights, { words, pieceRows }: { words: number; pieceRows: number }) {
    this.#weights = weights;
    this.#words = words;
    this.#pieceRows = pieceRows;
    this.#firstWeights = byInput(weights.layers, netLayout.first);
    this.#secondWeights = byInput(weights.layers, netLayout.second);
  }

  /**
   * Above 0: done, offered or asked for. `rows` are those of the words, below 0 for unknown ones, which are read by their
   * pieces; of a longer run the first 64 tokens are read.
   */
  logit(words: readonly string[], rows: Int32Array): number {
    const { layers } = this.#weights;
    const { first, second, output, outputBias } = netLayout;
    const most = Math.min(rows.length, mostNetTokens);
    fillBiases(layers, first, this.#first, most);
    const length = this.#readTokens(words, rows);
    fillBiases(layers, second, this.#second, length);
    for (let at = netWidth; at <= length * netWidth; at += netWidth) {
      for (let i = at; i < at + netWidth; i++) this.#first[i] = Math.max(0, this.#first[i] ?? 0);
      addPart(this.#secondWeights, this.#first, at, this.#second, at - netWidth);
    }
    this.#pool(length);
    let logit = layers[outputBias] ?? 0;
    for (let i = 0; i < netPooled; i++) logit += (layers[output + i] ?? 0) * (this.#pooled[i] ?? 0);
    return logit;
  }

  /** Mean and maximum of the second layer, its first token, and the maximum of the first layer. */
  #pool(length: number): void {
    const [pooled, firsts, seconds] = [this.#pooled, this.#first, this.#second];
    pooled.fill(0);
    for (let at = netWidth; at <= length * netWidth; at += netWidth)
      for (let o = 0; o < netWidth; o++) {
        const [first, second] = [firsts[at + o] ?? 0, Math.max(0, seconds[at + o] ?? 0)];
        pooled[o] = (pooled[o] ?? 0) + second / length;
        if (second > (pooled[netWidth + o] ?? 0)) pooled[netWidth + o] = second;
        if (at === netWidth) pooled[2 * netWidth + o] = second;
        if (first > (pooled[3 * netWidth + o] ?? 0)) pooled[3 * netWidth + o] = first;
      }
  }

  /**
   * Adds what each token has of the first layer. @returns how many tokens have something to read; unknown symbols have
   * nothing and are left out
   */
  #readTokens(words: readonly string[], rows: Int32Array): number {
    let length = 0;
    for (let i = 0; i < rows.length && length < mostNetTokens; i++) {
      const row = rows[i] ?? -1;
      const word = words[i] ?? '';
      if (row < 0 && !isWord(word)) continue;
      const from = length++ * netWidth;
      if (row >= 0 && row < keptRows) this.#addKept(row, from);
      else {
        this.#readToken(word, row);
        addPart(this.#firstWeights, this.#token, 0, this.#first, from);
      }
    }
    return length;
  }

  #addKept(row: number, to: number): void {
    const [kept, first] = [this.#kept, this.#first];
    const at = row * netWindow;
    if (this.#isKept[row] !== 1) {
      this.#readToken('', row);
      this.#part.fill(0);
      addPart(this.#firstWeights, this.#token, 0, this.#part, 0);
      kept.set(this.#part, at);
      this.#isKept[row] = 1;
    }
    for (let k = 0; k < netWindow; k++) first[to + k] = (first[to + k] ?? 0) + (kept[at + k] ?? 0);
  }

  #readToken(word: string, row: number): void {
    this.#token.fill(0);
    if (row >= 0) {
      this.#addRow(row, 1);
      return;
    }
    const pieces = piecesOf(word, this.#pieceRows);
    for (const piece of pieces) this.#addRow(this.#words + piece, 1 / pieces.length);
  }

  #addRow(row: number, share: number): void {
    const { projection, projectionScales, own, ownScales } = this.#weights;
    const token = this.#token;
    const scale = share * (projectionScales[Math.floor(row / rowsOfScale)] ?? 0);
    for (let k = 0; k < projectedSize; k++)
      token[k] = (token[k] ?? 0) + scale * (projection[row * projectedSize + k] ?? 0);
    if (row * ownSize >= own.length) return;
    const ownScale = ownScales[Math.floor(row / rowsOfScale)] ?? 0;
    for (let k = 0; k < ownSize; k++) token[projectedSize + k] = ownScale * (own[row * ownSize + k] ?? 0);
  }
}

/**
 * The weights of a layer by the number read: for each, what it adds to the token before its own, to its own and to the
 * next one, which stand next to each other in a buffer. Numbers that are 0, as many are, then cost nothing.
 */
function byInput(layers: Float32Array, weights: number): Float64Array {
  const turned = new Float64Array(netWidth * netWindow);
  for (let i = 0; i < netWidth; i++)
    for (let place = 0; place < 3; place++)
      for (let o = 0; o < netWidth; o++)
        turned[i * netWindow + place * netWidth + o] =
          layers[weights + o * netWindow + (2 - place) * netWidth + i] ?? 0;
  return turned;
}

/** The biases in every token of a text, and in what stands around it. */
function fillBiases(layers: Float32Array, weights: number, to: Float64Array, length: number): void {
  const biases = weights + netWidth * netWindow;
  for (let at = 0; at < (length + 2) * netWidth; at += netWidth)
    for (let o = 0; o < netWidth; o++) to[at + o] = layers[biases + o] ?? 0;
}

/** The numbers of a token that are not 0, with where their weights begin; behind them one that is. */
const places = new Int32Array(netWidth + 1);
const values = new Float64Array(netWidth + 1);

function gather(from: Float64Array, at: number): number {
  let count = 0;
  for (let i = 0; i < netWidth; i++) {
    const value = from[at + i] ?? 0;
    places[count] = i * netWindow;
    values[count] = value;
    if (value !== 0) count++;
  }
  values[count] = 0;
  return count;
}

/** Adds what the token at `at` says to the three tokens from `into` on, two of its numbers at once. */
function addPart(turned: Float64Array, from: Float64Array, at: number, to: Float64Array, into: number): void {
  const count = gather(from, at);
  for (let n = 0; n < count; n += 2) {
    const [a, b] = [values[n] ?? 0, values[n + 1] ?? 0];
    const [i, j] = [places[n] ?? 0, places[n + 1] ?? 0];
    for (let k = 0; k < netWindow; k++)
      to[into + k] = (to[into + k] ?? 0) + a * (turned[i + k] ?? 0) + b * (turned[j + k] ?? 0);
  }
}
