import { fold } from './fold.ts';
import type { Judge } from './judge.ts';
import { wordWeight } from './policy-phrases.ts';
import { isStopWord, stem } from './stems.ts';
import { tokenise } from './tokens.ts';
import type { CompiledPhrase } from './types.ts';

/** A text prepared for comparison with policies; computed once for any number of policies. */
export interface Subject {
  stems: ReadonlyMap<string, number>;
  /** Unit vectors of the words that carry a subject, `size` numbers each, with their weights. */
  vectors: Float32Array;
  weights: Float32Array;
  /** Weighted mean of the vectors, of unit length. */
  mean: Float32Array;
  /** Number of the token of each vector. */
  tokens: number[];
}

const mostWords = 256;

/** Tokens `words` as a subject: stop words carry none. */
export function toSubject(words: readonly string[], judge: Judge): Subject {
  const stems = new Map<string, number>();
  const kept: number[] = [];
  words.forEach((word, at) => {
    if (!/^[\p{L}\p{M}]/u.test(word) || isStopWord(word)) return;
    const short = stem(word);
    if (!stems.has(short)) stems.set(short, at);
    if (kept.length < mostWords && judge.model.vocabulary.id(word) >= 0) kept.push(at);
  });
  const { size } = judge.model.header;
  const vectors = new Float32Array(kept.length * size);
  const weights = new Float32Array(kept.length);
  const mean = new Float32Array(size);
  kept.forEach((at, slot) => {
    const word = words[at] ?? '';
    const weight = wordWeight(word, judge.model.vocabulary);
    weights[slot] = weight;
    const own = vectors.subarray(slot * size, (slot + 1) * size);
    unitVector(judge, judge.model.vocabulary.id(word), own);
    for (let k = 0; k < size; k++) mean[k] = (mean[k] ?? 0) + weight * (own[k] ?? 0);
  });
  toUnit(mean);
  return { stems, vectors, weights, mean, tokens: kept };
}

function unitVector({ model }: Judge, row: number, out: Float32Array): void {
  const { size } = model.header;
  for (let k = 0; k < size; k++) out[k] = model.vectors[row * size + k] ?? 0;
  toUnit(out);
}

function toUnit(vector: Float32Array): void {
  let norm = 0;
  for (const value of vector) norm += value * value;
  const scale = norm === 0 ? 0 : 1 / Math.sqrt(norm);
  for (let k = 0; k < vector.length; k++) vector[k] = (vector[k] ?? 0) * scale;
}

/** A phrase with its words as vectors. */
export interface ReadyPhrase {
  phrase: CompiledPhrase;
  subject: Subject;
  all: number;
}

export function readyPhrase(phrase: CompiledPhrase, judge: Judge): ReadyPhrase {
  const { words } = tokenise(fold(phrase.words.join(' ')).text);
  const all = phrase.stems.reduce((sum, [, weight]) => sum + weight, 0);
  return { phrase, subject: toSubject(words, judge), all };
}

/** Weight of a synonym relative to the word itself. */
export const synonymShare = 0.7;

/** Share of the phrase's meaning whose stems, or synonyms of them, occur in the text: 0..1. */
export function stemOverlap({ phrase, all }: ReadyPhrase, stems: ReadonlyMap<string, number>): number {
  if (all === 0) return 0;
  const synonymMet = new Set<string>();
  for (const [synonym, standsFor] of phrase.synonyms) if (stems.has(synonym)) synonymMet.add(standsFor);
  let met = 0;
  for (const [each, weight] of phrase.stems) {
    if (stems.has(each)) met += weight;
    else if (synonymMet.has(each)) met += weight * synonymShare;
  }
  return met / all;
}

const leastCosine = 0.3;

/** For each word of the phrase its nearest word in the text (cosine above .3), weighted by rarity: 0..1. */
export function lateInteraction({ subject }: ReadyPhrase, text: Subject, size: number): number {
  let sum = 0;
  let all = 0;
  for (let p = 0; p < subject.weights.length; p++) {
    let best = 0;
    for (let t = 0; t < text.weights.length; t++) {
      let cosine = 0;
      for (let k = 0; k < size; k++)
        cosine += (subject.vectors[p * size + k] ?? 0) * (text.vectors[t * size + k] ?? 0);
      if (cosine > best) best = cosine;
    }
    const weight = subject.weights[p] ?? 0;
    all += weight;
    sum += weight * Math.max(0, (best - leastCosine) / (1 - leastCosine));
  }
  return all === 0 ? 0 : sum / all;
}

/** Cosine of the two weighted means. */
export function meanCosine({ subject }: ReadyPhrase, text: Subject): number {
  let sum = 0;
  for (let k = 0; k < text.mean.length; k++) sum += (subject.mean[k] ?? 0) * (text.mean[k] ?? 0);
  return sum;
}
