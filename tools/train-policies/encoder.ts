/** The sentence encoder: word vectors from co-occurrence, then moved so that texts lie near their policies. */
import { Random } from '../../src/base/random.ts';
import type { SentenceUnits } from '../../src/engine/text/sentence-units.ts';
import type { WordVectors } from '../train-text/vectors.ts';
import { type Kind, kinds } from './cases.ts';
import { ContrastTrainer, type Group } from './contrast.ts';

/** Rows that the pieces of unknown words are hashed to. */
export const pieceRows = 16_384;

/** Word vectors scaled by how rare the word is, and small random rows for the pieces. */
export function firstTable({ rows, words, size }: WordVectors, seed: number): Float32Array {
  const table = new Float32Array((words.length + pieceRows) * size);
  words.forEach((_, w) => {
    let norm = 0;
    for (let k = 0; k < size; k++) norm += (rows[w * size + k] ?? 0) ** 2;
    // Smooth inverse frequency (Arora et al. 2017) in a gentler form: by the logarithm of the rank.
    const weight = Math.log((w + 30) / 30) / 4 / Math.sqrt(norm || 1);
    for (let k = 0; k < size; k++) table[w * size + k] = (rows[w * size + k] ?? 0) * weight;
  });
  const random = new Random(seed);
  for (let i = words.length * size; i < table.length; i++)
    table[i] = (random.normal() * 0.3) / Math.sqrt(size);
  return table;
}

/** A policy with its texts, as rows of the table. */
export interface EncodedCase {
  /** Everything that it blocks, and parts of that: each stands for the policy at times. */
  whole: SentenceUnits;
  parts: readonly SentenceUnits[];
  texts: Readonly<Record<Kind, readonly SentenceUnits[]>>;
}

export interface EncoderOptions {
  size: number;
  /** Policies in one batch, each with one text; the others are its negatives. */
  batch: number;
  /** Share of the batch that is drawn from the policies of one sentence. */
  pairShare: number;
  steps: number;
  rate: number;
  mapRate: number;
  temperature: number;
  /** Weight of a second text of each policy: that it lies near to the first one and to the policy. */
  secondShare: number;
  /** Share of texts from which the words are taken away that the policy itself uses. */
  unshared: number;
  /** Share of words that are left out of a text at random. */
  dropped: number;
  seed: number;
}

/** How often a text of each kind is drawn: what harmless texts of the trade are about is the policy's subject too. */
const shares: Readonly<Record<Kind, number>> = { violating: 12, plain: 4, near: 4, other: 4 };
const bag = kinds.flatMap((kind) => Array<Kind>(shares[kind]).fill(kind));
const wholeShare = 0.4;
/** The most frequent words are never taken away. */
const frequent = 300;

function keep({ rows, shares: of }: SentenceUnits, test: (row: number) => boolean): SentenceUnits {
  const kept = [...rows.keys()].filter((i) => test(rows[i] ?? 0));
  if (kept.length < 2) return { rows, shares: of };
  return {
    rows: Int32Array.from(kept, (i) => rows[i] ?? 0),
    shares: Float32Array.from(kept, (i) => of[i] ?? 0),
  };
}

/** Of the kinds that a policy has texts of. */
function drawText({ texts }: EncodedCase, random: Random): SentenceUnits {
  let kind = random.pick(bag);
  while (texts[kind].length === 0) kind = random.pick(bag);
  return random.pick(texts[kind]);
}

/**
 * Trains a copy of `table`: of the texts of a batch, a policy's own lies nearest to it.
 * @param pairs policies of one sentence, of which a batch has its share
 * @returns the table and the share of batches' policies whose own text was the nearest
 */
export function trainEncoder(
  first: Float32Array,
  { cases, pairs }: { cases: readonly EncodedCase[]; pairs: readonly EncodedCase[] },
  options: EncoderOptions,
): { table: Float32Array; nearest: number } {
  const { size, steps, rate, mapRate, temperature, secondShare, unshared, dropped, seed } = options;
  const pairCount = Math.min(pairs.length, Math.round(options.batch * options.pairShare));
  const caseCount = Math.min(options.batch - pairCount, cases.length);
  // The product is computed for four texts at once.
  const batch = Math.floor((caseCount + pairCount) / 4) * 4;
  const table = first.slice();
  const trainer = new ContrastTrainer(table, batch, { size, temperature, rate, mapRate, secondShare, seed });
  const random = new Random(seed);
  const drawUnits = (each: EncodedCase, words: ReadonlySet<number>): SentenceUnits => {
    const isUnshared = random.next() < unshared;
    const test = (row: number) =>
      (row < frequent || !isUnshared || !words.has(row)) && random.next() >= dropped;
    return keep(drawText(each, random), test);
  };
  const draw = (each: EncodedCase): Group => {
    const { whole, parts } = each;
    const policy = random.next() < wholeShare || parts.length === 0 ? whole : random.pick(parts);
    const words = new Set(whole.rows);
    return [policy, drawUnits(each, words), drawUnits(each, words)];
  };
  let nearest = 0;
  for (let step = 0; step < steps; step++) {
    const drawn = [...random.sample(cases, caseCount), ...random.sample(pairs, pairCount)].slice(0, batch);
    nearest += trainer.step(drawn.map(draw), 1 - (0.9 * step) / steps);
  }
  return { table: trainer.result(), nearest: nearest / steps };
}
