import { type Glossary, headLength, type Lexicon, loadGlossary } from './gloss-lexicon.ts';
import { type Mapped, MappedWriter } from './mapped.ts';
import { tokenise } from './tokens.ts';
import { UnitReader } from './word-table.ts';

let glossary: Glossary | undefined;

/** Letters that belong to one language of the lexicon, or to the first that is named. */
const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ['uk', /[іїєґ]/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
];

/** Written without spaces, or with one in every word: entries are looked for at every character. */
const unspaced: ReadonlySet<string> = new Set(['th', 'ja', 'zh', 'vi']);

const sampled = 400;
const enoughLetters = 4;

function languageByScript(sample: string): string | undefined {
  // eslint-disable-next-line no-control-regex -- the range of ASCII, and of Latin with marks
  if (!/[^\u0000-\u024f\u1e00-\u206f]/.test(sample)) return undefined;
  for (const [language, letters] of scripts) {
    const found = sample.match(letters)?.length ?? 0;
    if (found >= (language === 'uk' ? 2 : enoughLetters)) return language;
  }
  return undefined;
}

const reader = new UnitReader();
const space = 32;
const none = [] as const;
const leastMarks = 2;
const leastShare = 0.15;

/** How many words a sample has, and how many of them are frequent words of each language. */
function countMarks(
  sample: string,
  { marks, languagesOf, marked }: Glossary,
): { found: Uint16Array; words: number } {
  const found = new Uint16Array(marked.length);
  const units = reader.read(sample);
  let words = 0;
  for (let from = 0, at = 0; at <= units.length; at++) {
    if (at < units.length && units[at] !== space) continue;
    for (const number of languagesOf[marks.find(units, from, at)] ?? none)
      found[number] = (found[number] ?? 0) + 1;
    words++;
    from = at + 1;
  }
  return { found, words };
}

/** The language in Latin letters whose frequent words are found most often; undefined for English. */
function languageByMarks(sample: string, glossary: Glossary): string | undefined {
  const { found, words } = countMarks(sample, glossary);
  let best = 0;
  for (let number = 1; number < found.length; number++)
    if ((found[number] ?? 0) > (found[best] ?? 0)) best = number;
  const count = found[best] ?? 0;
  return best > 0 && count >= Math.max(leastMarks, words * leastShare) ? glossary.marked[best] : undefined;
}

/** Letters that Arabic writes in front of a word: and, so, with, for, as, the. */
const arabicHeads = /^[وفبلك]?(?:ال|لل)?/u;

function lookUp(word: string, lexicon: Lexicon): string | undefined {
  const whole = lexicon.words.get(word);
  if (whole !== undefined) return whole;
  for (let length = Math.min(headLength, word.length); length > 0; length--)
    for (const [beginning, english] of lexicon.beginnings.get(word.slice(0, length)) ?? [])
      if (word.startsWith(beginning)) return english;
  return undefined;
}

interface Gloss {
  english: string;
  start: number;
  end: number;
}

const isStop = (word: string) => /^[.!?。！？।]$/u.test(word);

/** What could be read, and the share of the text's words that it is. */
interface Reading {
  found: Gloss[];
  covered: number;
}

/** The phrase that begins at a word, punctuation left out, and the number of the token after it. */
function phraseAt(
  words: readonly string[],
  at: number,
  { phrases }: Lexicon,
): { english: string; words: number; next: number } | undefined {
  const list = phrases.get(words[at] ?? '');
  if (list === undefined) return undefined;
  const { run, nexts } = wordsFrom(words, at, list[0]?.words ?? 0);
  for (const { form, words: count, open, english } of list) {
    const next = nexts[count - 1];
    if (next === undefined) continue;
    const said = run.slice(0, count).join(' ');
    if (open ? said.startsWith(form) : said === form) return { english, words: count, next };
  }
  return undefined;
}

/** The next words of a sentence, at most `most`, and the number of the token after each. */
function wordsFrom(words: readonly string[], at: number, most: number): { run: string[]; nexts: number[] } {
  const run: string[] = [];
  const nexts: number[] = [];
  for (let t = at; t < words.length && run.length < most; t++) {
    const word = words[t] ?? '';
    if (isStop(word)) break;
    if (!isWord(word)) continue;
    run.push(word);
    nexts.push(t + 1);
  }
  return { run, nexts };
}

