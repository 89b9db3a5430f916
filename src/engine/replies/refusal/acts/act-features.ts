/**
 * A sentence as hashed features of its words, the same for every language: each word with its neighbours and endings,
 * parts of words, and runs of characters where a script has no spaces. Endings carry the person of a verb where a language
 * has no pronouns.
 */
import { folded } from '../../normalise.ts';
import type { Cue } from '../cue-names.ts';

/** Size of the table of weights; a power of two. */
export const buckets = 1 << 16;

/** Only this much of a sentence is looked at: no sentence that declines is longer. */
const mostCharacters = 700;

/** FNV-1a of 32 bits over UTF-16 code units, with a last mix, since the low bits decide; `size` is a power of two. */
export function hashTo(text: string, size: number): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) & (size - 1);
}

const hash = (text: string) => hashTo(text, buckets);

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const piece =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[\p{L}\p{M}\p{N}]+'?|[!?:;,…()*"“”„«»「」❌🚫-]/gu;
const edge = '$';

const ending = (word: string, length: number) => (word.length > length ? `~${word.slice(-length)}` : word);

function ofWord(words: readonly string[], at: number): number[] {
  const word = words[at] ?? '';
  const last = words[at - 1] ?? edge;
  const next = words[at + 1] ?? edge;
  const afterNext = words[at + 2] ?? edge;
  if (unspaced.test(word)) {
    const third = words[at + 3] ?? edge;
    return [
      `u ${word}`,
      `v ${word}${next}`,
      `x ${word}${next}${afterNext}`,
      `y ${word}${next}${afterNext}${third}`,
    ].map(hash);
  }
  const names = [
    `w ${word}`,
    `b ${word} ${next}`,
    `t ${word} ${next} ${afterNext}`,
    `s ${word} _ ${afterNext}`,
    `e ${word} ${ending(next, 3)}`,
    `f ${word} ${ending(next, 2)}`,
    `g ${ending(word, 2)} ${next}`,
    `h ${word} _ ${ending(afterNext, 2)}`,
    `i ${last} ${ending(word, 2)} ${ending(next, 2)}`,
    `k ${word} _ _ ${words[at + 3] ?? edge}`,
    `z ${word.slice(-5)}`,
  ];
  if (word.length >= 5) {
    const marked = `<${word}>`;
    for (let i = 0; i + 5 <= marked.length && i < 16; i++) names.push(`c ${marked.slice(i, i + 5)}`);
  }
  return names.map(hash);
}

export interface ActFeatures {
  /** Places in the table of weights, for each word or, in scripts without spaces, character. */
  readonly words: readonly (readonly number[])[];
  /** Places of what holds for the sentence as a whole. */
  readonly whole: readonly number[];
}

export function actFeaturesOf(sentence: string, cues: ReadonlySet<Cue>): ActFeatures {
  const pieces = folded(sentence.slice(0, mostCharacters)).match(piece) ?? [];
  const size = `n ${Math.min(6, Math.floor(Math.log2(pieces.length + 1)))}`;
  return {
    words: pieces.map((_, at) => ofWord(pieces, at)),
    whole: ['bias', size, ...[...cues].map((cue) => `q ${cue}`)].map(hash),
  };
}
