import { type Pool, type SumRows, dot, layerOf, poolOf, sumRowsOf } from './dense.ts';
import { FeatureReader, type WordFeatures, strangeWordHash } from './features.ts';
import { type Calibration, type TextModel, heads, lengthKnots } from './model.ts';

/** Raw logits of both models for one run of tokens. The object is reused: copy what you keep. */
export interface ModelLogits {
  linear: Float64Array;
  net: Float64Array;
}

/** Tokens of one view, with what the models know each by. */
export interface ModelInput {
  words: readonly WordFeatures[];
  /** Rows of the vector table. */
  rows: Int32Array;
}

/** Runs both models over runs of tokens. Has its own buffers: use one instance per thread. */
export class Judge {
  readonly model: TextModel;
  readonly features: FeatureReader;
  /** Work space in double precision: converting each number costs more than adding it. */
  readonly #hidden: Float64Array;
  readonly #largest: Int32Array;
  readonly #words = new Int32Array(heads);
  readonly #pieces = new Int32Array(heads);
  readonly #out: ModelLogits = { linear: new Float64Array(heads), net: new Float64Array(heads) };
  readonly #sumWords: SumRows;
  readonly #sumPieces: SumRows;
  readonly #poolRows: Pool;
  readonly #pooled: Float64Array;
  readonly #innerLayer: () => void;
  readonly #outer: Float64Array;

  constructor(model: TextModel) {
    this.model = model;
    const { size, hidden } = model.header;
    this.#pooled = new Float64Array(size * 3);
    this.#hidden = new Float64Array(hidden);
    this.#largest = new Int32Array(size);
    this.#sumWords = sumRowsOf(model.linear, this.#words);
    this.#sumPieces = sumRowsOf(model.linear, this.#pieces);
    this.#poolRows = poolOf(model, Float64Array.from(model.shift), this.#pooled);
    this.#outer = Float64Array.from(model.outer);
    this.#innerLayer = layerOf(model.inner, model.innerBias, this.#pooled, this.#hidden);
    const { words, strangeRows } = model.header;
    this.features = new FeatureReader((word) => {
      const id = model.vocabulary.id(word);
      return id >= 0 ? id : words + (strangeWordHash(word) % strangeRows);
    });
  }

  input(words: readonly string[]): ModelInput {
    const known = this.features.know(words);
    const rows = new Int32Array(known.length);
    for (let t = 0; t < rows.length; t++) rows[t] = known[t]?.row ?? 0;
    return { words: known, rows };
  }

  /** Both models on tokens `from` to `to`. */
  logits(input: ModelInput, from: number, to: number): ModelLogits {
    this.#linear(input.words, from, to);
    this.#pool(input.rows, from, to);
    this.#upper();
    return this.#out;
  }

