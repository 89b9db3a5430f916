import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A word class found in a text, and at which token. */
export interface ClassHit {
  /** Number of the class in the order of `data/lexicons/description-words.json`. */
  id: number;
  token: number;
}

interface Entry {
  id: number;
  /** The words that must follow the first. */
  rest: readonly string[];
}

interface Lexicon {
  names: readonly string[];
  whole: ReadonlyMap<string, readonly Entry[]>;
  /** Beginnings of words, by their first three letters. */
  beginnings: ReadonlyMap<string, readonly { id: number; head: string }[]>;
  /** Words of scripts without spaces. */
  anywhere: readonly { text: string; id: number }[];
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const headLength = 3;

let lexicon: Lexicon | undefined;

const add = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
};

function readLexicon(): Lexicon {
  const path = join(import.meta.dirname, '../../../data/lexicons/description-words.json');
  const { classes } = JSON.parse(readFileSync(path, 'utf8')) as { classes: Record<string, string> };
  const whole = new Map<string, Entry[]>();
  const beginnings = new Map<string, { id: number; head: string }[]>();
  const anywhere: { text: string; id: number }[] = [];
  Object.values(classes).forEach((words, id) => {
    for (const form of words.toLowerCase().split(' ')) {
      const bare = form.replace(/\*$/, '').replaceAll('_', ' ');
      if (unspaced.test(bare)) {
        anywhere.push({ text: bare, id });
        continue;
      }
      const [head = '', ...rest] = wordsOf(bare);
      if (head === '') continue;
      if (form.endsWith('*') && head.length >= headLength)
        add(beginnings, head.slice(0, headLength), { id, head });
      else add(whole, head, { id, rest });
    }
  });
  return { names: Object.keys(classes), whole, beginnings, anywhere };
}

const load = (): Lexicon => (lexicon ??= readLexicon());

/** Names of the classes; the place of each is its id. */
export const classNames = (): readonly string[] => load().names;

/** The tokens of a lower-case text: words, with apostrophes and leading dots; numbers; marks such as `<url>`; symbols. */
export const wordsOf = (text: string): string[] =>
  text.match(/<[a-z]{2,8}>|[./~]?\p{L}[\p{L}\p{M}]*(?:['’]\p{L}{1,3})?|\p{N}+|[^\s\p{L}\p{N}]/gu) ?? [];

/** Every class that a word of the text belongs to, in order. */
export function classesIn(tokens: readonly string[], text: string): ClassHit[] {
  const { whole, beginnings, anywhere } = load();
  const hits: ClassHit[] = [];
  tokens.forEach((token, at) => {
    for (const { id, rest } of whole.get(token) ?? [])
      if (rest.every((word, i) => tokens[at + 1 + i] === word)) hits.push({ id, token: at });
    for (const { id, head } of beginnings.get(token.slice(0, headLength)) ?? [])
      if (token.startsWith(head)) hits.push({ id, token: at });
  });
  if (unspaced.test(text))
    for (const { text: word, id } of anywhere) {
      const at = text.indexOf(word);
      // Runs of such letters are few tokens: the place within the text stands for that of the token.
      if (at >= 0) hits.push({ id, token: Math.floor((at / text.length) * tokens.length) });
    }
  return hits.sort((a, b) => a.token - b.token);
}
