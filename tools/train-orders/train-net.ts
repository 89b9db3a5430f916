/**
 * Trains a net of `src/engine/order-net` on sentences: those that steer the program that reads them against all others.
 * The fixed vectors are those of `data/models/policies.bin`, with the word classes and roles of each word behind them, so
 * that the projection learns from both and nothing of it is computed where sentences are judged.
 */
import { join } from 'node:path';
import { Random } from '#base/random.ts';
import { type OrderNetHeader, type OrderNetWeights, netWordsOf } from '#engine/order-net/order-net.ts';
import { readPolicyWeights } from '#engine/text/policy-weights.ts';
import { Vocabulary } from '#engine/text/vocabulary.ts';
import { roles, wordOf } from '#engine/tool-outputs/words.ts';
import type { NetExample } from '../train-policies/net-gradient.ts';
import { type FixedVectors, NetVocabulary, quantiseNet, trainNet } from '../train-policies/stance-net.ts';

export interface NetSentence {
  text: string;
  label: 0 | 1;
  weight: number;
}

/** Rows of the most frequent words; rarer ones are read by their pieces. */
const mostWords = 30_000;
/** Classes of both lexicons, at most. */
const mostClasses = 96;
/** The net multiplies all fixed numbers by two: a class counts like a vector's length. */
const classValue = 0.5;

export interface NetWordTable extends FixedVectors {
  names: string[];
  aliasRows: Uint16Array;
}

/** The words that a net knows, with their fixed numbers. */
export function readWordTable(): NetWordTable {
  const { header, words, vectors, vectorScales } = readPolicyWeights(
    join(import.meta.dirname, '../../data/models/policies.bin'),
  );
  const count = Math.min(mostWords, header.words);
  const own = words.names.slice(0, count);
  const aliases = words.names
    .slice(header.words)
    .map((name) => ({ name, row: words.row(name) }))
    .filter(({ row }) => row < count);
  const size = header.size + mostClasses + roles.length;
  const table = new Float32Array((count + header.pieceRows) * size);
  const copyRow = (from: number, to: number) => {
    for (let k = 0; k < header.size; k++)
      table[to * size + k] = (vectorScales[from] ?? 0) * (vectors[from * header.size + k] ?? 0);
  };
  own.forEach((name, row) => {
    copyRow(row, row);
    const { classes, roles: bits } = wordOf(name);
    for (const id of classes) {
      if (id >= mostClasses) throw new RangeError(`the lexicons have more than ${mostClasses} classes`);
      table[row * size + header.size + id] = classValue;
    }
    roles.forEach((_, role) => {
      if ((bits & (1 << role)) !== 0) table[row * size + header.size + mostClasses + role] = classValue;
    });
  });
  for (let piece = 0; piece < header.pieceRows; piece++) copyRow(header.words + piece, count + piece);
  const names = [...own, ...aliases.map(({ name }) => name)];
  const vocabulary = new Vocabulary(names);
  const aliasRows = Uint16Array.from(aliases, ({ row }) => row);
  return {
    names,
    aliasRows,
    table,
    size,
    words: count,
    pieceRows: header.pieceRows,
    find: (word) => {
      const id = vocabulary.id(word);
      return id < count ? id : (aliasRows[id - count] ?? -1);
    },
  };
}

/** Examples of one kind, each as often as it counts. */
function drawnBy(examples: readonly Shared[], count: number, random: Random): NetExample[] {
  const sums: number[] = [];
  let sum = 0;
  for (const { share } of examples) sums.push((sum += share));
  return Array.from({ length: count }, () => {
    const at = random.next() * sum;
    let [low, high] = [0, examples.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return examples[low] as NetExample;
  });
}

type Shared = NetExample & { share: number };
const drawn = 200_000;

export interface NetRun {
  steps: number;
  seed: number;
}

/**
 * A net that learns from sets of sentences, from each and of each label as often. It counts nothing yet beside a linear
 * model: whoever joins them sets how much.
 */
export function trainOrderNet(
  sets: readonly (readonly NetSentence[])[],
  fixed: NetWordTable,
  { steps, seed }: NetRun,
): OrderNetWeights {
  const vocabulary = new NetVocabulary(fixed);
  const random = new Random(seed);
  const examples = sets.flatMap((sentences) =>
    ([1, 0] as const).flatMap((label) => {
      const own = sentences
        .filter((each) => each.label === label)
        .map(({ text, weight }) => ({
          words: vocabulary.read(netWordsOf(text)),
          label,
          weight: 1,
          share: weight,
        }))
        .filter(({ words }) => words.length > 0);
      return drawnBy(own, drawn / (2 * sets.length), random);
    }),
  );
  const parameters = trainNet(examples, vocabulary.words(), {
    batch: 128,
    steps,
    rate: 2e-3,
    decay: 0.01,
    dropped: 0.25,
    droppedTokens: 0.1,
    seed,
  });
  const header: OrderNetHeader = {
    words: fixed.words,
    aliases: fixed.aliasRows.length,
    pieceRows: fixed.pieceRows,
  };
  return { header, names: fixed.names, aliasRows: fixed.aliasRows, net: quantiseNet(parameters, fixed) };
}

/** How a net is added to a linear model. */
export interface NetShare {
  mean: number;
  share: number;
}

/** The share at which a net weighs `weight` times as much as the linear model, each in its own deviations. */
export function joinedBy(linear: readonly number[], net: readonly number[], weight: number): NetShare {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviationOf = (values: readonly number[]) => {
    const mean = meanOf(values);
    return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
  };
  return { mean: meanOf(net), share: (weight * deviationOf(linear)) / deviationOf(net) };
}
