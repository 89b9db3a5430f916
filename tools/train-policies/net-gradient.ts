/** Loss and gradient of the stance net over batches of texts. */
import type { Random } from '../../src/base/random.ts';
import { mostNetTokens, netWidth, ownSize, projectedSize } from '../../src/engine/text/stance-net.ts';
import { NetPass, firstToken } from './net-pass.ts';

/** What is trained. */
export interface NetParameters {
  /** `projectedSize` rows of as many numbers as a word's fixed vector has. */
  projection: Float64Array;
  /** Frequent words x `ownSize`. */
  own: Float64Array;
  /** By `netLayout`. */
  layers: Float64Array;
}

/** The different words of the texts, by number. */
export interface NetWords {
  /** Numbers of a fixed vector. */
  size: number;
  /** Different words x `size` */
  vectors: Float64Array;
  /** Row among the vectors of their own, or -1. */
  own: Int32Array;
}

export interface NetExample {
  /** Numbers of its words. */
  words: Int32Array;
  label: number;
  weight: number;
}

/** Computes one batch after another with the same memory. */
export class NetGradient {
  readonly gradient: NetParameters;
  /** Rows of the vectors of their own that the last batch has read. */
  readonly touched = new Set<number>();
  readonly #at: NetParameters;
  readonly #words: NetWords;
  readonly #pass: NetPass;
  /** The words of the batch, and the place of each among `#projected`, or -1. */
  #met: number[] = [];
  readonly #places: Int32Array;
  #projected = new Float64Array(0);
  #pull = new Float64Array(0);

  constructor(at: NetParameters, words: NetWords, dropped: number) {
    this.#at = at;
    this.#words = words;
    this.#places = new Int32Array(words.own.length).fill(-1);
    this.gradient = {
      projection: new Float64Array(at.projection.length),
      own: new Float64Array(at.own.length),
      layers: new Float64Array(at.layers.length),
    };
    this.#pass = new NetPass(at.layers, this.gradient.layers, dropped);
  }

  /** Mean weighted loss of a batch; its gradient replaces that of the batch before. */
  batch(examples: readonly NetExample[], random?: Random): number {
    this.#clear();
    this.#project(examples);
    this.#pass.begin();
    let loss = 0;
    for (const { words, label, weight } of examples) {
      const logit = this.#forward(words, random);
      loss += weight * (Math.max(logit, 0) - label * logit + Math.log1p(Math.exp(-Math.abs(logit))));
      this.#pass.backward(lengthOf(words), (weight * (1 / (1 + Math.exp(-logit)) - label)) / examples.length);
      this.#pullTokens(words);
    }
    this.#pass.end();
    this.#pullProjection();
    return loss / examples.length;
  }

  /** The logit of a text, nothing left out. */
  logit(words: Int32Array): number {
    this.#project([{ words }]);
    this.#pass.begin();
    return this.#forward(words, undefined);
  }

  #clear(): void {
    const { projection, own } = this.gradient;
    projection.fill(0);
    for (const row of this.touched) own.fill(0, row * ownSize, (row + 1) * ownSize);
    this.touched.clear();
  }

  /** Each word of a batch is projected once, however often it occurs. */
  #project(examples: readonly Pick<NetExample, 'words'>[]): void {
    for (const word of this.#met) this.#places[word] = -1;
    this.#met = [];
    for (const { words } of examples)
      for (const word of words) if (this.#places[word] === -1) this.#places[word] = this.#met.push(word) - 1;
    const numbers = this.#met.length * projectedSize;
    if (this.#projected.length < numbers) {
      this.#projected = new Float64Array(2 * numbers);
      this.#pull = new Float64Array(2 * numbers);
    }
    this.#pull.fill(0, 0, numbers);
    const { size, vectors } = this.#words;
    this.#met.forEach((word, place) => {
      const vector = vectors.subarray(word * size, (word + 1) * size);
      const to = this.#projected.subarray(place * projectedSize, (place + 1) * projectedSize);
      projectTo(this.#at.projection, vector, to);
    });
  }

  #forward(words: Int32Array, random: Random | undefined): number {
    const { tokens } = this.#pass;
    const length = lengthOf(words);
    for (let t = 0; t < length; t++) {
      const word = words[t] ?? 0;
      const place = (this.#places[word] ?? 0) * projectedSize;
      const row = this.#words.own[word] ?? -1;
      const at = firstToken + t * netWidth;
      for (let k = 0; k < projectedSize; k++) tokens[at + k] = this.#projected[place + k] ?? 0;
      for (let k = 0; k < ownSize; k++)
        tokens[at + projectedSize + k] = row < 0 ? 0 : (this.#at.own[row * ownSize + k] ?? 0);
    }
    return this.#pass.forward(length, random);
  }

  /** From the tokens of a text to its words. */
  #pullTokens(words: Int32Array): void {
    const { tokenPull } = this.#pass;
    const { own } = this.gradient;
    for (let t = 0; t < lengthOf(words); t++) {
      const word = words[t] ?? 0;
      const place = (this.#places[word] ?? 0) * projectedSize;
      const at = firstToken + t * netWidth;
      for (let k = 0; k < projectedSize; k++)
        this.#pull[place + k] = (this.#pull[place + k] ?? 0) + (tokenPull[at + k] ?? 0);
      const row = this.#words.own[word] ?? -1;
      if (row < 0) continue;
      this.touched.add(row);
      for (let k = 0; k < ownSize; k++)
        own[row * ownSize + k] = (own[row * ownSize + k] ?? 0) + (tokenPull[at + projectedSize + k] ?? 0);
    }
  }

  #pullProjection(): void {
    const { size, vectors } = this.#words;
    const { projection } = this.gradient;
    this.#met.forEach((word, place) => {
      for (let p = 0; p < projectedSize; p++) {
        const by = this.#pull[place * projectedSize + p] ?? 0;
        const [row, from] = [p * size, word * size];
        for (let k = 0; k < size; k++)
          projection[row + k] = (projection[row + k] ?? 0) + by * (vectors[from + k] ?? 0);
      }
    });
  }
}

const lengthOf = (words: Int32Array) => Math.min(words.length, mostNetTokens);

/** `to` = projection x vector; four numbers at once. */
export function projectTo(projection: Float64Array, vector: Float64Array, to: Float64Array): void {
  const size = vector.length;
  for (let p = 0; p < projectedSize; p += 4) {
    let [a, b, c, d] = [0, 0, 0, 0];
    let at = p * size;
    for (let k = 0; k < size; k++, at++) {
      const value = vector[k] ?? 0;
      a += value * (projection[at] ?? 0);
      b += value * (projection[at + size] ?? 0);
      c += value * (projection[at + 2 * size] ?? 0);
      d += value * (projection[at + 3 * size] ?? 0);
    }
    to[p] = a;
    to[p + 1] = b;
    to[p + 2] = c;
    to[p + 3] = d;
  }
}