  /** As `logits`, with what the linear model said of these tokens before (see `linearOf`). */
  logitsBeside(linear: Float64Array, input: ModelInput, from: number, to: number): ModelLogits {
    this.#pool(input.rows, from, to);
    this.#upper();
    return { linear, net: this.#out.net };
  }

  /** The logits of the linear model, the cheaper one, for `detectors`; 0 for all others. */
  linearOf(
    input: ModelInput,
    [from, to]: readonly [from: number, to: number],
    detectors: readonly number[],
  ): Float64Array {
    const { linear, header } = this.model;
    const { features } = this;
    features.read(input.words, from, to);
    const { ids, length, wordCount } = features;
    const wordScale = 1 / Math.sqrt(Math.max(1, wordCount));
    const pieceScale = 1 / Math.sqrt(Math.max(1, length - wordCount));
    const out = new Float64Array(heads);
    for (const detector of detectors) {
      let words = 0;
      let pieces = 0;
      for (let at = 0; at < wordCount; at++) words += linear[(ids[at] ?? 0) * heads + detector] ?? 0;
      for (let at = wordCount; at < length; at++) pieces += linear[(ids[at] ?? 0) * heads + detector] ?? 0;
      const sum = words * wordScale + pieces * pieceScale;
      out[detector] = (header.linearBias[detector] ?? 0) + sum * (header.linearScales[detector] ?? 0);
    }
    return out;
  }

  #linear(words: readonly WordFeatures[], from: number, to: number): void {
    const { header } = this.model;
    const { features } = this;
    const out = this.#out.linear;
    features.read(words, from, to);
    const { ids, length, wordCount } = features;
    this.#sumWords(ids, 0, wordCount);
    this.#sumPieces(ids, wordCount, length);
    const wordScale = 1 / Math.sqrt(Math.max(1, wordCount));
    const pieceScale = 1 / Math.sqrt(Math.max(1, length - wordCount));
    for (let h = 0; h < heads; h++) {
      const sum = (this.#words[h] ?? 0) * wordScale + (this.#pieces[h] ?? 0) * pieceScale;
      out[h] = (header.linearBias[h] ?? 0) + sum * (header.linearScales[h] ?? 0);
    }
  }

  #pool(rows: Int32Array, from: number, to: number): void {
    const { size } = this.model.header;
    const pooled = this.#pooled;
    this.#poolRows(rows, from, to);
    const n = Math.max(1, to - from);
    const sumScale = 1 / (2 * Math.sqrt(n));
    for (let k = 0; k < size; k++) {
      pooled[k] = (pooled[k] ?? 0) * sumScale;
      pooled[size + k] = (pooled[size + k] ?? 0) / n;
    }
  }

  /** Which token has the largest value in each dimension. */
  #markLargest(rows: Int32Array, from: number, to: number): void {
    const { vectors, vectorScales, header } = this.model;
    const { size } = header;
    for (let k = 0; k < size; k++) {
      let most = -Infinity;
      for (let t = from; t < to; t++) {
        const row = rows[t] ?? 0;
        const value = (vectors[row * size + k] ?? 0) * (vectorScales[row] ?? 0);
        if (value <= most) continue;
        most = value;
        this.#largest[k] = t;
      }
    }
  }

  #upper(): void {
    const { outerBias, header } = this.model;
    const out = this.#out.net;
    this.#innerLayer();
    for (let h = 0; h < heads; h++)
      out[h] = (outerBias[h] ?? 0) + dot(this.#outer, h * header.hidden, this.#hidden);
  }

  /** The hidden layer of tokens `from` to `to`: what heads trained on a user's own examples stand on. */
  hiddenLayer(input: ModelInput, from: number, to: number): Float32Array {
    this.#pool(input.rows, from, to);
    this.#upper();
    return Float32Array.from(this.#hidden);
  }

  /**
   * How much each token of the run adds to one detector's calibrated logit: exact for the linear model, gradient
   * times input for the net.
   */
  contributions(input: ModelInput, detector: number, from: number, to: number): Float64Array {
    const { netShare, linear, net, slope } = calibrationOf(this.model, detector);
    const shares = new Float64Array(to - from);
    this.#addLinearShares(input.words, detector, from, shares);
    const linearScale = (slope * (1 - netShare)) / linear.deviation;
    for (let i = 0; i < shares.length; i++) shares[i] = (shares[i] ?? 0) * linearScale;
    this.logits(input, from, to);
    this.#markLargest(input.rows, from, to);
    this.#addNetShares(input.rows, detector, from, { shares, scale: (slope * netShare) / net.deviation });
    return shares;
  }

  #addLinearShares(
    words: readonly WordFeatures[],
    detector: number,
    from: number,
    shares: Float64Array,
  ): void {
    const { linear, header } = this.model;
    const to = from + shares.length;
    this.features.read(words, from, to);
    const wordScale = (header.linearScales[detector] ?? 0) / Math.sqrt(Math.max(1, this.features.wordCount));
    const pieces = Math.max(1, this.features.length - this.features.wordCount);
    const pieceScale = (header.linearScales[detector] ?? 0) / Math.sqrt(pieces);
    for (let i = 0; i < shares.length; i++) {
      this.features.read(words, from + i, from + i + 1);
      let sum = (linear[(this.features.ids[0] ?? 0) * heads + detector] ?? 0) * wordScale;
      for (let at = this.features.wordCount; at < this.features.length; at++)
        sum += (linear[(this.features.ids[at] ?? 0) * heads + detector] ?? 0) * pieceScale;
      shares[i] = sum;
    }
  }

  #addNetShares(
    rows: Int32Array,
    detector: number,
    from: number,
    { shares, scale }: { shares: Float64Array; scale: number },
  ): void {
    const gradient = this.#pooledGradient(detector);
    const { size } = this.model.header;
    const n = Math.max(1, shares.length);
    const sumScale = 1 / (2 * Math.sqrt(n));
    for (let k = 0; k < size; k++) {
      gradient[k] = (gradient[k] ?? 0) * sumScale;
      gradient[size + k] = (gradient[size + k] ?? 0) / n;
    }
    for (let i = 0; i < shares.length; i++)
      shares[i] = (shares[i] ?? 0) + scale * this.#netShare(rows[from + i] ?? 0, from + i, gradient);
  }

  /** What one token puts into the pooled values, times their gradient. */
  #netShare(row: number, token: number, gradient: Float32Array): number {
    const { vectors, vectorScales, shift, header } = this.model;
    const { size } = header;
    const scale = vectorScales[row] ?? 0;
    let sum = 0;
    for (let k = 0; k < size; k++) {
      const value = (vectors[row * size + k] ?? 0) * scale;
      const moved = value + (shift[k] ?? 0);
      sum += value * (gradient[k] ?? 0);
      if (moved > 0) sum += moved * (gradient[size + k] ?? 0);
      if (this.#largest[k] === token) sum += moved * (gradient[size * 2 + k] ?? 0);
    }
    return sum;
  }

  #pooledGradient(detector: number): Float32Array {
    const { inner, outer, header } = this.model;
    const width = header.size * 3;
    const gradient = new Float32Array(width);
    for (let j = 0; j < header.hidden; j++) {
      if ((this.#hidden[j] ?? 0) <= 0) continue;
      const share = outer[detector * header.hidden + j] ?? 0;
      for (let k = 0; k < width; k++) gradient[k] = (gradient[k] ?? 0) + share * (inner[j * width + k] ?? 0);
    }
    return gradient;
  }
}

