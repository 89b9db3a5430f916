/** Trains the convolutional reader of stance (`src/engine/text/stance-net.ts`), which never sees a policy. */
import { Random } from '../../src/base/random.ts';
import { type FindWord, isWord, piecesOf } from '../../src/engine/text/sentence-units.ts';
import {
  type StanceNetWeights,
  mostNetTokens,
  netLayout,
  netPooled,
  netWindow,
  ownSize,
  ownWords,
  projectedSize,
  rowsOfScale,
} from '../../src/engine/text/stance-net.ts';
import { Adam } from './adam.ts';
import {
  type NetExample,
  NetGradient,
  type NetParameters,
  type NetWords,
  projectTo,
} from './net-gradient.ts';

/** Vectors of words and of pieces of unknown words, which stay as they are. */
export interface FixedVectors {
  /** (words + pieceRows) x size */
  table: Float32Array;
  size: number;
  words: number;
  pieceRows: number;
  find: FindWord;
}

/** Brings the vectors, whose length is about 1, to the size of a layer's numbers. */
const vectorScale = 2;

/** Numbers the words of texts as they are met. */
export class NetVocabulary {
  readonly #fixed: FixedVectors;
  readonly #numbers = new Map<string, number>();
  readonly #own: number[] = [];
  readonly #vectors: Float64Array[] = [];

  constructor(fixed: FixedVectors) {
    this.#fixed = fixed;
  }

  /** The numbers of the first words of a text; unknown symbols are left out, as at run time. */
  read(words: readonly string[]): Int32Array {
    const numbers: number[] = [];
    for (const word of words) {
      if (numbers.length === mostNetTokens) break;
      const number = this.#numbers.get(word) ?? this.#add(word);
      if (number !== undefined) numbers.push(number);
    }
    return Int32Array.from(numbers);
  }

  #add(word: string): number | undefined {
    const { table, size, words, pieceRows, find } = this.#fixed;
    const row = find(word);
    if (row < 0 && !isWord(word)) return undefined;
    const rows = row >= 0 ? [row] : piecesOf(word, pieceRows).map((piece) => words + piece);
    const vector = new Float64Array(size);
    for (const each of rows)
      for (let k = 0; k < size; k++)
        vector[k] = (vector[k] ?? 0) + (vectorScale * (table[each * size + k] ?? 0)) / rows.length;
    const number = this.#vectors.push(vector) - 1;
    this.#own.push(row < ownWords ? row : -1);
    this.#numbers.set(word, number);
    return number;
  }

  words(): NetWords {
    const { size } = this.#fixed;
    const vectors = new Float64Array(this.#vectors.length * size);
    this.#vectors.forEach((vector, i) => vectors.set(vector, i * size));
    return { size, vectors, own: Int32Array.from(this.#own) };
  }
}

/** Small random numbers, uniform by how many numbers are added up (as LeCun et al. 1998 have it); `own` normal. */
export function firstParameters(size: number, random: Random): NetParameters {
  const uniform = (into: Float64Array, from: number, to: number, inputs: number) => {
    for (let i = from; i < to; i++) into[i] = (2 * random.next() - 1) / Math.sqrt(inputs);
  };
  const projection = new Float64Array(projectedSize * size);
  uniform(projection, 0, projection.length, size);
  const own = Float64Array.from({ length: ownWords * ownSize }, () => 0.05 * random.normal());
  const layers = new Float64Array(netLayout.length);
  uniform(layers, netLayout.first, netLayout.output, netWindow);
  uniform(layers, netLayout.output, netLayout.length, netPooled);
  return { projection, own, layers };
}

export interface NetOptions {
  batch: number;
  steps: number;
  /** At the beginning; at the end it is a tenth. */
  rate: number;
  decay: number;
  /** Share of numbers, and of tokens, that are left out at random. */
  dropped: number;
  droppedTokens: number;
  seed: number;
}

/** Trains from random numbers; the same examples and seed give the same parameters, bit for bit. */
export function trainNet(
  examples: readonly NetExample[],
  words: NetWords,
  { batch, steps, rate, decay, dropped, droppedTokens, seed }: NetOptions,
): NetParameters {
  const random = new Random(seed);
  const parameters = firstParameters(words.size, random);
  const net = new NetGradient(parameters, words, dropped);
  const [projection, own, layers] = [
    new Adam(parameters.projection),
    new Adam(parameters.own),
    new Adam(parameters.layers),
  ];
  const draw = (): NetExample => {
    const example = random.pick(examples);
    const kept = example.words.filter(() => random.next() >= droppedTokens);
    return kept.length === 0 ? example : { ...example, words: kept };
  };
  for (let step = 1; step <= steps; step++) {
    net.batch(Array.from({ length: batch }, draw), random);
    const now = rate * (1 - (0.9 * (step - 1)) / steps);
    projection.step(net.gradient.projection, step, { rate: now, decay });
    layers.step(net.gradient.layers, step, { rate: now, decay });
    for (const row of net.touched)
      own.step(net.gradient.own, step, { rate: now, decay: 0 }, row * ownSize, (row + 1) * ownSize);
  }
  return parameters;
}

/** Rows of `width` numbers in eight bits, neighbouring rows with one scale. */
function quantiseRows(values: Float64Array, width: number): { rows: Int8Array; scales: Float32Array } {
  const block = rowsOfScale * width;
  const rows = new Int8Array(values.length);
  const scales = new Float32Array(Math.ceil(values.length / block));
  for (let s = 0; s < scales.length; s++) {
    const part = values.subarray(s * block, (s + 1) * block);
    const scale = Math.fround(part.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127) || 1e-6;
    scales[s] = scale;
    part.forEach((value, i) => {
      rows[s * block + i] = Math.round(value / scale);
    });
  }
  return { rows, scales };
}

/** As it runs: the vectors projected once and for all, in eight bits. */
export function quantiseNet(
  { projection, own, layers }: NetParameters,
  { table, size, words }: Pick<FixedVectors, 'table' | 'size' | 'words'>,
): StanceNetWeights {
  const count = table.length / size;
  const projected = new Float64Array(count * projectedSize);
  const vector = new Float64Array(size);
  for (let row = 0; row < count; row++) {
    const to = projected.subarray(row * projectedSize, (row + 1) * projectedSize);
    for (let k = 0; k < size; k++) vector[k] = vectorScale * (table[row * size + k] ?? 0);
    projectTo(projection, vector, to);
  }
  const rows = quantiseRows(projected, projectedSize);
  const ownRows = quantiseRows(own.subarray(0, Math.min(words, ownWords) * ownSize), ownSize);
  return {
    projection: rows.rows,
    projectionScales: rows.scales,
    own: ownRows.rows,
    ownScales: ownRows.scales,
    layers: Float32Array.from(layers),
  };
}
