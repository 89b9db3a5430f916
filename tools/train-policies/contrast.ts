/**
 * Learns a table of word vectors so that texts which belong together lie near each other: the cosine of summed vectors,
 * with all other texts of the batch as negatives (van den Oord et al. 2018, InfoNCE; in both directions). A policy has
 * two texts in a batch, and these belong together too (as in Khosla et al. 2020, supervised contrastive learning).
 */
import type { SentenceUnits } from '../../src/engine/text/sentence-units.ts';
import { WordMap } from './word-map.ts';

export interface ContrastOptions {
  size: number;
  /** Temperature that cosines are divided by. */
  temperature: number;
  /** Rate of the rows, and of the map that they go through. */
  rate: number;
  mapRate: number;
  /** Weight of what the second text adds, beside the first text and its policy. */
  secondShare: number;
  seed: number;
}

/** A policy, and two of its texts. */
export type Group = readonly [policy: SentenceUnits, text: SentenceUnits, second: SentenceUnits];

const tiny = 1e-8;

/** Trains rows of `table` in place with Adagrad, and the map that they go through. */
export class ContrastTrainer {
  readonly table: Float32Array;
  readonly map: WordMap;
  readonly #squares: Float32Array;
  readonly #options: ContrastOptions;
  readonly #batch: number;
  readonly #sides: readonly [policies: Side, texts: Side, seconds: Side];
  readonly #scores: Float32Array;
  /** Rows of the batch, each once; their place in it by row; their mapped vectors and the gradients of these. */
  readonly #placeOf: Int32Array;
  #mapped = new Float64Array(0);
  #gradient = new Float64Array(0);

  constructor(table: Float32Array, batch: number, options: ContrastOptions) {
    this.table = table;
    this.map = new WordMap(options.size, options.mapRate, options.seed);
    this.#options = options;
    this.#batch = batch;
    this.#squares = new Float32Array(table.length).fill(1e-6);
    const side = () => new Side(batch, options.size);
    this.#sides = [side(), side(), side()];
    this.#scores = new Float32Array(batch * batch);
    this.#placeOf = new Int32Array(table.length / options.size);
  }