export function calibrationOf(model: TextModel, detector: number): Calibration {
  const found = model.header.calibration[detector];
  if (found === undefined) throw new RangeError(`no detector number ${detector}`);
  return found;
}

/** Weighted sum of both models' standardised logits: the input of calibration. */
export function combine({ linear, net }: ModelLogits, detector: number, by: Calibration): number {
  const fromLinear = ((linear[detector] ?? 0) - by.linear.mean) / by.linear.deviation;
  const fromNet = ((net[detector] ?? 0) - by.net.mean) / by.net.deviation;
  return (1 - by.netShare) * fromLinear + by.netShare * fromNet;
}

/** Where a number of tokens lies between the knots: the knot below and the share of the one above. */
export const lengthPlace = (tokens: number): LengthPlace =>
  places[Math.min(tokens, mostKnot)] ?? { below: lengthKnots.length - 2, share: 1 };

interface LengthPlace {
  below: number;
  share: number;
}

const mostKnot = Math.max(...lengthKnots);
const places = Array.from({ length: mostKnot + 1 }, (_, tokens) =>
  findPlace(Math.max(lengthKnots[0], tokens)),
);

function findPlace(length: number): LengthPlace | undefined {
  for (let below = 0; below + 1 < lengthKnots.length; below++) {
    const low = lengthKnots[below] ?? 1;
    const high = lengthKnots[below + 1] ?? 1;
    if (length <= high) return { below, share: Math.log(length / low) / Math.log(high / low) };
  }
  return undefined;
}

/** The calibrated logit of one detector for a run of `tokens` tokens. */
export function calibrated(logits: ModelLogits, detector: number, by: Calibration, tokens: number): number {
  const { below, share } = lengthPlace(tokens);
  const offset = (by.offsets[below] ?? 0) * (1 - share) + (by.offsets[below + 1] ?? 0) * share;
  return by.slope * combine(logits, detector, by) + offset;
}
