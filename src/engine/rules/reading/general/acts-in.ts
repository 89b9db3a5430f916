/** Which words of a part of a sentence say what is done. */
import { sameActs } from '../../../actions/judging/same-acts.ts';
import { isEmptyWord, people } from '../../../actions/things.ts';
import { nounSenses, verbSenses } from '../../../actions/verbs.ts';
import { root } from '../../../actions/words.ts';
import { filler, light, says } from './word-lists.ts';

const modal =
  /^(?:never|not|no|to|may|must|can|cannot|shall|should|will|be|been|is|are|was|were|get|gets|and|or|nobody|who|we|you|they|i|always|please|only)$/;
const commanding = /^(?:never|not|must|may|cannot|shall|should|nobody)$/;
const passive = /^(?:be|been|is|are|get|gets|not|never)$/;
const participle = /(?:ed|en|wn|ught|old|id|t)$/;
const beforeGerund = /^(?:before|for|from|by|of|when|while|after|without|in|on|to)$/;
const article = /^(?:the|a|an|our|their|of|any|all|some)$/;

const isKnown = (word: string) => verbSenses(word).length > 0 || sameActs(root(word)).length > 0;

/** A verb that the lists have, by its place: "refund …", "may refund", "before refunding". */
function isKnownVerb(word: string, before: string, at: number): boolean {
  if (word.endsWith('ing')) return at === 0 || beforeGerund.test(before);
  return (at === 0 && !word.endsWith('s')) || modal.test(before);
}

/** "Are dispatched", "must port": what no list has is a verb by its place and its form. */
const isFormedVerb = (word: string, before: string): boolean =>
  (passive.test(before) && participle.test(word) && word.length > 3) ||
  (commanding.test(before) && !word.endsWith('s') && !isEmptyWord(word) && says(word));

function isVerb(word: string, before: string, at: number): boolean {
  if (!isKnown(word)) return isFormedVerb(word, before);
  return isKnownVerb(word, before, at) || isFormedVerb(word, before) || (word.endsWith('ed') && at > 0);
}

/** "Payments", "a refund". */
const isNoun = (word: string, before: string): boolean =>
  nounSenses(word).length > 0 || (isKnown(word) && article.test(before));

/** What is done: by verbs, else by the names of acts. */
export function actsIn(words: readonly string[]): { verbs: string[]; nouns: string[] } {
  const verbs: string[] = [];
  const nouns: string[] = [];
  for (const [at, word] of words.entries()) {
    if (light.has(word) || people.has(word) || filler.has(word)) continue;
    const before = words[at - 1] ?? '';
    // "Payments to suppliers": a plural behind "to" is no verb.
    const isPlural = before === 'to' && word.endsWith('s') && isKnown(word);
    if (!isPlural && isVerb(word, before, at)) verbs.push(word);
    else if (isNoun(word, before)) nouns.push(word);
  }
  return { verbs, nouns };
}
