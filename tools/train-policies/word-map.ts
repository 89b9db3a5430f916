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
        const sum = product({ of: numbers, at: inner + j * size }, { of: table, at: from }, size);
        const value = Math.tanh(inputScale * sum + (numbers[innerBias + j] ?? 0));
        this.#hidden[r * hidden + j] = value;
        weight += (numbers[gate + j] ?? 0) * value;
        add({ of: out, at: to }, value, { of: numbers, at: outer + j * size }, size);
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
    own.fill(0);
    for (let r = 0; r < rows.length; r++) {
      const row = { of: table, at: (rows[r] ?? 0) * size };
      const pulled = { of: gradient, at: r * size };
      const weight = this.#weights[r] ?? 0;
      const isBound = Math.abs(weight) >= mostWeight;
      const pull = isBound ? 0 : product(pulled, { of: mapped, at: r * size }, size);
      scaleBy(gradient, r * size, Math.exp(weight), size);
      own[gateBias] = (own[gateBias] ?? 0) + pull;
      for (let j = 0; j < hidden; j++) {
        const value = Number(this.#hidden[r * hidden + j]);
        own[gate + j] = (own[gate + j] ?? 0) + pull * value;
        const outwards = outer + j * size;
        const gated = pull * (numbers[gate + j] ?? 0);
        const back = (gated + product(pulled, { of: numbers, at: outwards }, size)) * (1 - value * value);
        add({ of: own, at: outwards }, value, pulled, size);
        own[innerBias + j] = (own[innerBias + j] ?? 0) + back;
        add({ of: own, at: inner + j * size }, back * inputScale, row, size);
        this.#hidden[r * hidden + j] = back;
      }
      for (let j = 0; j < hidden; j++) {
        const back = Number(this.#hidden[r * hidden + j]) * inputScale;
        add(pulled, back, { of: numbers, at: inner + j * size }, size);
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

/** Numbers in a row of a larger array. */
interface Part<A extends Float64Array | Float32Array = Float64Array | Float32Array> {
  of: A;
  at: number;
}

function product(a: Part, b: Part, size: number): number {
  let sum = 0;
  for (let k = 0; k < size; k++) sum += (a.of[a.at + k] ?? 0) * (b.of[b.at + k] ?? 0);
  return sum;
}

function add(to: Part<Float64Array>, share: number, from: Part, size: number): void {
  for (let k = 0; k < size; k++)
    to.of[to.at + k] = (to.of[to.at + k] ?? 0) + share * (from.of[from.at + k] ?? 0);
}

function scaleBy(values: Float64Array, at: number, scale: number, size: number): void {
  for (let k = 0; k < size; k++) values[at + k] = (values[at + k] ?? 0) * scale;
}
