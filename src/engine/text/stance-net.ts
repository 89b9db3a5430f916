/**
 * A small convolutional net that reads how something is said, beside the n-grams of `stance-features.ts`: two layers that
 * see each token with two neighbours on both sides, then what they saw anywhere, on average and at the beginning. The logit
 * takes time linear in tokens.
 */
import { Convolution, type Room } from './convolution.ts';
import { isWord, piecesOf } from './sentence-units.ts';

/** Numbers of a token: a projection of its fixed vector, and a vector of its own if it is one of the frequent words. */
export const projectedSize = 36;
export const ownSize = 12;
export const netWidth = projectedSize + ownSize;
/** Rows of the vocabulary, most frequent first, that have a vector of their own. */
export const ownWords = 20_000;
/** Neighbours on each side that a layer sees. */
export const netReach = 2;
const windowTokens = 2 * netReach + 1;
/** Numbers of a token with its neighbours. */
export const netWindow = windowTokens * netWidth;
export const mostNetTokens = 64;

/** Numbers that stand for a text. */
export const netPooled = 4 * netWidth;

const layer = (netWindow + 1) * netWidth;
/** Where each layer begins: for each number of the window `netWidth` weights, then the biases. */
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

/** A layer's numbers, with room for tokens that are not there before the first and behind the last. */
const tokenNumbers = (mostNetTokens + 2 * netReach) * netWidth;
/** Where the first token of such a layer begins. */
const firstToken = netReach * netWidth;

/** Runs the net. One instance judges one text at a time. */
export class StanceNet {
  readonly #weights: StanceNetWeights;
  readonly #words: number;
  readonly #pieceRows: number;
  readonly #convolution: Convolution;
  readonly #firstLayer: LayerRooms;
  readonly #secondLayer: LayerRooms;
  readonly #tokens: Room;
  readonly #first: Room;
  readonly #second: Room;
  readonly #pooled = new Float64Array(netPooled);

  constructor(weights: StanceNetWeights, { words, pieceRows }: { words: number; pieceRows: number }) {
    this.#weights = weights;
    this.#words = words;
    this.#pieceRows = pieceRows;
    const shape = { width: netWidth, window: windowTokens, precision: 'f32' } as const;
    this.#convolution = new Convolution(shape, 2 * layer + 3 * tokenNumbers);
    this.#firstLayer = layerRooms(this.#convolution, weights.layers, netLayout.first);
    this.#secondLayer = layerRooms(this.#convolution, weights.layers, netLayout.second);
    this.#tokens = this.#convolution.room(tokenNumbers);
    this.#first = this.#convolution.room(tokenNumbers);
    this.#second = this.#convolution.room(tokenNumbers);
  }

  /**
   * Above 0: done, offered or asked for. `rows` are those of the words, below 0 for unknown ones, which are read by their
   * pieces; of a longer run the first 64 tokens are read.
   */
  logit(words: readonly string[], rows: Int32Array): number {
    const { layers } = this.#weights;
    const { output, outputBias } = netLayout;
    const length = this.#readTokens(words, rows);
    this.#layer(this.#firstLayer, this.#tokens, this.#first, length);
    this.#layer(this.#secondLayer, this.#first, this.#second, length);
    this.#pool(length);
    let logit = layers[outputBias] ?? 0;
    for (let i = 0; i < netPooled; i++) logit += (layers[output + i] ?? 0) * (this.#pooled[i] ?? 0);
    return logit;
  }

  #layer(by: LayerRooms, from: Room, to: Room, length: number): void {
    clearBehind(from, length);
    const written = { at: to.at + firstToken * Float32Array.BYTES_PER_ELEMENT };
    this.#convolution.convolve(by, from, written, length, 0);
  }

  /** Mean and maximum of the second layer, its first token, and the maximum of the first layer. */
  #pool(length: number): void {
    const pooled = this.#pooled.fill(0);
    if (length === 0) return;
    const seconds = this.#second.numbers;
    const end = firstToken + length * netWidth;
    for (let at = firstToken; at < end; at += netWidth)
      for (let o = 0; o < netWidth; o++) pooled[o] = (pooled[o] ?? 0) + (seconds[at + o] ?? 0) / length;
    largestOf(seconds, end, pooled.subarray(netWidth));
    pooled.set(seconds.subarray(firstToken, firstToken + netWidth), 2 * netWidth);
    largestOf(this.#first.numbers, end, pooled.subarray(3 * netWidth));
  }

  /** Writes the numbers of each token. @returns how many tokens have something to read; unknown symbols have nothing and are left out */
  #readTokens(words: readonly string[], rows: Int32Array): number {
    let length = 0;
    for (let i = 0; i < rows.length && length < mostNetTokens; i++) {
      const row = rows[i] ?? -1;
      const word = words[i] ?? '';
      if (row < 0 && !isWord(word)) continue;
      this.#readToken(word, row, firstToken + length++ * netWidth);
    }
    return length;
  }

  #readToken(word: string, row: number, to: number): void {
    const { numbers } = this.#tokens;
    numbers.fill(0, to, to + netWidth);
    if (row >= 0) {
      this.#addRow(row, 1, to);
      return;
    }
    const pieces = piecesOf(word, this.#pieceRows);
    for (const piece of pieces) this.#addRow(this.#words + piece, 1 / pieces.length, to);
  }

  #addRow(row: number, share: number, to: number): void {
    const { projection, projectionScales, own, ownScales } = this.#weights;
    const { numbers } = this.#tokens;
    const scale = share * (projectionScales[Math.floor(row / rowsOfScale)] ?? 0);
    for (let k = 0; k < projectedSize; k++)
      numbers[to + k] = (numbers[to + k] ?? 0) + scale * (projection[row * projectedSize + k] ?? 0);
    if (row * ownSize >= own.length) return;
    const ownScale = ownScales[Math.floor(row / rowsOfScale)] ?? 0;
    for (let k = 0; k < ownSize; k++)
      numbers[to + projectedSize + k] = ownScale * (own[row * ownSize + k] ?? 0);
  }
}

interface LayerRooms {
  weights: Room;
  biases: Room;
}

function layerRooms(convolution: Convolution, layers: Float32Array, from: number): LayerRooms {
  const [weights, biases] = [convolution.room(netWindow * netWidth), convolution.room(netWidth)];
  const middle = from + netWindow * netWidth;
  weights.numbers.set(layers.subarray(from, middle));
  biases.numbers.set(layers.subarray(middle, middle + netWidth));
  return { weights, biases };
}

/** The maximum over tokens of each number of a layer, none of which is below 0. */
function largestOf(numbers: Room['numbers'], end: number, into: Float64Array): void {
  for (let at = firstToken; at < end; at += netWidth)
    for (let o = 0; o < netWidth; o++) {
      const value = numbers[at + o] ?? 0;
      if (value > (into[o] ?? 0)) into[o] = value;
    }
}

/** Behind the last token nothing is left of a longer text. */
function clearBehind({ numbers }: Room, length: number): void {
  const end = firstToken + length * netWidth;
  numbers.fill(0, end, end + netReach * netWidth);
}
