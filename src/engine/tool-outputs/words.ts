/** The words of a text and the classes they belong to, read once and remembered: the judge runs in front of every answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Word {
  /** 32 bits of the word without its usual endings. */
  readonly hash: number;
  /** 32 bits of how it ends, which tells orders from reports in many languages; 0 where it is short. */
  readonly ending: number;
  /** Numbers of its classes. */
  readonly classes: readonly number[];
  /** A bit for each role that it can play, in the order of {@link roles}. */
  readonly roles: number;
}

/**
 * The parts that an order to a reading program is made of, and what speaks against one: each is one or more classes of
 * both lexicons. There are few of them, so that what they mean together can be learned from few examples.
 */
export const roles: readonly (readonly string[])[] = [
  // The program that reads, and that it reads.
  ['model', 'model-abroad', 'reader'],
  ['reads'],
  // Whom it works for, and that this person agreed or need not be asked.
  ['user', 'user-abroad', 'on-behalf', 'you'],
  ['consent'],
  ['conceal', 'no-asking', 'unaware'],
  ['negation', 'negation-abroad', 'skip'],
  // What it is to do, and with what.
  ['do', 'do-abroad', 'send', 'send-abroad', 'put', 'delete'],
  ['does'],
  ['answer', 'tell'],
  ['secret', 'secret-abroad', 'file', 'conversation', 'conversation-abroad', 'private', 'privilege', 'money'],
  ['system-voice', 'authority', 'role', 'obey'],
  ['trigger', 'always', 'priority', 'persist'],
  ['machine-place', 'hiding-place'],
  // People as readers, and talk about attacks.
  ['please-people'],
  ['attack-talk', 'guard'],
  ['told-of'],
  ['<address>'],
  ['<quote>'],
  ['<colon>'],
];

/** FNV-1a of 32 bits over UTF-16 code units. */
export function hashOf(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

interface Lexicon {
  whole: ReadonlyMap<string, readonly number[]>;
  /** Beginnings of words, by their first two letters. */
  beginnings: ReadonlyMap<string, readonly { head: string; id: number }[]>;
  /** Words of scripts without spaces, the longest first. */
  unspaced: readonly string[];
  /** The roles of each class, as bits. */
  rolesOf: readonly number[];
}

const add = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
};

const bitsOf = (name: string): number =>
  roles.reduce((bits, names, at) => (names.includes(name) ? bits | (1 << at) : bits), 0);

const signs: ReadonlyMap<string, number> = new Map([
  ['<url>', bitsOf('<address>')],
  ['<mail>', bitsOf('<address>')],
  ...['"', '“', '„', '«', '‘'].map((sign) => [sign, bitsOf('<quote>')] as const),
  ...[':', '：'].map((sign) => [sign, bitsOf('<colon>')] as const),
]);

const headLength = 2;
let lexicon: Lexicon | undefined;

const withoutSpaces = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function readClasses(name: string): [string, string][] {
  const path = join(import.meta.dirname, '../../../data/lexicons', name);
  return Object.entries(
    (JSON.parse(readFileSync(path, 'utf8')) as { classes: Record<string, string> }).classes,
  );
}

function load(): Lexicon {
  if (lexicon !== undefined) return lexicon;
  const classes = [...readClasses('description-words.json'), ...readClasses('result-words.json')];
  const whole = new Map<string, number[]>();
  const beginnings = new Map<string, { head: string; id: number }[]>();
  const unspaced = new Set<string>();
  for (const [id, [, words]] of classes.entries())
    for (const form of words.toLowerCase().split(' ')) {
      // Expressions of several words are left to the pairs of words.
      if (form.includes('_')) continue;
      const head = form.replace(/\*$/, '');
      if (withoutSpaces.test(head)) unspaced.add(head);
      if (form.endsWith('*') && head.length >= headLength)
        add(beginnings, head.slice(0, headLength), { head, id });
      else add(whole, head, id);
    }
  return (lexicon = {
    whole,
    beginnings,
    unspaced: [...unspaced].toSorted((a, b) => b.length - a.length),
    rolesOf: classes.map(([name]) => bitsOf(name)),
  });
}

/** Words of scripts without spaces that have a class; the longest first. */
export const unspacedWords = (): readonly string[] => load().unspaced;

const stemOf = (word: string): string =>
  word.length < 5 ? word : word.replace(/(?:ies|ing|ed|es|s|en|e)$/, (end) => (end === 'ies' ? 'y' : ''));

function read(text: string): Word {
  if (/^\p{N}/u.test(text)) return { hash: hashOf('0'), ending: 0, classes: [], roles: 0 };
  const { whole, beginnings, rolesOf } = load();
  const own = [
    ...(whole.get(text) ?? []),
    ...(beginnings.get(text.slice(0, headLength)) ?? [])
      .filter(({ head }) => text.startsWith(head))
      .map(({ id }) => id),
  ];
  const ids = [...new Set(own)];
  return {
    hash: hashOf(stemOf(text)),
    ending: text.length > 5 ? hashOf(`~${text.slice(-3)}`) : 0,
    classes: ids,
    roles: ids.reduce((bits, id) => bits | (rolesOf[id] ?? 0), signs.get(text) ?? 0),
  };
}

/** So many words are remembered; a text of nothing but new words costs some 2 µs each. */
const mostRemembered = 50_000;
const longestWord = 40;
const remembered = new Map<string, Word>();

/** @param text one word in lower case, a number, or one sign */
export function wordOf(text: string): Word {
  const key = text.length > longestWord ? text.slice(0, longestWord) : text;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= mostRemembered) remembered.clear();
  const word = read(key);
  remembered.set(key, word);
  return word;
}
