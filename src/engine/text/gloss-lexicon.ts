/** Words and turns of phrase of other languages, with the English for each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fold } from './fold.ts';
import { WordTable } from './word-table.ts';

/** `data/lexicons/gloss.json` */
interface GlossFile {
  /** English words that say nothing grave by themselves. */
  neutral: string;
  languages: Record<string, { marks: string; words: Record<string, string> }>;
}

/** `data/lexicons/gloss-phrases.json`: more of both, for some languages. */
interface PhraseFile {
  neutral: string[];
  /** By language. */
  fillers: Record<string, string>;
  languages: Record<string, Record<string, string>>;
}

/** A turn of phrase and the English for it. */
export interface Phrase {
  form: string;
  /** How many words it has. */
  words: number;
  /** Its last word is the beginning of a word. */
  open: boolean;
  english: string;
}

/** What is known of one language. */
export interface Lexicon {
  /** Frequent words without a meaning of their own. */
  fillers: ReadonlySet<string>;
  words: ReadonlyMap<string, string>;
  /** Turns of phrase by their first word, the longest first. */
  phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Beginnings of words, by their first three letters. */
  beginnings: ReadonlyMap<string, readonly (readonly [beginning: string, english: string])[]>;
  /** Length of the longest entry that begins with a character. */
  longest: ReadonlyMap<string, number>;
}

/** The lexicons of all languages. */
export interface Glossary {
  lexicons: ReadonlyMap<string, Lexicon>;
  /** Frequent words of languages in Latin letters. */
  marks: WordTable;
  /** Of each mark. */
  languagesOf: readonly (readonly number[])[];
  marked: readonly string[];
  neutral: ReadonlySet<string>;
}

/** Letters by which beginnings of words are found. */
export const headLength = 3;
const english = 'en';
/** Function words of English, and others that look like words of the lexicons. */
const englishMarks =
  'the of and to is that it you for with this what your how do my from are was not have be they will would should but if or at ' +
  'a an in on by as he she we i me him her us them his its our their has had did does been being am were can could may might ' +
  'must shall about into over under after before between through during without within against up down out off then than so ' +
  'too very just only also even still again more most much many some any no none all each every both few other another such ' +
  'same own who whom whose which when where why here there now today these those because while until since though please ' +
  "don't can't i'm it's that's you're let get got go come make take like one two first new old good";

/** The entries that are phrases, by their first word. */
function toPhrases(entries: Record<string, string>): Map<string, Phrase[]> {
  const phrases = new Map<string, Phrase[]>();
  for (const [english, forms] of Object.entries(entries))
    for (const entry of fold(forms).text.split(' ')) {
      if (!entry.includes('_')) continue;
      const open = entry.endsWith('*');
      const form = entry.slice(0, open ? -1 : entry.length).replaceAll('_', ' ');
      const head = form.slice(0, form.indexOf(' '));
      const list = phrases.get(head) ?? [];
      list.push({ form, words: form.split(' ').length, open, english });
      phrases.set(head, list);
    }
  for (const list of phrases.values()) list.sort((a, b) => b.words - a.words);
  return phrases;
}

function toLexicon(
  { marks, words }: { marks: string; words: Record<string, string> },
  more: Record<string, string> = {},
  moreFillers = '',
): Lexicon {
  const whole = new Map<string, string>();
  const beginnings = new Map<string, (readonly [string, string])[]>();
  const longest = new Map<string, number>();
  for (const [word, forms] of [...Object.entries(words), ...Object.entries(more)])
    for (const entry of fold(forms).text.split(' ')) {
      const form = entry.replaceAll('_', ' ');
      longest.set(form.charAt(0), Math.max(longest.get(form.charAt(0)) ?? 0, form.length));
      if (!form.endsWith('*')) {
        if (!whole.has(form)) whole.set(form, word);
        continue;
      }
      if (form.includes(' ')) continue;
      const head = form.slice(0, Math.min(headLength, form.length - 1));
      const list = beginnings.get(head) ?? [];
      list.push([form.slice(0, -1), word]);
      beginnings.set(head, list);
    }
  return {
    fillers: new Set(`${fold(marks).text} ${fold(moreFillers).text}`.split(' ')),
    words: whole,
    phrases: toPhrases(more),
    beginnings,
    longest,
  };
}

const readLexicon = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../data/lexicons', name), 'utf8'));

const leastLetters = 4;

/**
 * By which words each language, by its number, is recognised: its function words and the longer words of its lexicon,
 * except those that English has too.
 */
function toMarks(marked: readonly string[], lexicons: ReadonlyMap<string, Lexicon>): Map<string, number[]> {
  const ofEnglish = new Set(englishMarks.split(' '));
  for (const { words } of lexicons.values())
    for (const word of words.values()) if (!word.includes(' ')) ofEnglish.add(word);
  const marks = new Map<string, number[]>([...ofEnglish].map((word) => [word, [0]]));
  marked.forEach((language, number) => {
    const lexicon = lexicons.get(language);
    if (lexicon === undefined) return;
    const long = [...lexicon.words.keys()].filter(
      (word) => word.length >= leastLetters && !word.includes(' ') && !ofEnglish.has(word),
    );
    for (const word of new Set([...lexicon.fillers, ...long])) {
      const list = marks.get(word);
      if (list === undefined) marks.set(word, [number]);
      else list.push(number);
    }
  });
  return marks;
}

/** Reads the lexicons of `data/lexicons`. */
export function loadGlossary(): Glossary {
  const { neutral, languages } = readLexicon('gloss.json') as GlossFile;
  const more = readLexicon('gloss-phrases.json') as PhraseFile;
  const marked = [english, ...Object.keys(languages)];
  const lexicons = new Map(
    Object.entries(languages).map(([name, language]) => [
      name,
      toLexicon(language, more.languages[name], more.fillers[name]),
    ]),
  );
  const marks = toMarks(marked, lexicons);
  return {
    lexicons,
    marks: new WordTable([...marks.keys()]),
    languagesOf: [...marks.values()],
    marked,
    neutral: new Set([...neutral.split(' '), ...more.neutral]),
  };
}
