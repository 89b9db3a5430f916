import { fold } from './fold.ts';
import type { TextModel } from './model.ts';
import { isStopWord, stem } from './stems.ts';
import { synonymsOf } from './synonyms.ts';
import { tokenise } from './tokens.ts';
import type { CompiledPhrase } from './types.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Words that policies use about themselves or about any text; not part of the subject. */
const policyWords = new Set(
  `user users ask asks asking request requests requesting content text message messages discuss discussing discussion
  describe describing provide providing give giving offer offering talk talking mention mentioning involve involving
  include including relate related regarding concerning instruction instructions explain explaining promote promoting
  encourage encouraging attempt attempts block allowed allow safe unsafe policy policies violate violates violation
  question questions information advice example examples topic topics response responses seek seeking general ways way
  specific etc statement statements someone people person others make making use using`.split(/\s+/),
);

/** Roughly -log of the share of ordinary text that a word makes up, from its place in the order of frequency. */
export function wordWeight(word: string, vocabulary: Vocabulary): number {
  const id = vocabulary.id(word);
  const rank = id < 0 ? vocabulary.words.length : id;
  return Math.log((rank + 10) / 10);
}

const isWord = (word: string) => /^[\p{L}\p{M}]/u.test(word);

/** Words of a text that can carry a subject. */
const subjectWords = (text: string): string[] =>
  tokenise(fold(text.slice(0, 4000)).text).words.filter((word) => isWord(word) && !isStopWord(word));

/** A phrase with the stems it is recognised by; synonyms count a little less than the word itself. */
export function compilePhrase(text: string, model: TextModel): CompiledPhrase {
  const words = [...new Set(subjectWords(text))];
  const telling = words.filter((word) => !policyWords.has(word));
  const stems = new Map<string, number>();
  for (const word of telling.length > 0 ? telling : words)
    stems.set(stem(word), Math.max(stems.get(stem(word)) ?? 0, wordWeight(word, model.vocabulary)));
  const synonyms: CompiledPhrase['synonyms'] = [];
  for (const each of stems.keys())
    for (const other of synonymsOf(each)) if (!stems.has(other)) synonyms.push([other, each]);
  return { text, stems: [...stems], synonyms, words: telling.length > 0 ? telling : words };
}
