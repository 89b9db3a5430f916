/**
 * One small map that all word vectors go through while the encoder is trained: y = (v + B h) e^(q h), with
 * h = tanh(A 2v + a). What is learned of the words of some policies thereby moves and weighs the words of others too.
 * Afterwards it is applied to every row of the table, so that it costs nothing where texts are judged.
 */
import { Random } from '../../src/base/random.ts';
import { Adam } from './adam.ts';

const hidden = 32;
/** Hidden numbers that are computed at once: the training spends most of its time in these loops. */
const together = 4;
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
  readonly #row: Float64Array;
  readonly #sums = new Float64Array(together);

  constructor(size: number, rate: number, seed: number) {
    this.#size = size;
    this.#row = new Float64Array(size);
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
    const sums = this.#sums;
    for (let r = 0; r < rows.length; r++) {
      const to = r * size;
      const row = this.#read(table, rows[r] ?? 0);
      for (let k = 0; k < size; k++) out[to + k] = row[k] ?? 0;
      let weight = numbers[gateBias] ?? 0;
      const own = this.#hidden.subarray(r * hidden, (r + 1) * hidden);
      for (let j = 0; j < hidden; j += together) {
        products(numbers, inner + j * size, row, 0, size, sums);
        for (let i = 0; i < together; i++) {
          const value = Math.tanh(inputScale * (sums[i] ?? 0) + (numbers[innerBias + j + i] ?? 0));
          own[j + i] = value;
          weight += (numbers[gate + j + i] ?? 0) * value;
        }
        gather(out, to, own, j, numbers, outer + j * size, size);
      }
      this.#weights[r] = Math.max(-mostWeight, Math.min(mostWeight, weight));
      scaleBy(out, to, Math.exp(this.#weights[r] ?? 0), size);
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
    const sums = this.#sums;
    own.fill(0);
    for (let r = 0; r < rows.length; r++) {
      const row = this.#read(table, rows[r] ?? 0);
      const at = r * size;
      const weight = this.#weights[r] ?? 0;
      const isBound = Math.abs(weight) >= mostWeight;
      const pull = isBound ? 0 : product(gradient, at, mapped, at, size);
      scaleBy(gradient, at, Math.exp(weight), size);
      own[gateBias] = (own[gateBias] ?? 0) + pull;
      const values = this.#hidden.subarray(r * hidden, (r + 1) * hidden);
      for (let j = 0; j < hidden; j += together) {
        products(numbers, outer + j * size, gradient, at, size, sums);
        spread(own, outer + j * size, values, j, gradient, at, size);
        for (let i = j; i < j + together; i++) {
          const value = values[i] ?? 0;
          own[gate + i] = (own[gate + i] ?? 0) + pull * value;
          const gated = pull * (numbers[gate + i] ?? 0);
          const back = (gated + (sums[i - j] ?? 0)) * (1 - value * value);
          own[innerBias + i] = (own[innerBias + i] ?? 0) + back;
          values[i] = back * inputScale;
        }
        spread(own, inner + j * size, values, j, row, 0, size);
      }
      for (let j = 0; j < hidden; j += together)
        gather(gradient, at, values, j, numbers, inner + j * size, size);
    }
    this.#adam.step(own, ++this.#steps, { rate: this.#rate * rateShare, decay: 0 });
  }

  /** A row of the table, until the next one is read. */
  #read(table: Float32Array, row: number): Float64Array {
    for (let k = 0; k < this.#size; k++) this.#row[k] = table[row * this.#size + k] ?? 0;
    return this.#row;
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

function product(a: Float64Array, from: number, b: Float64Array, at: number, size: number): number {
  let sum = 0;
  for (let k = 0; k < size; k++) sum += (a[from + k] ?? 0) * (b[at + k] ?? 0);
  return sum;
}

/** Products of four rows, one behind the other, with the one at `at`. */
function products(
  rows: Float64Array,
  from: number,
  one: Float64Array,
  at: number,
  size: number,
  into: Float64Array,
): void {
  let [a, b, c, d] = [0, 0, 0, 0];
  const [second, third, fourth] = [from + size, from + 2 * size, from + 3 * size];
  for (let k = 0; k < size; k++) {
    const value = one[at + k] ?? 0;
    a += (rows[from + k] ?? 0) * value;
    b += (rows[second + k] ?? 0) * value;
    c += (rows[third + k] ?? 0) * value;
    d += (rows[fourth + k] ?? 0) * value;
  }
  into[0] = a;
  into[1] = b;
  into[2] = c;
  into[3] = d;
}

/** Adds four rows to the one at `to`, each times its share. */
function gather(
  one: Float64Array,
  to: number,
  shares: Float64Array,
  share: number,
  rows: Float64Array,
  from: number,
  size: number,
): void {
  const [a, b] = [shares[share] ?? 0, shares[share + 1] ?? 0];
  const [c, d] = [shares[share + 2] ?? 0, shares[share + 3] ?? 0];
  const [second, third, fourth] = [from + size, from + 2 * size, from + 3 * size];
  for (let k = 0; k < size; k++)
    one[to + k] =
      (one[to + k] ?? 0) +
      a * (rows[from + k] ?? 0) +
      b * (rows[second + k] ?? 0) +
      c * (rows[third + k] ?? 0) +
      d * (rows[fourth + k] ?? 0);
}

/** Adds the row at `at` to four others, times the share of each. */
function spread(
  rows: Float64Array,
  to: number,
  shares: Float64Array,
  share: number,
  one: Float64Array,
  at: number,
  size: number,
): void {
  const [a, b] = [shares[share] ?? 0, shares[share + 1] ?? 0];
  const [c, d] = [shares[share + 2] ?? 0, shares[share + 3] ?? 0];
  const [second, third, fourth] = [to + size, to + 2 * size, to + 3 * size];
  for (let k = 0; k < size; k++) {
    const value = one[at + k] ?? 0;
    rows[to + k] = (rows[to + k] ?? 0) + a * value;
    rows[second + k] = (rows[second + k] ?? 0) + b * value;
    rows[third + k] = (rows[third + k] ?? 0) + c * value;
    rows[fourth + k] = (rows[fourth + k] ?? 0) + d * value;
  }
}

function scaleBy(values: Float64Array, at: number, scale: number, size: number): void {
  for (let k = 0; k < size; k++) values[at + k] = (values[at + k] ?? 0) * scale;
}
