/** What the judge of descriptions reads in a sentence: words and their order, word classes and theirs, the manner of it. */
import { fold } from '../text/fold.ts';
import type { Unit } from './units.ts';
import { classesIn, classNames, wordsOf } from './word-classes.ts';

/** Number of weights; features share them by their hash. */
export const buckets = 2 ** 18;

/** A feature and how much there is of it. */
export interface Feature {
  bucket: number;
  value: number;
  /** Tokens that it was read from. */
  from: number;
  to: number;
}

export interface Reading {
  tokens: string[];
  features: Feature[];
}

const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c1b3c6d);
  return (value ^ (value >>> 13)) & (buckets - 1);
};

/** Addresses, identifiers and paths differ from text to text: what counts is that there is one. */
const normalised = (text: string): string =>
  fold(text)
    .text.replaceAll(/\b(?:https?|wss?|ftp):\/\/[^\s"'<>)\]]+/g, ' <url> ')
    .replaceAll(/(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, ' <mail> ')
    .replaceAll(
      /\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|io|dev|example|test|invalid|co|app|ai|ru|cn|xyz|info|me)\b(?:\/\S*)?/g,
      ' <host> ',
    )
    .replaceAll(/`([^`\s]{1,60})`/g, ' <code> $1 ')
    .replaceAll(/\b[a-z0-9]+(?:[_-][a-z0-9]+)+\b(?:\(\))?/g, (name) =>
      name.includes('_') ? ` <name> ${name.replaceAll(/[_()-]+/g, ' ')} ` : name,
    );

/** Quotations of two words and more. */
const quoted =
  /(?<![\p{L}\p{N}])(?:"([^"\n]{3,300}\s[^"\n]{1,300})"|[“„]([^“”„\n]{3,300}\s[^“”„\n]{1,300})[“”]|['‘]([^'‘’\n]{3,300}\s[^\n'‘’]{1,300})['’])(?![\p{L}\p{N}])/gu;

/**
 * What a text says, and what it only quotes: documentation of a filter names the orders that it finds. A text that is
 * hardly more than a quotation says it itself.
 */
function apart(text: string): { said: string; quotes: string } {
  const quotes: string[] = [];
  const said = text.replaceAll(quoted, (_, ...parts: (string | undefined)[]) => {
    quotes.push(parts.slice(0, 3).find((part) => part !== undefined) ?? '');
    return ' <quote> ';
  });
  return said.replaceAll(/<quote>|\P{L}/gu, '').length < 12
    ? { said: text, quotes: '' }
    : { said, quotes: quotes.join(' ') };
}

/** The word without the endings of plurals and verbs. */
const stem = (word: string): string => {
  if (word.length < 5) return word;
  const plain = word.replace(/(?:'s|’s)$/, '');
  if (/(?:ss|us|is)$/.test(plain)) return plain;
  return plain
    .replace(/ies$/, 'y')
    .replace(/(?<=[^aeiou]{2}|[aeiou][^aeiou])(?:ing|ed)$/, '')
    .replace(/(?<=[sxz]|ch|sh)es$/, '')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=.{4})e$/, '');
};

const numbers = /^\p{N}+$/u;

/**
 * The features of a unit. Each kind is scaled so that long sentences do not count more than short ones.
 */
export function readUnit(unit: Unit): Reading {
  const { said: text, quotes } = apart(normalised(unit.text));
  const raw = wordsOf(text);
  const words = raw.map((word) => (numbers.test(word) ? '0' : stem(word)));
  const features: Feature[] = [];
  const seen = new Set<number>();
  const group = (
    fill: (add: (key: string, from: number, to: number) => void) => void,
    weight: number,
  ): void => {
    const first = features.length;
    fill((key, from, to) => {
      const bucket = hash(key);
      if (seen.has(bucket)) return;
      seen.add(bucket);
      features.push({ bucket, value: 1, from, to });
    });
    const count = features.length - first;
    const value = weight / Math.sqrt(Math.max(count, 4));
    for (let i = first; i < features.length; i++) {
      const feature = features[i];
      if (feature !== undefined) feature.value = value;
    }
  };
  const isOpen = (word: string) => /[\p{L}<]/u.test(word);
  group((add) => {
    words.forEach((word, i) => add(`w ${word}`, i, i));
  }, 1);
  group((add) => {
    for (let i = 0; i < words.length; i++) {
      const [a = '', b = '', c = ''] = words.slice(i, i + 3);
      if (b === '') break;
      add(`b ${a} ${b}`, i, i + 1);
      if (c !== '' && isOpen(a) && isOpen(c)) add(`s ${a} ${c}`, i, i + 2);
    }
  }, 1);
  if (quotes !== '')
    group((add) => {
      for (const word of wordsOf(quotes))
        add(`q ${stem(word)}`, words.indexOf('<quote>'), words.indexOf('<quote>'));
    }, 0.4);
  const hits = classesIn(raw, text);
  const names = classNames();
  const nameOf = (id: number) => names[id] ?? '';
  group((add) => {
    for (const { id, token } of hits) add(`c ${nameOf(id)}`, token, token);
  }, 1.2);
  group((add) => {
    const reach = 14;
    for (let i = 0; i < hits.length; i++)
      for (let j = i + 1; j < hits.length && j < i + 24; j++) {
        const [a, b] = [hits[i], hits[j]];
        if (a === undefined || b === undefined || b.token - a.token > reach || a.token === b.token) continue;
        add(`p ${nameOf(a.id)} ${nameOf(b.id)}`, a.token, b.token);
      }
  }, 1.6);
  group((add) => {
    // A word beside a class: "without asking" is not "without a prefix".
    for (const { id, token } of hits)
      for (const near of [token - 2, token - 1, token + 1, token + 2]) {
        const word = words[near];
        if (word !== undefined && isOpen(word))
          add(
            `m ${near < token ? '<' : '>'} ${nameOf(id)} ${word}`,
            Math.min(near, token),
            Math.max(near, token),
          );
      }
  }, 0.8);
  if (/[^\p{ASCII}\p{P}\p{S}\p{Extended_Pictographic}]/u.test(text) || hits.length === 0)
    group((add) => {
      raw.forEach((word, i) => {
        if (word.length < 2 || word.startsWith('<')) return;
        const ringed = `^${word}$`;
        for (let at = 0; at + 3 <= ringed.length && at < 24; at++)
          add(
            `g ${ringed.slice(at, at + (word.length > 3 && /^[\p{Script=Latin}\p{Script=Cyrillic}^$]+$/u.test(ringed) ? 4 : 2))}`,
            i,
            i,
          );
      });
    }, 1);
  group((add) => {
    const last = words.length - 1;
    add(`f ${unit.place}`, 0, last);
    add(`l ${Math.min(5, Math.floor(Math.log2(words.length + 1)))}`, 0, last);
    add(`o ${words[0] ?? ''}`, 0, 0);
    add(`o2 ${words[0] ?? ''} ${words[1] ?? ''}`, 0, 1);
    const first = hits[0];
    if (first !== undefined && first.token <= 1) add(`oc ${nameOf(first.id)} ${unit.place}`, 0, first.token);
    for (const { id } of hits) add(`fc ${unit.place} ${nameOf(id)}`, 0, last);
    const letters = unit.text.replaceAll(/[^\p{L}]/gu, '');
    const capitals = letters.replaceAll(/[^\p{Lu}]/gu, '').length;
    if (letters.length >= 12 && capitals > letters.length * 0.4) add('shouted', 0, last);
    if (/<[a-z!/]|\[\/?\w+\]|###|%%/i.test(unit.text)) add('markup', 0, last);
  }, 1);
  return { tokens: raw, features };
}
