import { type Mapped, MappedWriter } from './mapped.ts';
import { copyRange } from './undo-spacing.ts';
import { strangeWordsOf } from './strange-words.ts';
import type { Vocabulary } from './vocabulary.ts';
import { UnitReader } from './word-table.ts';

const commonWords = 25_000;
const veryCommonWords = 10_000;
const mostRepaired = 200;
const probed = 10;
const leastInProbe = 0.1;
const leastMended = 0.35;
const a = 97;
const z = 122;

const reader = new UnitReader();
const longestWord = 18;
/** A word with a gap filled. */
const filled = new Uint16Array(longestWord + 1);

/** A cheap check: the same letters in another order, one of them shifted perhaps. */
function repairCheaply(word: string, vocabulary: Vocabulary): string | undefined {
  const units = reader.read(word);
  return vocabulary.unscrambled(units) ?? (word.length < 5 ? undefined : shiftedBack(units, vocabulary));
}

/** With one letter changed for the one before or after it in ASCII, as random noise on characters changes them. */
function shiftedBack(units: Uint16Array, vocabulary: Vocabulary): string | undefined {
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0;
    for (const near of [unit - 1, unit + 1]) {
      if (near < a || near > z) continue;
      units[at] = near;
      if (vocabulary.knowsAt(units, 0, units.length, commonWords)) return String.fromCharCode(...units);
      const found = vocabulary.unscrambled(units);
      if (found !== undefined) return found;
    }
    units[at] = unit;
  }
  return undefined;
}

function repair(word: string, vocabulary: Vocabulary): string | undefined {
  return repairCheaply(word, vocabulary) ?? (word.length < 5 ? undefined : filledGap(word, vocabulary));
}

/** With one letter put in, anywhere but at its ends. */
function filledGap(word: string, vocabulary: Vocabulary): string | undefined {
  filled.set(reader.read(word), 1);
  for (let at = 1; at < word.length; at++) {
    filled[at - 1] = filled[at] ?? 0;
    for (let unit = a; unit <= z; unit++) {
      filled[at] = unit;
      if (vocabulary.knowsAt(filled, 0, word.length + 1, veryCommonWords))
        return String.fromCharCode(...filled.subarray(0, word.length + 1));
    }
  }
  return undefined;
}

/**
 * Puts words with scrambled middles (`isntrucitons`) and single shifted letters right, where enough of the text
 * is unknown and most of that can be read; undefined otherwise. Every word is tried a bounded number of times.
 */
export function unscramble(source: Mapped, vocabulary: Vocabulary): Mapped | undefined {
  const { strange, runs } = strangeWordsOf(source, vocabulary);
  const unknown = strange.filter(({ word }) => word.length <= longestWord);
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
