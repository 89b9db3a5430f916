import { type Mapped, MappedWriter } from './mapped.ts';
import { strangeWordsOf } from './strange-words.ts';
import type { Vocabulary } from './vocabulary.ts';
import { UnitReader } from './word-table.ts';

const commonWords = 12_000;
const mostTested = 24;

type Letters = (unit: number) => number;

const shifted =
  (by: number): Letters =>
  (unit) =>
    unit >= 97 && unit <= 122 ? ((unit - 97 + by) % 26) + 97 : unit;

const mirrored: Letters = (unit) => (unit >= 97 && unit <= 122 ? 219 - unit : unit);

const ciphers: readonly (readonly [name: string, letters: Letters])[] = [
  ['rot13', shifted(13)],
  ['atbash', mirrored],
  ...Array.from({ length: 25 }, (_, i) => i + 1)
    .filter((by) => by !== 13)
    .map((by) => [`rot${by}`, shifted(by)] as const),
];

const decodeWord = (word: string, letters: Letters) =>
  String.fromCharCode(...Array.from(word, (char) => letters(char.charCodeAt(0))));

const reverseWord = (word: string) => Array.from(word).reverse().join('');

/** Decodes a word by a cipher into `out`. */
type Reading = (word: Uint16Array, out: Uint16Array) => void;

const backwards: Reading = (word, out) => {
  for (let i = 0; i < word.length; i++) out[i] = word[word.length - 1 - i] ?? 0;
};

const letterByLetter =
  (letters: Letters): Reading =>
  (word, out) => {
    for (let i = 0; i < word.length; i++) out[i] = letters(word[i] ?? 0);
  };

const reader = new UnitReader();

/**
 * Text whose strange words become ordinary ones under a letter shift, a mirrored alphabet or reversal, read that
 * way; undefined when none fits at least three of them and three in five.
 */
export function decodeCipher(
  source: Mapped,
  vocabulary: Vocabulary,
): { name: string; mapped: Mapped } | undefined {
  const { strange: all, runs } = strangeWordsOf(source, vocabulary);
  if (all.length < 3 || all.length * 5 < runs) return undefined;
  const strange = all.slice(0, mostTested).map(({ word }) => reader.read(word).slice());
  const out = new Uint16Array(Math.max(...strange.map((word) => word.length)));
  const fits = (read: Reading) => {
    const known = strange.filter((word) => {
      read(word, out);
      return vocabulary.knowsAt(out, 0, word.length, commonWords);
    }).length;
    return known >= 3 && known * 5 >= strange.length * 3;
  };
  if (fits(backwards)) return { name: 'reversed', mapped: reverseLines(source, vocabulary) };
  for (const [name, letters] of ciphers)
    if (fits(letterByLetter(letters))) return { name, mapped: substitute(source, letters, vocabulary) };
  return undefined;
}

/** Reads each word by the cipher, but for words that are ordinary as they stand and strange when read. */
function substitute(source: Mapped, letters: Letters, vocabulary: Vocabulary): Mapped {
  const { text } = source;
  const out = new MappedWriter(text.length);
  let at = 0;
  while (at < text.length) {
    const word = /^[a-z]+/.exec(text.slice(at, at + 40))?.[0] ?? '';
    const read = decodeWord(word, letters);
    const keep = vocabulary.knows(word) && !vocabulary.knows(read, commonWords);
    const units = word === '' ? text.charAt(at) : keep ? word : read;
    for (let i = 0; i < units.length; i++)
      out.put(units.charCodeAt(i), source.starts[at + i] ?? 0, source.ends[at + i] ?? 0);
    at += units.length;
  }
  return out.finish();
}

/** Reverses each line as a whole, or word by word where the words stand in their right order. */
function reverseLines(source: Mapped, vocabulary: Vocabulary): Mapped {
  const { text } = source;
  const out = new MappedWriter(text.length);
  let begin = 0;
  for (const line of text.split('\n')) {
    const read = reverseWord(line);
    const start = source.starts[begin] ?? 0;
    const end = source.ends[Math.max(begin, begin + line.length - 1)] ?? start;
    for (let i = 0; i < read.length; i++) out.put(read.charCodeAt(i), start, end);
    out.put(10, end, end);
    begin += line.length + 1;
  }
  void vocabulary;
  return out.finish();
}
