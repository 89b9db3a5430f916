import { isStopWord, stem } from '../../text/stems.ts';
import { folded, plain, wordsOf } from '../normalise.ts';
import { sentencesOf } from '../sentences.ts';

export interface Unsupported {
  readonly fact: string;
  readonly start: number;
  readonly end: number;
}

export interface Support {
  /** Numbers and names of the reply that are in none of the sources. */
  readonly unsupported: readonly Unsupported[];
  /** Numbers and names of the reply. */
  readonly facts: number;
  /** Share of its other content words that are in a source, 0 to 1. */
  readonly wordsShared: number;
}

const number = /\d[\d.,]*/g;
const name = /\p{Lu}[\p{L}\p{N}'-]+(?: \p{Lu}[\p{L}\p{N}'-]+)*/gu;
const comparable = (fact: string) => fact.replaceAll(/(?<=\d)[.,](?=\d{3}\b)/g, '').replace(/[.,]+$/, '');

/**
 * What of a reply can be found in its sources: numbers, names and words. It tells added facts, not facts that were
 * turned round; a rubric by a language model can.
 */
export function supportOf(text: string, sources: readonly string[]): Support {
  const source = sources.map((each) => wordsOf(comparableNumbers(each))).join('');
  const unsupported: Unsupported[] = [];
  let facts = 0;
  let words = 0;
  let shared = 0;
  const stems = new Set(source.trim().split(' ').map(stem));
  for (const sentence of sentencesOf(text)) {
    const add = (fact: string, index: number) => {
      facts++;
      if (source.includes(wordsOf(comparable(fact)))) return;
      const parts = wordsOf(fact).trim().split(' ');
      if (/\p{L}/u.test(fact) && parts.every((part) => stems.has(stem(part)))) return;
      unsupported.push({ fact, start: sentence.start + index, end: sentence.start + index + fact.length });
    };
    const body = sentence.inList
      ? sentence.text.replace(/^\s*\(?\d{1,2}[.):]/, (mark) => ' '.repeat(mark.length))
      : sentence.text;
    for (const match of body.matchAll(number)) add(match[0], match.index);
    // The first word of a sentence has a capital in any case.
    for (const match of body.matchAll(name))
      if (/[\p{L}\p{N},;]\W*$/u.test(body.slice(0, match.index)))
        if (match[0] !== 'I') add(match[0], match.index);
    for (const word of folded(plain(body)).match(/[\p{L}]{4,}/gu) ?? [])
      if (!isStopWord(word)) {
        words++;
        if (stems.has(stem(word))) shared++;
      }
  }
  return { unsupported, facts, wordsShared: words === 0 ? 1 : shared / words };
}

const comparableNumbers = (text: string) => text.replaceAll(/(?<=\d)[.,](?=\d{3}(?!\d))/g, '');
