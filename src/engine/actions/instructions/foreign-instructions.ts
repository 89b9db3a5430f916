import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textWords } from '../words.ts';

/** `data/lexicons/orders-abroad.json` */
interface Lexicon {
  acts: Record<string, string>;
}

const path = join(import.meta.dirname, '../../../../data/lexicons/orders-abroad.json');
const { acts } = JSON.parse(readFileSync(path, 'utf8')) as Lexicon;

const found = new Map<string, string[]>();
for (const [act, words] of Object.entries(acts))
  for (const word of words.split(' ')) found.set(word, [...(found.get(word) ?? []), act]);

const none: readonly string[] = [];

/** What an imperative of another language asks for. */
export const actsAbroad = (word: string): readonly string[] => found.get(word) ?? none;

/** Without accents and doubled vowels, which come and go with the form of a word. */
const folded = (word: string): string =>
  word
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([aeou])\1/g, '$1');

const shortestStem = 3;
const longestEnding = 4;

const stems = new Map<string, readonly string[]>();
for (const [word, senses] of found) {
  const plain = folded(word);
  if (plain.length <= shortestStem - 1) continue;
  const stem = plain.slice(0, Math.max(shortestStem, plain.length - 1));
  stems.set(stem, [...new Set([...(stems.get(stem) ?? []), ...senses])]);
}

/** What a word asks for that is another form of a known imperative: "no borres", "ne pas supprimer", "nicht bezahlen". */
export function actsOfForm(word: string): readonly string[] {
  const plain = folded(word);
  const least = Math.max(shortestStem, plain.length - longestEnding);
  for (let length = plain.length; length >= least; length--) {
    const acts = stems.get(plain.slice(0, length));
    if (acts !== undefined && (length > shortestStem || plain.length - length < longestEnding)) return acts;
  }
  return none;
}

/** Whether a text in lower case has a letter beyond ASCII, or an imperative of another language. */
export const isAbroad = (lower: string): boolean =>
  /[^\p{ASCII}]/u.test(lower.replaceAll(/\p{P}/gu, '')) || textWords(lower).some((word) => found.has(word));
