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

/** Whether a text in lower case has a letter beyond ASCII, or an imperative of another language. */
export const isAbroad = (lower: string): boolean =>
  /[^\p{ASCII}]/u.test(lower.replaceAll(/\p{P}/gu, '')) || textWords(lower).some((word) => found.has(word));
