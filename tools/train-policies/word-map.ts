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
      out.set(row, to);
      let weight = numbers[gateBias] ?? 0;
      const own = this.#hidden.subarray(r * hidden, (r + 1) * hidden);
      for (let j = 0; j < hidden; j += together) {
        products({ of: numbers, at: inner + j * size }, { of: row, at: 0 }, size, sums);
        for (let i = 0; i < together; i++) {
          const value = Math.tanh(inputScale * (sums[i] ?? 0) + (numbers[innerBias + j + i] ?? 0));
          own[j + i] = value;
          weight += (numbers[gate + j + i] ?? 0) * value;
        }
        gather({ of: out, at: to }, { of: own, at: j }, { of: numbers, at: outer + j * size }, size);
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
      const pulled = { of: gradient, at };
      const weight = Number(this.#weights[r]);
      const isBound = Math.abs(weight) >= mostWeight;
      const pull = isBound ? 0 : product(pulled, { of: mapped, at }, size);
      scaleBy(gradient, at, Math.exp(weight), size);
      own[gateBias] = (own[gateBias] ?? 0) + pull;
      const values = this.#hidden.subarray(r * hidden, (r + 1) * hidden);
      for (let j = 0; j < hidden; j += together) {
        products({ of: numbers, at: outer + j * size }, pulled, size, sums);
        spread({ of: own, at: outer + j * size }, { of: values, at: j }, pulled, size);
        for (let i = j; i < j + together; i++) {
          const value = Number(values[i]);
          own[gate + i] = (own[gate + i] ?? 0) + pull * value;
          const gated = pull * (numbers[gate + i] ?? 0);
          const back = (gated + Number(sums[i - j])) * (1 - value * value);
          own[innerBias + i] = (own[innerBias + i] ?? 0) + back;
          values[i] = back * inputScale;
        }
        spread({ of: own, at: inner + j * size }, { of: values, at: j }, { of: row, at: 0 }, size);
      }
      for (let j = 0; j < hidden; j += together)
        gather(pulled, { of: values, at: j }, { of: numbers, at: inner + j * size }, size);
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

/** Numbers in a larger array. */
interface Part {
  of: Float64Array;
  at: number;
}

function product(a: Part, b: Part, size: number): number {
  let sum = 0;
  for (let k = 0; k < size; k++) sum += (a.of[a.at + k] ?? 0) * (b.of[b.at + k] ?? 0);
  return sum;
}

/** Products of four rows, one behind the other, with one more. */
function products({ of: rows, at: first }: Part, { of, at }: Part, size: number, into: Float64Array): void {
  let [a, b, c, d] = [0, 0, 0, 0];
  const [second, third, fourth] = [first + size, first + 2 * size, first + 3 * size];
  for (let k = 0; k < size; k++) {
    const value = of[at + k] ?? 0;
    a += (rows[first + k] ?? 0) * value;
    b += (rows[second + k] ?? 0) * value;
    c += (rows[third + k] ?? 0) * value;
    d += (rows[fourth + k] ?? 0) * value;
  }
  into[0] = a;
  into[1] = b;
  into[2] = c;
  into[3] = d;
}

/** Adds four rows, one behind the other, to `to`, each times its share. */
function gather({ of: to, at }: Part, shares: Part, { of: rows, at: first }: Part, size: number): void {
  const [a, b, c, d] = fourOf(shares);
  const [second, third, fourth] = [first + size, first + 2 * size, first + 3 * size];
  for (let k = 0; k < size; k++)
    to[at + k] =
      (to[at + k] ?? 0) +
      a * (rows[first + k] ?? 0) +
      b * (rows[second + k] ?? 0) +
      c * (rows[third + k] ?? 0) +
      d * (rows[fourth + k] ?? 0);
}

/** Adds `from` to four rows, one behind the other, times the share of each. */
function spread({ of: rows, at: first }: Part, shares: Part, { of: from, at }: Part, size: number): void {
  const [a, b, c, d] = fourOf(shares);
  const [second, third, fourth] = [first + size, first + 2 * size, first + 3 * size];
  for (let k = 0; k < size; k++) {
    const value = from[at + k] ?? 0;
    rows[first + k] = (rows[first + k] ?? 0) + a * value;
    rows[second + k] = (rows[second + k] ?? 0) + b * value;
    rows[third + k] = (rows[third + k] ?? 0) + c * value;
    rows[fourth + k] = (rows[fourth + k] ?? 0) + d * value;
  }
}

const fourOf = ({ of, at }: Part): [number, number, number, number] => [
  of[at] ?? 0,
  of[at + 1] ?? 0,
  of[at + 2] ?? 0,
  of[at + 3] ?? 0,
];

function scaleBy(values: Float64Array, at: number, scale: number, size: number): void {
  for (let k = 0; k < size; k++) values[at + k] = (values[at + k] ?? 0) * scale;
}
