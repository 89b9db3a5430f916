import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fold } from './fold.ts';
import { type Mapped, MappedWriter } from './mapped.ts';
import { tokenise } from './tokens.ts';
import { UnitReader, WordTable } from './word-table.ts';

interface GlossFile {
  /** English words that say nothing grave by themselves. */
  neutral: string;
  languages: Record<string, { marks: string; words: Record<string, string> }>;
}

interface Lexicon {
  /** Frequent words without a meaning of their own. */
  fillers: ReadonlySet<string>;
  words: ReadonlyMap<string, string>;
  /** Beginnings of words, by their first three letters. */
  beginnings: ReadonlyMap<string, readonly (readonly [beginning: string, english: string])[]>;
  /** Length of the longest entry that begins with a character. */
  longest: ReadonlyMap<string, number>;
}

interface Glossary {
  lexicons: ReadonlyMap<string, Lexicon>;
  /** Frequent words of languages in Latin letters. */
  marks: WordTable;
  /** Of each mark. */
  languagesOf: readonly (readonly number[])[];
  marked: readonly string[];
  neutral: ReadonlySet<string>;
}

let glossary: Glossary | undefined;

const headLength = 3;
const english = 'en';
const englishMarks =
  'the of and to is that it you for with this what your how do my from are was not have be they will would should but if or at';

function toLexicon({ marks, words }: { marks: string; words: Record<string, string> }): Lexicon {
  const whole = new Map<string, string>();
  const beginnings = new Map<string, (readonly [string, string])[]>();
  const longest = new Map<string, number>();
  for (const [word, forms] of Object.entries(words))
    for (const entry of fold(forms).text.split(' ')) {
      const form = entry.replaceAll('_', ' ');
      longest.set(form.charAt(0), Math.max(longest.get(form.charAt(0)) ?? 0, form.length));
      if (!form.endsWith('*')) {
        if (!whole.has(form)) whole.set(form, word);
        continue;
      }
      const head = form.slice(0, Math.min(headLength, form.length - 1));
      const list = beginnings.get(head) ?? [];
      list.push([form.slice(0, -1), word]);
      beginnings.set(head, list);
    }
  return { fillers: new Set(marks.split(' ')), words: whole, beginnings, longest };
}

/** `data/lexicons/gloss.json` */
function load(): Glossary {
  const path = join(import.meta.dirname, '../../../data/lexicons/gloss.json');
  const { neutral, languages } = JSON.parse(readFileSync(path, 'utf8')) as GlossFile;
  const marks = new Map<string, number[]>();
  const marked = [english, ...Object.keys(languages)];
  marked.forEach((language, number) => {
    const own = language === english ? englishMarks : (languages[language]?.marks ?? '');
    for (const mark of own.split(' ')) {
      const list = marks.get(mark) ?? [];
      if (!list.includes(number)) list.push(number);
      marks.set(mark, list);
    }
  });
  const lexicons = new Map(Object.entries(languages).map(([name, language]) => [name, toLexicon(language)]));
  return {
    lexicons,
    marks: new WordTable([...marks.keys()]),
    languagesOf: [...marks.values()],
    marked,
    neutral: new Set(neutral.split(' ')),
  };
}

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

function glossWords(text: string, language: string, lexicon: Lexicon): Reading {
  const { words, starts, ends } = tokenise(text);
  let known = 0;
  let all = 0;
  const found = words.flatMap((word, at) => {
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
function glossCharacters(text: string, { words, longest }: Lexicon): Reading {
  const found: Gloss[] = [];
  let covered = 0;
  let at = 0;
  while (at < text.length) {
    const english = entryAt(text, at, words, longest);
    if (english !== undefined) {
      found.push(english);
      covered += english.end - at;
    } else if (isStop(text.charAt(at))) found.push({ english: '.', start: at, end: at + 1 });
    at = english?.end ?? at + 1;
  }
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  return { found, covered: covered / Math.max(1, letters) };
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
  glossary ??= load();
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
