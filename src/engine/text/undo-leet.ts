import { type Mapped, MappedWriter } from './mapped.ts';
import { copyRange } from './undo-spacing.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What a digit or sign may stand for, likeliest first. */
const standsFor: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'il',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'il',
  '|': 'il',
  '+': 't',
  '€': 'e',
  '£': 'l',
  '¢': 'c',
  '(': 'c',
  '*': 'aeioucsbhrtlnmdgpfkwyvxzjq',
  '#': 'h',
};

const wordPattern = /[a-z0-9@$!|+€£¢(*#]*[a-z][a-z0-9@$!|+€£¢(*#]*/g;
const longest = 32;
const mostTries = 128;
const readAmong = 30_000;

/**
 * Reads words written with digits and signs (`k1ll`, `b0mb`, `sh*t`) where the result is an ordinary word;
 * undefined when there are none. Other words stay as they are: a strange token is no evidence.
 */
export function readLeet(plain: Mapped, vocabulary: Vocabulary): Mapped | undefined {
  const source = starSigns(plain);
  if (!/[a-z][0-9@$!|+€£¢(*#]|[0-9@$!|+€£¢(*#][a-z]/.test(source.text)) return undefined;
  const words = [...source.text.matchAll(wordPattern)].map(({ 0: word, index }) => ({ word, at: index }));
  const found = words.flatMap(({ word, at }) => {
    const read = readWord(word, vocabulary);
    return read === undefined ? [] : { at, read };
  });
  if (found.length === 0) return undefined;
  if (found.length >= fewestForAll) {
    const done = new Set(found.map(({ at }) => at));
    found.push(...readRest(words.filter(({ at }) => !done.has(at))), ...readNumbers(source.text, vocabulary));
  }
  return replaced(
    source,
    found.sort((one, other) => one.at - other.at),
  );
}

const signInWord = /(?<=[a-z])[\u2600-\u27bf\u2b50\u{1f300}-\u{1faff}](?=[a-z])/gu;

/** The text with pictures inside words (`st🌟pid`) as stars, which stand for any letter. */
function starSigns(plain: Mapped): Mapped {
  const { text } = plain;
  const found = /[\u2600-\u2bff\ud83c-\ud83e]/.test(text) ? [...text.matchAll(signInWord)] : [];
  if (found.length === 0) return plain;
  const out = new MappedWriter(text.length);
  let copied = 0;
  for (const { 0: sign, index } of found) {
    copyRange(plain, copied, index, out);
    copied = index + sign.length;
    out.put(42, plain.starts[index] ?? 0, plain.ends[copied - 1] ?? 0);
  }
  copyRange(plain, copied, text.length, out);
  return out.finish();
}

interface Reading {
  at: number;
  read: string;
}

/** Words read by the vocabulary after which the text is taken to be written so throughout. */
const fewestForAll = 3;
const readNumbersAmong = 120;

/** The other words of such a text, letter by letter, signs at their ends left alone. */
function readRest(words: readonly { word: string; at: number }[]): Reading[] {
  return words.flatMap(({ word, at }) => {
    const core = coreOf(word);
    if (!/[0-9@$]/.test(core) || core.includes('*')) return [];
    return { at: at + word.indexOf(core), read: letterByLetter(core) };
  });
}

/** In a text with several such words, numbers alone may be words too: `15` is, `70` to. */
function readNumbers(text: string, vocabulary: Vocabulary): Reading[] {
  return [...text.matchAll(/(?<![\w.,:$€£/-])[01345789]{1,4}(?![\w.,:%/-]*\w)/g)].flatMap((match) => {
    const read = readings(match[0]).find((each) => vocabulary.knows(each, readNumbersAmong));
    return read === undefined ? [] : { at: match.index, read };
  });
}

function replaced(source: Mapped, found: readonly Reading[]): Mapped {
  const out = new MappedWriter(source.text.length);
  let copied = 0;
  for (const { at, read } of found) {
    copyRange(source, copied, at, out);
    for (let i = 0; i < read.length; i++)
      out.put(read.charCodeAt(i), source.starts[at + i] ?? 0, source.ends[at + i] ?? 0);
    copied = at + read.length;
  }
  copyRange(source, copied, source.text.length, out);
  return out.finish();
}

const coreOf = (word: string) => /^[!|+(*#]*(.*?)[!|+(*#]*$/.exec(word)?.[1] ?? '';

const letterByLetter = (word: string) =>
  Array.from(word, (char) => standsFor[char]?.charAt(0) ?? char).join('');

/** The word with letters for signs, of the same length; signs at its edges may stay punctuation. */
function readWord(word: string, vocabulary: Vocabulary): string | undefined {
  if (word.length < 2 || word.length > longest || /^[a-z]+[!*(#+|]*$/.test(word)) return undefined;
  const whole = bestReading(word, vocabulary);
  if (whole !== undefined) return whole;
  const core = coreOf(word);
  if (core.length < 2 || /^[a-z]+$/.test(core)) return undefined;
  const at = word.indexOf(core);
  const read = (core === word ? undefined : bestReading(core, vocabulary)) ?? longReading(core);
  return read === undefined ? undefined : word.slice(0, at) + read + word.slice(at + core.length);
}

function bestReading(word: string, vocabulary: Vocabulary): string | undefined {
  let best: string | undefined;
  let bestId = readAmong;
  for (const reading of readings(word)) {
    const id = vocabulary.id(reading);
    if (id < 0 || id >= bestId) continue;
    best = reading;
    bestId = id;
  }
  // Short ones are mostly names of things: `mp3`, `h2o`, `b4`.
  if (best !== undefined && best.length < 4 && !word.includes('*') && bestId > 3000) return undefined;
  return best;
}

/** A longer word that the vocabulary lacks is still read when it has several signs inside (it may be two words). */
function longReading(word: string): string | undefined {
  const signs = word.replace(/[a-z]/g, '').length;
  if (word.length < 10 || signs < 3 || signs * 2 > word.length || word.includes('*')) return undefined;
  return letterByLetter(word);
}

/** All ways to read the word, capped. */
function readings(word: string): string[] {
  let found = [''];
  for (const char of word) {
    const letters = standsFor[char] ?? char;
    if (found.length * letters.length > mostTries) {
      found = found.map((head) => head + letters.charAt(0));
      continue;
    }
    found = found.flatMap((head) => Array.from(letters, (letter) => head + letter));
  }
  return found;
}
