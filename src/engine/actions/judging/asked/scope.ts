/** What a user forbids goes on to the end of the sentence, to a contrast, or to a new wish. */
import { verbSenses } from '../../verbs.ts';
import type { Negation } from './negations.ts';
import { longestPart, type Token } from './tokens.ts';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
const at = (tokens: readonly Token[], index: number): string => tokens[index]?.word ?? '';
const isVerb = (word: string) => verbSenses(word).length > 0;
const nearby = 8;

const contrast = setOf(`but instead however although though rather`);
const fresh = setOf(`just only simply please then now instead i we you let`);
const negators = /^(?:don't|dont|never|mustn't|shouldn't)$/;

/** A list goes on behind a comma where "or" and another verb, or another thing, follow. */
function goesOn(tokens: readonly Token[], index: number): boolean {
  const word = at(tokens, index);
  if (word === 'or' || word === 'nor') return true;
  if (fresh.has(word) || negators.test(word)) return false;
  const and = listEnd(tokens, index, isVerb(word));
  return and !== undefined && (!isVerb(word) || isVerb(at(tokens, and + 1)));
}

/** The "or" of a list; of things the "and" too. */
function listEnd(tokens: readonly Token[], index: number, isOfActs: boolean): number | undefined {
  for (let next = index + 1; next <= index + nearby && tokens[next] !== undefined; next++) {
    const { word, gap } = tokens[next] as Token;
    if (gap === 'end' || (gap === 'pause' && !isOfActs && isVerb(word))) return undefined;
    if (/^n?or$/.test(word) || (word === 'and' && !isOfActs)) return next;
  }
  return undefined;
}

/** "… and send me a summary" is a new wish; "do not open and read it" is none. */
const beginsWish = (tokens: readonly Token[], and: number, head: number): boolean => {
  let next = and + 1;
  while (fresh.has(at(tokens, next)) || at(tokens, next) === 'also') next++;
  return (
    negators.test(at(tokens, next)) ||
    at(tokens, next) === 'do' ||
    (isVerb(at(tokens, next)) && and - head > 1)
  );
};

/** "But", "just", another negation: something else begins. */
const turnsAway = (tokens: readonly Token[], index: number, head: number): boolean => {
  const word = at(tokens, index);
  if (contrast.has(word) || negators.test(word)) return true;
  return word === 'do' ? at(tokens, index + 1) === 'not' : /^(?:just|only)$/.test(word) && index > head + 1;
};

/** The word behind the last one that is forbidden. */
export function endOf(tokens: readonly Token[], { head, kind }: Negation): number {
  const most = Math.min(tokens.length, head + longestPart);
  const first = kind === 'act' ? head : head - 1;
  for (let index = head + 1; index < most; index++) {
    const { word, gap } = tokens[index] as Token;
    if (gap === 'end' || turnsAway(tokens, index, head)) return index;
    if (gap === 'pause' && !goesOn(tokens, index)) return index;
    if (/^(?:and|then|so)$/.test(word) && beginsWish(tokens, index, first)) return index;
  }
  return most;
}

const bound =
  /\b(?:more|less|fewer|higher|lower|longer|older|bigger|larger) than\b|\b(?:over|above|below|under|beyond) [$€£]?\d/;
/** "If it is above the limit", "unless it is old": forbidden in some cases, which nobody can tell here. */
const conditional =
  /\b(?:if|in case|provided|when it|where it|unless (?!i\b|i'|we\b|we'|me\b|you (?:ask|have asked|check)))/;

/** Whether the part only bounds an act, or forbids it in cases that nobody can tell here. */
export const isBound = (text: string): boolean => bound.test(text) || conditional.test(text);