  /**
   * One step. @param rateShare share of the full rates
   * @returns the share of policies whose first text is the nearest of the batch
   */
  step(groups: readonly Group[], rateShare: number): number {
    const { rate, size, secondShare } = this.#options;
    const units = ([0, 1, 2] as const).map((i) => groups.map((group) => group[i]));
    const rows = this.#rowsOf(units);
    this.map.forward(this.table, rows, this.#mapped);
    this.#sides.forEach((side, i) => {
      side.read(units[i] ?? [], this.#mapped, this.#placeOf);
      side.clear();
    });
    const [policies, texts, seconds] = this.#sides;
    const right = this.#compare(policies, texts, 1);
    this.#compare(texts, seconds, secondShare);
    this.#compare(policies, seconds, secondShare);
    this.#sides.forEach((side, i) => side.pullRows(units[i] ?? [], this.#gradient, this.#placeOf));
    const gradient = this.#gradient;
    this.map.backward(this.table, rows, { mapped: this.#mapped, gradient, rateShare });
    rows.forEach((row, r) => this.#adagrad(row * size, r * size, rate * rateShare));
    return right / this.#batch;
  }

  /** Adds to the pull of both sides. @returns how many have their partner nearest */
  #compare(first: Side, second: Side, weight: number): number {
    const { size, temperature } = this.#options;
    const [scores, batch] = [this.#scores, this.#batch];
    multiply(first.unit, second.unit, scores, batch, size);
    const right = gradientOf(scores, batch, temperature, weight);
    spread(scores, first, second, batch, size);
    return right;
  }

  /** The table as texts are judged by. */
  result(): Float32Array {
    return this.map.apply(this.table);
  }

  #rowsOf(sides: readonly (readonly SentenceUnits[])[]): number[] {
    const rows: number[] = [];
    this.#placeOf.fill(-1);
    for (const texts of sides)
      for (const { rows: own } of texts)
        for (const row of own) {
          if (this.#placeOf[row] !== -1) continue;
          this.#placeOf[row] = rows.length;
          rows.push(row);
        }
    const length = rows.length * this.#options.size;
    if (this.#mapped.length < length) {
      this.#mapped = new Float64Array(length);
      this.#gradient = new Float64Array(length);
    }
    this.#gradient.fill(0);
    return rows;
  }

  #adagrad(at: number, from: number, rate: number): void {
    const [table, squares, size] = [this.table, this.#squares, this.#options.size];
    for (let k = 0; k < size; k++) {
      const g = this.#gradient[from + k] ?? 0;
      const square = (squares[at + k] ?? 0) + g * g;
      squares[at + k] = square;
      table[at + k] = (table[at + k] ?? 0) - (rate * g) / Math.sqrt(square);
    }
  }
}

/** One side of a batch: sums of mapped rows, their directions and the gradients of these. */
class Side {
  readonly unit: Float32Array;
  readonly pull: Float32Array;
  readonly #norms: Float32Array;
  readonly #size: number;

  constructor(batch: number, size: number) {
    this.unit = new Float32Array(batch * size);
    this.pull = new Float32Array(batch * size);
    this.#norms = new Float32Array(batch);
    this.#size = size;
  }

  read(texts: readonly SentenceUnits[], mapped: Float64Array, placeOf: Int32Array): void {
    const size = this.#size;
    texts.forEach(({ rows, shares }, b) => {
      const own = this.unit.subarray(b * size, (b + 1) * size).fill(0);
      for (let i = 0; i < rows.length; i++) {
        const at = (placeOf[rows[i] ?? 0] ?? 0) * size;
        const share = shares[i] ?? 0;
        for (let k = 0; k < size; k++) own[k] = (own[k] ?? 0) + share * (mapped[at + k] ?? 0);
      }
      let norm = tiny;
      for (let k = 0; k < size; k++) norm += (own[k] ?? 0) ** 2;
      norm = Math.sqrt(norm);
      this.#norms[b] = norm;
      for (let k = 0; k < size; k++) own[k] = (own[k] ?? 0) / norm;
    });
  }

  clear(): void {
    this.pull.fill(0);
  }

  /** Gradient through the normalisation to the mapped rows. */
  pullRows(texts: readonly SentenceUnits[], gradient: Float64Array, placeOf: Int32Array): void {
    const size = this.#size;
    const own = new Float32Array(size);
    texts.forEach(({ rows, shares }, b) => {
      this.#pullOf(b, own);
      for (let i = 0; i < rows.length; i++) {
        const at = (placeOf[rows[i] ?? 0] ?? 0) * size;
        const share = shares[i] ?? 0;
        for (let k = 0; k < size; k++) gradient[at + k] = (gradient[at + k] ?? 0) + share * (own[k] ?? 0);
      }
    });
  }

  /** The gradient of the sum of rows of text `b`. */
  #pullOf(b: number, out: Float32Array): void {
    const size = this.#size;
    const base = b * size;
    let along = 0;
    for (let k = 0; k < size; k++) along += (this.pull[base + k] ?? 0) * (this.unit[base + k] ?? 0);
    const norm = this.#norms[b] ?? 1;
    for (let k = 0; k < size; k++)
      out[k] = ((this.pull[base + k] ?? 0) - along * (this.unit[base + k] ?? 0)) / norm;
  }
}

/** `out` = first x second transposed. Four rows at once: each number of the second is read once for them. */
function multiply(
  first: Float32Array,
  second: Float32Array,
  out: Float32Array,
  batch: number,
  size: number,
): void {
  for (let i = 0; i < batch; i += 4)
    for (let j = 0; j < batch; j++) {
      let [a, b, c, d] = [0, 0, 0, 0];
      const [i0, i1, i2, i3, at] = [i * size, (i + 1) * size, (i + 2) * size, (i + 3) * size, j * size];
      for (let k = 0; k < size; k++) {
        const value = second[at + k] ?? 0;
        a += (first[i0 + k] ?? 0) * value;
        b += (first[i1 + k] ?? 0) * value;
        c += (first[i2 + k] ?? 0) * value;
        d += (first[i3 + k] ?? 0) * value;
      }
      out[i * batch + j] = a;
      out[(i + 1) * batch + j] = b;
      out[(i + 2) * batch + j] = c;
      out[(i + 3) * batch + j] = d;
    }
}

/** Turns cosines into the gradient of both directions' cross-entropy, times `weight`. @returns how many partners are nearest */
function gradientOf(scores: Float32Array, batch: number, temperature: number, weight: number): number {
  const sums = { rows: new Float64Array(batch), columns: new Float64Array(batch) };
  let right = 0;
  for (let i = 0; i < batch; i++) if (toPowers(scores, i, temperature, sums) === i) right++;
  const scale = weight / (2 * temperature * batch);
  for (let i = 0; i < batch; i++)
    for (let j = 0; j < batch; j++) {
      const power = scores[i * batch + j] ?? 0;
      const aim = i === j ? 2 : 0;
      scores[i * batch + j] = (power / (sums.rows[i] ?? 1) + power / (sums.columns[j] ?? 1) - aim) * scale;
    }
  return right;
}

/** Cosines of row `i` as powers, added to the sums. @returns the number of the largest */
function toPowers(
  scores: Float32Array,
  i: number,
  temperature: number,
  { rows, columns }: { rows: Float64Array; columns: Float64Array },
): number {
  const batch = rows.length;
  let best = i;
  let most = -Infinity;
  for (let j = 0; j < batch; j++) {
    const cosine = scores[i * batch + j] ?? 0;
    if (cosine > most) [most, best] = [cosine, j];
    const power = Math.exp((cosine - 1) / temperature);
    scores[i * batch + j] = power;
    rows[i] = (rows[i] ?? 0) + power;
    columns[j] = (columns[j] ?? 0) + power;
  }
  return best;
}

/** Gradients of both sides' directions. */
function spread(scores: Float32Array, first: Side, second: Side, batch: number, size: number): void {
  for (let i = 0; i < batch; i++)
    for (let j = 0; j < batch; j++) {
      const g = scores[i * batch + j] ?? 0;
      if (g < 1e-7 && g > -1e-7) continue;
      const [a, b] = [i * size, j * size];
      for (let k = 0; k < size; k++) {
        first.pull[a + k] = (first.pull[a + k] ?? 0) + g * (second.unit[b + k] ?? 0);
        second.pull[b + k] = (second.pull[b + k] ?? 0) + g * (first.unit[a + k] ?? 0);
      }
    }
}
