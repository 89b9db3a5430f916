import { type Mapped, MappedWriter } from './mapped.ts';
import { copyRange } from './undo-spacing.ts';
import { strangeWordsOf } from './strange-words.ts';
import type { Vocabulary } from './vocabulary.ts';

const commonWords = 25_000;
const veryCommonWords = 10_000;
const mostRepaired = 200;
const probed = 10;
const leastInProbe = 0.1;
const leastMended = 0.35;

/** The letters one place away in ASCII, as random noise on characters makes them. */
function* shiftedLetters(word: string): Generator<string> {
  for (let at = 0; at < word.length; at++)
    for (const step of [-1, 1]) {
      const code = word.charCodeAt(at) + step;
      if (code >= 97 && code <= 122) yield word.slice(0, at) + String.fromCharCode(code) + word.slice(at + 1);
    }
}

/** The word with one letter put in, anywhere but at its ends. */
function* filledGaps(word: string): Generator<string> {
  for (let at = 1; at < word.length; at++)
    for (let code = 97; code <= 122; code++)
      yield word.slice(0, at) + String.fromCharCode(code) + word.slice(at);
}

/** What can be told with few looks: the same letters in another order, one of them shifted perhaps. */
function repairCheaply(word: string, vocabulary: Vocabulary): string | undefined {
  const same = vocabulary.unscrambled(word);
  if (same !== undefined || word.length < 5) return same;
  for (const near of shiftedLetters(word)) {
    if (vocabulary.knows(near, commonWords)) return near;
    const found = vocabulary.unscrambled(near);
    if (found !== undefined) return found;
  }
  return undefined;
}

function repair(word: string, vocabulary: Vocabulary): string | undefined {
  const cheaply = repairCheaply(word, vocabulary);
  if (cheaply !== undefined || word.length < 5) return cheaply;
  for (const near of filledGaps(word)) if (vocabulary.knows(near, veryCommonWords)) return near;
  return undefined;
}

/**
 * Puts words with scrambled middles (`isntrucitons`) and single shifted letters right, where enough of the text
 * is unknown and most of that can be read; undefined otherwise. Every word is tried a bounded number of times.
 */
export function unscramble(source: Mapped, vocabulary: Vocabulary): Mapped | undefined {
  const { strange, runs } = strangeWordsOf(source, vocabulary);
  const unknown = strange.filter(({ word }) => word.length <= 18);
  if (unknown.length < 2 || unknown.length < runs * 0.12) return undefined;
  // Code and other languages are full of unknown words that nothing mends: a few of them show it.
  const probe = unknown.slice(0, probed);
  const mended = probe.filter(({ word }) => repairCheaply(word, vocabulary) !== undefined);
  if (mended.length < probe.length * leastInProbe) return undefined;
  const repaired = unknown.slice(0, mostRepaired).flatMap(({ word, at }) => {
    const read = repair(word, vocabulary);
    return read === undefined ? [] : { at, length: word.length, read };
  });
  if (repaired.length < 2 || repaired.length < unknown.length * leastMended) return undefined;
  const out = new MappedWriter(source.text.length);
  let copied = 0;
  for (const { at, length, read } of repaired) {
    copyRange(source, copied, at, out);
    const start = source.starts[at] ?? 0;
    const end = source.ends[at + length - 1] ?? start;
    for (let i = 0; i < read.length; i++) out.put(read.charCodeAt(i), start, end);
    copied = at + length;
  }
  copyRange(source, copied, source.text.length, out);
  return out.finish();
}
