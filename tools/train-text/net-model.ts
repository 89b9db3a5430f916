/**
 * The pooled net: one vector per word; sum, mean of the positive parts and maximum over the text; one hidden layer;
 * nine outputs.
 */
import { strangeWordHash } from '../../src/engine/text/features.ts';
import type { Example } from './examples.ts';
import { Random } from '../../src/base/random.ts';
import { detectorIds } from './rows.ts';
import type { WordVectors } from './vectors.ts';

const heads = detectorIds.length;
export const strangeRows = 4096;

export interface NetModel {
  size: number;
  hidden: number;
  /** (words + strangeRows) x size */
  vectors: Float32Array;
  /** Added to a word's vector before its positive part and maximum are taken. */
  shift: Float32Array;
  /** hidden x (3 size) */
  inner: Float32Array;
  innerBias: Float32Array;
  /** heads x hidden */
  outer: Float32Array;
  outerBias: Float32Array;
}

/** Vector rows of the words of each example; words outside the vocabulary share hashed rows after it. */
export function toVectorRows(
  examples: readonly Example[],
  words: readonly string[],
  most: number,
): Int32Array[] {
  const ids = new Map(words.map((word, id) => [word, id]));
  return examples.map((example) =>
    Int32Array.from(
      example.words.slice(0, most),
      (word) => ids.get(word) ?? words.length + (strangeWordHash(word) % strangeRows),
    ),
  );
}

export function startNet(start: WordVectors, options: { seed: number; hidden: number }): NetModel {
  const { size, words } = start;
  const random = new Random(options.seed * 7919);
  const { hidden } = options;
  const vectors = new Float32Array((words.length + strangeRows) * size);
  vectors.set(start.rows);
  for (let i = words.length * size; i < vectors.length; i++)
    vectors[i] = (random.normal() * 0.3) / Math.sqrt(size);
  const uniform = (length: number, fanIn: number) =>
    Float32Array.from({ length }, () => (random.next() * 2 - 1) / Math.sqrt(fanIn));
  return {
    size,
    hidden,
    vectors,
    shift: new Float32Array(size),
    inner: uniform(hidden * size * 3, size * 3),
    innerBias: new Float32Array(hidden),
    outer: uniform(heads * hidden, hidden),
    outerBias: new Float32Array(heads),
  };
}

const allKept = new Float32Array(1024).fill(1);

/** Working memory of one forward pass. */
export class NetPass {
  readonly model: NetModel;
  readonly pooled: Float32Array;
  readonly #largest: Int32Array;
  readonly hiddenValues: Float32Array;
  readonly logits = new Float64Array(heads);

  constructor(model: NetModel) {
    this.model = model;
    this.pooled = new Float32Array(model.size * 3);
    this.#largest = new Int32Array(model.size);
    this.hiddenValues = new Float32Array(model.hidden);
  }

  /** Which of the pooled tokens had the largest value, per dimension. */
  get largest(): Int32Array {
    return this.#largest;
  }

  /** Fills `pooled` from rows of the vector table; `noise` scales the elements of each token (dropout). */
  pool(rows: Int32Array, noise?: { offsets: Int32Array; table: Float32Array }): void {
    const { size } = this.model;
    const { pooled } = this;
    pooled.fill(0);
    if (rows.length > 0) pooled.fill(-1e9, size * 2);
    for (let t = 0; t < rows.length; t++) {
      const base = (rows[t] ?? 0) * size;
      if (noise === undefined) this.#addToken(t, base, allKept, 0);
      else this.#addToken(t, base, noise.table, noise.offsets[t] ?? 0);
    }
    const n = Math.max(1, rows.length);
    for (let k = 0; k < size; k++) {
      pooled[k] = (pooled[k] ?? 0) / (2 * Math.sqrt(n));
      pooled[size + k] = (pooled[size + k] ?? 0) / n;
    }
  }

  #addToken(t: number, base: number, kept: Float32Array, offset: number): void {
    const { size, vectors, shift } = this.model;
    const { pooled } = this;
    for (let k = 0; k < size; k++) {
      const value = (vectors[base + k] ?? 0) * (kept[offset + k] ?? 1);
      pooled[k] = (pooled[k] ?? 0) + value;
      const moved = value + (shift[k] ?? 0);
      if (moved > 0) pooled[size + k] = (pooled[size + k] ?? 0) + moved;
      if (moved <= (pooled[size * 2 + k] ?? 0)) continue;
      pooled[size * 2 + k] = moved;
      this.#largest[k] = t;
    }
  }

  /** Hidden layer and outputs from `pooled`; `kept` scales hidden units (dropout), when given. */
  upper(kept?: Float32Array): void {
    this.#inner(kept ?? allKept);
    const { hidden, outer, outerBias } = this.model;
    for (let h = 0; h < heads; h++) {
      let sum = outerBias[h] ?? 0;
      for (let j = 0; j < hidden; j++) sum += (outer[h * hidden + j] ?? 0) * (this.hiddenValues[j] ?? 0);
      this.logits[h] = sum;
    }
  }

  #inner(kept: Float32Array): void {
    const { hidden, inner, innerBias } = this.model;
    const { pooled } = this;
    const width = pooled.length;
    for (let j = 0; j < hidden; j++) {
      let sum = innerBias[j] ?? 0;
      const base = j * width;
      for (let k = 0; k < width; k++) sum += (inner[base + k] ?? 0) * (pooled[k] ?? 0);
      this.hiddenValues[j] = sum > 0 ? sum * (kept[j] ?? 1) : 0;
    }
  }
}

/** The nine logits of one text. */
export function netLogits(pass: NetPass, rows: Int32Array): Float64Array {
  pass.pool(rows);
  pass.upper();
  return pass.logits;
}