function glossWords(text: string, language: string, lexicon: Lexicon): Reading {
  const { words, starts, ends } = tokenise(text);
  let known = 0;
  let all = 0;
  let after = 0;
  const found = words.flatMap((word, at) => {
    if (at < after) return [];
    const phrase = phraseAt(words, at, lexicon);
    if (phrase !== undefined) {
      after = phrase.next;
      known += phrase.words;
      all += phrase.words;
      return { english: phrase.english, start: starts[at] ?? 0, end: ends[phrase.next - 1] ?? 0 };
    }
    const place = { start: starts[at] ?? 0, end: ends[at] ?? 0 };
    if (isStop(word)) return { english: word === '?' ? '?' : '.', ...place };
    if (lexicon.fillers.has(word) || !isWord(word)) return lookUpIn(word, language, lexicon, place);
    all++;
    const read = lookUpIn(word, language, lexicon, place);
    known += read.length;
    return read;
  });
  return { found, covered: known / Math.max(1, all) };
}

function lookUpIn(word: string, language: string, lexicon: Lexicon, place: Omit<Gloss, 'english'>): Gloss[] {
  const found =
    lookUp(word, lexicon) ?? (language === 'ar' ? lookUp(word.replace(arabicHeads, ''), lexicon) : undefined);
  return found === undefined ? [] : [{ english: found, ...place }];
}

const isWord = (word: string) => /^[\p{L}\p{M}]/u.test(word);
const isLatin = (unit: string) => /^[\p{Script=Latin}\p{M}]$/u.test(unit);

/** The longest entry at each place, one after the other; entries in Latin letters are whole words. */
function glossCharacters(text: string, { words, longest, fillers }: Lexicon): Reading {
  const found: Gloss[] = [];
  let covered = 0;
  let skipped = 0;
  let at = 0;
  while (at < text.length) {
    const english = entryAt(text, at, words, longest);
    if (english !== undefined) {
      found.push(english);
      covered += english.end - at;
    } else if (isStop(text.charAt(at))) found.push({ english: '.', start: at, end: at + 1 });
    else if (fillers.has(text.charAt(at))) skipped++;
    at = english?.end ?? at + 1;
  }
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  return { found, covered: covered / Math.max(1, letters - skipped) };
}

function entryAt(
  text: string,
  at: number,
  words: ReadonlyMap<string, string>,
  longest: ReadonlyMap<string, number>,
): Gloss | undefined {
  if (isLatin(text.charAt(at)) && isLatin(text.charAt(at - 1))) return undefined;
  const most = Math.min(longest.get(text.charAt(at)) ?? 0, text.length - at);
  for (let length = most; length > 0; length--) {
    const english = words.get(text.slice(at, at + length));
    if (english === undefined) continue;
    const end = at + length;
    if (!isLatin(text.charAt(end - 1)) || !isLatin(text.charAt(end))) return { english, start: at, end };
  }
  return undefined;
}

/** Share of a text's words from which on its reading is taken at its word, and logits taken off without any. */
const enoughCovered = 0.6;
const uncoveredDoubt = 3;

/**
 * A text in one of the languages of the lexicon, read word by word in English, words without an entry left out:
 * the models judge what a text speaks of rather than its grammar. `doubt`, in logits, grows with what could not be
 * read. Undefined for English, for unknown languages and where no grave word occurs. Linear in the text's length.
 */
export function readGloss(plain: Mapped): { mapped: Mapped; doubt: number } | undefined {
  glossary ??= loadGlossary();
  const { text } = plain;
  const sample = text.slice(0, sampled);
  const language = languageByScript(sample) ?? languageByMarks(sample, glossary);
  const lexicon = language === undefined ? undefined : glossary.lexicons.get(language);
  if (language === undefined || lexicon === undefined) return undefined;
  const { found, covered } = unspaced.has(language)
    ? glossCharacters(text, lexicon)
    : glossWords(text, language, lexicon);
  const { neutral } = glossary;
  if (!found.some(({ english }) => !neutral.has(english) && english.length > 1)) return undefined;
  const out = new MappedWriter(found.length * 8);
  for (const { english, start, end } of found)
    out.putText(`${english} `, plain.starts[start] ?? 0, plain.ends[end - 1] ?? 0);
  const doubt = (uncoveredDoubt * Math.max(0, enoughCovered - covered)) / enoughCovered;
  return { mapped: out.finish(), doubt };
}
