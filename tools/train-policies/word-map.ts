/**
 * One small map that all word vectors go through while the encoder is trained: y = (v + B h) e^(q h), with
 * h = tanh(A 2v + a). What is learned of the words of some policies thereby moves and weighs the words of others too.
 * Afterwards it is applied to every row of the table, so that it costs nothing where texts are judged.
 */
import { Random } from '../../src/base/random.ts';
import { Adam } from './adam.ts';

const hidden = 32;
const inputScale = 2;
/** Bounds of the logarithm of a word's weight. */
const mostWeight = 4;

/** Numbers of the map: A (hidden x size), a, B (hidden x size, a row for each hidden number), q and its bias. */
interface Places {
  inner: number;
  innerBias: number;
  outer: number;
  gate: number;
  gateBias: number;
  count: number;
}

export class WordMap {
  readonly #size: number;
  readonly #places: Places;
  readonly numbers: Float64Array;
  readonly #gradient: Float64Array;
  readonly #adam: Adam;
  readonly #rate: number;
  #steps = 0;
  /** Hidden numbers of each word of the batch, and the logarithm of its weight. */
  #hidden = new Float64Array(0);
  #weights = new Float64Array(0);

  constructor(size: number, rate: number, seed: number) {
    this.#size = size;
    const inner = hidden * size;
    this.#places = {
      inner: 0,
      innerBias: inner,
      outer: inner + hidden,
      gate: 2 * inner + hidden,
      gateBias: 2 * inner + 2 * hidden,
      count: 2 * inner + 2 * hidden + 1,
    };
    this.numbers = new Float64Array(this.#places.count);
    this.#gradient = new Float64Array(this.#places.count);
    this.#adam = new Adam(this.numbers);
    this.#rate = rate;
    const random = new Random(seed);
    const bound = 1 / Math.sqrt(size);
    // B and q begin at 0: at first the map leaves every vector as it is.
    for (let i = 0; i < this.#places.outer; i++) this.numbers[i] = (2 * random.next() - 1) * bound;
  }

  /** Maps the rows of `table` that are numbered in `rows` into `out`, one behind the other; kept for `backward`. */
  forward(table: Float32Array, rows: ArrayLike<number>, out: Float64Array): void {
    const { inner, innerBias, outer, gate, gateBias } = this.#places;
    const [size, numbers] = [this.#size, this.numbers];
    if (this.#weights.length < rows.length) {
      this.#hidden = new Float64Array(rows.length * hidden);
      this.#weights = new Float64Array(rows.length);
    }
    for (let r = 0; r < rows.length; r++) {
      const [from, to] = [(rows[r] ?? 0) * size, r * size];
      for (let k = 0; k < size; k++) out[to + k] = table[from + k] ?? 0;
      let weight = numbers[gateBias] ?? 0;
      for (let j = 0; j < hidden; j++) {
        let sum = 0;
        const at = inner + j * size;
        for (let k = 0; k < size; k++) sum += (numbers[at + k] ?? 0) * (table[from + k] ?? 0);
        const value = Math.tanh(inputScale * sum + (numbers[innerBias + j] ?? 0));
        this.#hidden[r * hidden + j] = value;
        weight += (numbers[gate + j] ?? 0) * value;
        const row = outer + j * size;
        for (let k = 0; k < size; k++) out[to + k] = (out[to + k] ?? 0) + value * (numbers[row + k] ?? 0);
      }
      weight = Math.max(-mostWeight, Math.min(mostWeight, weight));
      this.#weights[r] = weight;
      const scale = Math.exp(weight);
      for (let k = 0; k < size; k++) out[to + k] = (out[to + k] ?? 0) * scale;
    }
  }

  /**
   * From the gradient of the mapped rows to that of the rows themselves, in place, and one step of the map.
   * @param mapped what `forward` gave for the same rows
   */
  backward(
    table: Float32Array,
    rows: ArrayLike<number>,
    { mapped, gradient, rateShare }: { mapped: Float64Array; gradient: Float64Array; rateShare: number },
  ): void {
    const { inner, innerBias, outer, gate, gateBias } = this.#places;
    const [size, numbers, own] = [this.#size, this.numbers, this.#gradient];
    own.fill(0);
    for (let r = 0; r < rows.length; r++) {
      const [from, at] = [(rows[r] ?? 0) * size, r * size];
      const weight = this.#weights[r] ?? 0;
      const scale = Math.exp(weight);
      let pull = 0;
      for (let k = 0; k < size; k++) pull += (gradient[at + k] ?? 0) * (mapped[at + k] ?? 0);
      if (Math.abs(weight) >= mostWeight) pull = 0;
      for (let k = 0; k < size; k++) gradient[at + k] = (gradient[at + k] ?? 0) * scale;
      own[gateBias] = (own[gateBias] ?? 0) + pull;
      for (let j = 0; j < hidden; j++) {
        const value = this.#hidden[r * hidden + j] ?? 0;
        own[gate + j] = (own[gate + j] ?? 0) + pull * value;
        let back = pull * (numbers[gate + j] ?? 0);
        const row = outer + j * size;
        for (let k = 0; k < size; k++) {
          const g = gradient[at + k] ?? 0;
          back += g * (numbers[row + k] ?? 0);
          own[row + k] = (own[row + k] ?? 0) + value * g;
        }
        back *= 1 - value * value;
        own[innerBias + j] = (own[innerBias + j] ?? 0) + back;
        const column = inner + j * size;
        for (let k = 0; k < size; k++)
          own[column + k] = (own[column + k] ?? 0) + back * inputScale * (table[from + k] ?? 0);
        this.#hidden[r * hidden + j] = back;
      }
      for (let j = 0; j < hidden; j++) {
        const back = (this.#hidden[r * hidden + j] ?? 0) * inputScale;
        const column = inner + j * size;
        for (let k = 0; k < size; k++)
          gradient[at + k] = (gradient[at + k] ?? 0) + back * (numbers[column + k] ?? 0);
      }
    }
    this.#adam.step(own, ++this.#steps, { rate: this.#rate * rateShare, decay: 0 });
  }

  /** The whole table, mapped. */
  apply(table: Float32Array): Float32Array {
    const size = this.#size;
    const out = new Float32Array(table.length);
    const one = new Float64Array(size);
    for (let row = 0; row * size < table.length; row++) {
      this.forward(table, [row], one);
      out.set(one, row * size);
    }
    return out;
  }
}
