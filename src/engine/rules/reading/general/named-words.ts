/** Which words of a part of a sentence say what is done, to what, and in which place or company. */
import { isEmptyWord } from '../../../actions/things.ts';
import { root, textWords } from '../../../actions/words.ts';
import { actsIn } from './acts-in.ts';
import { bare, functional, light, says } from './word-lists.ts';

/** What stands behind a preposition: "to counterparties in Iran or Syria". */
export interface Tail {
  readonly preposition: string;
  /** Names of which one is enough. */
  readonly names: readonly string[];
}

export interface Named {
  readonly verbs: readonly string[];
  /** Names of things, of which one is enough. */
  readonly things: readonly string[];
  readonly tails: readonly Tail[];
}

const prepositionShape =
  /\b(to|with|from|in|on|for|into|by|of|at|via|through|using|about|that|which|who|whose|within|inside|during|against|under|than|over|onto|where|when|if|across|between|as)\b/;

/** Names in a list: "orders, invoices or supplier bills" → `orders`, `invoices`, `supplier bills`. */
function namesOf(text: string, isOwn: (word: string) => boolean): string[] {
  const parts = text
    .split(/,|\b(?:and|or|nor|plus|neither)\b|[()"=&]/)
    .map((part) => textWords(part).map(bare));
  const names = parts
    .map((words) => words.filter(isOwn).slice(-4))
    .filter((words) => words.length > 0)
    .map((words) => [...new Set(words)].join(' '));
  return [...new Set(names)].slice(0, 12);
}

/** Names something where nothing that says more stands beside it. */
const isWeak = (word: string) => word.length > 2 && !functional.has(word) && !/^\d/.test(word);

/** "A new matter", "case numbers": where only words are left that say little, they are what is meant. */
const weaklyNamed = (text: string, isAct: (word: string) => boolean): string[] => {
  const words = textWords(text)
    .map(bare)
    .filter((word) => isWeak(word) && !isAct(word) && !light.has(word));
  return words.length === 0 ? [] : [words.slice(-2).join(' ')];
};
const vague = /^(?:new|old|same|own|other|whole|full)$/;

const isVague = (name: string) => vague.test(name);

/** Things of the main part; where it names only what says little, those words that are there. */
function headsOf(head: string, isOwn: (word: string) => boolean, isAct: (word: string) => boolean): string[] {
  const named = namesOf(head, isOwn);
  if (!named.every(isVague)) return named;
  return [...named.filter((name) => !isVague(name)), ...weaklyNamed(head, isAct)];
}

const [mostVerbs, mostThings] = [6, 10];

/**
 * What a part of a sentence names: acts by verbs or nouns, things, and what prepositions add.
 * @param topic what stands before a colon, which it is about as well
 */
export function namedIn(text: string, topic = ''): Named {
  const { verbs, nouns } = actsIn(textWords(text).map(bare));
  const acts = verbs.length > 0 ? verbs : nouns;
  const actRoots = new Set(acts.map(root));
  const isAct = (word: string) => actRoots.has(root(word));
  const isOwn = (word: string) => says(word) && !isAct(word) && !light.has(word);
  const [head = '', ...pieces] = text.split(prepositionShape);
  const tails = pieces.flatMap((piece, at): Tail[] => {
    const names = at % 2 === 0 ? namesOf(pieces[at + 1] ?? '', isOwn) : [];
    return names.length === 0 ? [] : [{ preposition: piece, names }];
  });
  const own = headsOf(head, isOwn, isAct);
  const ofTopic = namesOf(topic, isOwn);
  // "Closing of accounts": where the main part names no thing, the first that a preposition adds is it.
  const heads = own.length > 0 || ofTopic.length > 0 ? own : (tails.shift()?.names ?? []);
  const things = [...new Set([...ofTopic, ...heads])].slice(0, mostThings);
  return {
    verbs: [...new Set(acts)].slice(0, mostVerbs),
    things: things.length === 0 && verbs.length > 0 ? [...new Set(nouns)] : things,
    tails,
  };
}

/** Words that say something, for what has to be on record. */
export function tellingIn(text: string): string[] {
  const words = textWords(text)
    .map(bare)
    .filter((word) => !light.has(word));
  const telling = words.filter((word) => says(word) && !isEmptyWord(word));
  return [...new Set(telling.length > 0 ? telling : words.filter(isWeak))];
}
