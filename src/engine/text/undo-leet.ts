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

const isLetter = (unit: number) => unit >= 97 && unit <= 122;

/** Units that words are written with here: letters, digits and signs. */
const inWords = new Uint8Array(65_536).fill(1, 97, 123);
for (const sign of Object.keys(standsFor)) inWords[sign.charCodeAt(0)] = 1;

interface Word {
  word: string;
  at: number;
}

/** Runs of letters, digits and signs that are more than a word with signs behind it. Linear. */
function* signedWords(text: string): Generator<Word> {
  for (let at = 0; at < text.length; at++) {
    if (inWords[text.charCodeAt(at)] === 0) continue;
    let lettersEnd = at;
    while (isLetter(text.charCodeAt(lettersEnd))) lettersEnd++;
    let end = lettersEnd;
    while (end < text.length && inWords[text.charCodeAt(end)] === 1) end++;
    const word = lettersEnd < end ? text.slice(at, end) : '';
    if (/[a-z]/.test(word) && !plainWord.test(word)) yield { word, at };
    at = end;
  }
}

const plainWord = /^[a-z]+[!*(#+|]*$/;
const longest = 32;
const mostTries = 128;
const readAmong = 30_000;

/**
 * Reads words written with digits and signs (`k1ll`, `b0mb`, `sh*t`) where the result is an ordinary word;
 * undefined when there are none. Other words stay as they are: a strange token is no evidence.
 */
export function readLeet(plain: Mapped, vocabulary: Vocabulary): Mapped | undefined {
  const source = starSigns(plain);
  const words = [...signedWords(source.text)];
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
function readRest(words: readonly Word[]): Reading[] {
  return words.flatMap(({ word, at }) => {
    const core = coreOf(word);
    if (!/[0-9@$]/.test(core) || core.includes('*')) return [];
    return { at: at + word.indexOf(core), read: letterByLetter(core) };
  });
}

/** In a text with several such words, numbers alone may be words too: `15` is, `70` to. */
function readNumbers(text: string, vocabulary: Vocabulary): Reading[] {
  return [...text.matchAll(/(?<![\w.,:$€£/-])[01345789]{1,4}(?![\w.,:%/-]*\w)/g)].flatMap((match) => {
    for (const units of readings(match[0]))
      if (vocabulary.knowsAt(units, 0, units.length, readNumbersAmong))
        return { at: match.index, read: String.fromCharCode(...units) };
    return [];
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
  if (word.length > longest) return undefined;
  const whole = bestReading(word, vocabulary);
  if (whole !== undefined) return whole;
  const core = coreOf(word);
  if (core.length < 2 || /^[a-z]+$/.test(core)) return undefined;
  const at = word.indexOf(core);
  const read = (core === word ? undefined : bestReading(core, vocabulary)) ?? longReading(core);
  return read === undefined ? undefined : word.slice(0, at) + read + word.slice(at + core.length);
}

function bestReading(word: string, vocabulary: Vocabulary): string | undefined {
  let bestId = readAmong;
  for (const units of readings(word)) {
    const id = vocabulary.idAt(units, 0, units.length);
    if (id >= 0 && id < bestId) bestId = id;
  }
  const best = bestId < readAmong ? vocabulary.words[bestId] : undefined;
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

/** All ways to read the word, capped, likeliest letters first; each stands in the same place as the one before. */
function* readings(word: string): Generator<Uint16Array> {
  const options = optionsOf(word);
  const units = Uint16Array.from(options, (letters) => letters.charCodeAt(0));
  const open = options.flatMap((letters, at) => (letters.length > 1 ? { letters, at, turn: 0 } : []));
  for (;;) {
    yield units;
    let last = open.length - 1;
    for (let place = open[last]; place !== undefined; place = open[--last]) {
      const { letters, at } = place;
      place.turn = (place.turn + 1) % letters.length;
      units[at] = letters.charCodeAt(place.turn);
      if (place.turn > 0) break;
    }
    if (last < 0) return;
  }
}

/** The letters that each character may stand for, as many as there are tries for. */
function optionsOf(word: string): string[] {
  let tries = 1;
  return Array.from(word, (char) => {
    const letters = standsFor[char] ?? char;
    if (tries * letters.length > mostTries) return letters.charAt(0);
    tries *= letters.length;
    return letters;
  });
}
