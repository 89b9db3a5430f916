/** Which words of a part of a sentence say what is done, to what, and in which place or company. */
import { sameActs } from '../../../actions/judging/same-acts.ts';
import { isEmptyWord, people } from '../../../actions/things.ts';
import { nounSenses, verbSenses } from '../../../actions/verbs.ts';
import { root, textWords } from '../../../actions/words.ts';
import { isGrammatical } from '../sentence-words.ts';

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

const filler = new Set(
  `case cases exception exceptions reason way whole full own himself herself someone anyone everybody somebody nobody nothing
  anything everything everyone here there today tomorrow now soon always usually normally generally already still again yet
  longer first last before after beforehand advance time times day days matter matters kind sort really even too
  immediately silently quietly twice once often ever instead above below following else also allowed permitted forbidden
  prohibited okay ok fine right wrong good enough alone exactly only sole solely exclusively anywhere somewhere part row
  another other such same one two three four five six seven eight nine ten me my mine i you your us our`.split(/\s+/),
);
const light = new Set(
  'be is are was been have has had do does did done make makes made take takes taken put puts go goes went gone come comes get gets got keep kept leave leaves left stay stays let give gives given may must can want wants wanted need needs sits cannot shall should will would'.split(
    ' ',
  ),
);

/** Words that join or command, in any reading. */
const functional = new Set(
  `a an the this that these those it its they them their he him his she her we us our you your i me my who whom whose which what
  there here of in on at to for from by with into onto as about over under via and or but nor so yet not no nothing none is are was
  were be been being am do does did has have had will would shall should can could may might must cannot never always only any all
  each every some than then if when where while unless except without until till before after because instead also too both
  either neither nobody anybody anyone everyone everybody please`.split(/\s+/),
);

const says = (word: string) => !isGrammatical(word) && !filler.has(word) && !/^\d/.test(word) && word.length > 1;

const modal =
  /^(?:never|not|no|to|may|must|can|cannot|shall|should|will|be|been|is|are|was|were|get|gets|and|or|nobody|who|we|you|they|i|always|please|only)$/;
const participle = /(?:ed|en|wn|ught|old|id|t)$/;
const prepositionShape =
  /\b(to|with|from|in|on|for|into|by|of|at|via|through|using|about|that|which|who|whose|within|inside|during|against|under|than|over|onto|where|when|if|across|between|as)\b/;

/** An act that the word stands for here: a verb by its place, or the name of an act ("payments", "a refund"). */
function actAt(words: readonly string[], at: number): 'verb' | 'noun' | undefined {
  const word = words[at] ?? '';
  if (light.has(word) || people.has(word) || filler.has(word)) return undefined;
  const before = words[at - 1] ?? '';
  const known = verbSenses(word).length > 0 || sameActs(root(word)).length > 0;
  if (known && /s$/.test(word) && before === 'to') return nounSenses(word).length > 0 ? 'noun' : undefined;
  const isFirst = at === 0 && !/s$/.test(word);
  if (known && (isFirst || modal.test(before) || /ing$/.test(word))) return 'verb';
  // "Are dispatched", "be waived": what no list of acts has is one by its place and its form.
  if (/^(?:be|been|is|are|get|gets|not|never)$/.test(before) && participle.test(word) && word.length > 3)
    return 'verb';
  if (
    /^(?:never|not|must|may|cannot|shall|should|nobody)$/.test(before) &&
    !/s$/.test(word) &&
    !isEmptyWord(word) &&
    says(word)
  )
    return 'verb';
  if (known && /ed$/.test(word) && at > 0) return 'verb';
  if (nounSenses(word).length > 0) return 'noun';
  return known && at > 0 && /^(?:the|a|an|our|their|of|any|all|some)$/.test(before) ? 'noun' : undefined;
}

const irregular: Readonly<Record<string, string>> = {
  spent: 'spend', lent: 'lend', seen: 'see', told: 'tell', shown: 'show', drawn: 'draw', withdrawn: 'withdraw', knives: 'knife',
  wives: 'wife', lives: 'life', leaves: 'leave', lost: 'lose', held: 'hold', built: 'build', hung: 'hang', taught: 'teach', rung: 'ring',
  flown: 'fly', driven: 'drive', overwritten: 'overwrite', sung: 'sing', bought: 'buy', thrown: 'throw', laid: 'lay', cut: 'cut',
};
const bare = (word: string): string => {
  const plain = word.replace(/'s?$/, '');
  return Object.hasOwn(irregular, plain) ? (irregular[plain] ?? plain) : plain;
};

/** Names in a list: "orders, invoices or supplier bills" → `orders`, `invoices`, `supplier bills`. */
function namesOf(text: string, isOwn: (word: string) => boolean): string[] {
  const parts = text.split(/,|\b(?:and|or|nor|plus|neither)\b|[()"=&]/).map((part) => textWords(part).map(bare));
  const names = parts
    .map((words) => words.filter(isOwn).slice(-4))
    .filter((words) => words.length > 0)
    .map((words) => [...new Set(words)].join(' '));
  return [...new Set(names)].slice(0, 12);
}

/** "A new matter", "case numbers": where only words are left that say little, they are what is meant. */
const weaklyNamed = (text: string, isAct: (word: string) => boolean): string[] => {
  const words = textWords(text).map(bare).filter((word) => word.length > 2 && !functional.has(word) && !isAct(word) && !light.has(word) && !/^\d/.test(word));
  return words.length === 0 ? [] : [words.slice(-2).join(' ')];
};
const vague = /^(?:new|old|same|own|other|whole|full)$/;

/** What a part of a sentence names: acts by verbs or nouns, things, and what prepositions add. */
export function namedIn(text: string, topic = ''): Named {
  const words = textWords(text).map(bare);
  const verbs: string[] = [];
  const nouns: string[] = [];
  for (const [at, word] of words.entries()) {
    const act = actAt(words, at);
    if (act === 'verb') verbs.push(word);
    else if (act === 'noun') nouns.push(word);
  }
  const acts = verbs.length > 0 ? verbs : nouns;
  const actRoots = new Set(acts.map(root));
  const isOwn = (word: string) => says(word) && !actRoots.has(root(word)) && !light.has(word);
  const [head = '', ...pieces] = text.split(prepositionShape);
  const tails: Tail[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const names = namesOf(pieces[at + 1] ?? '', isOwn);
    if (names.length > 0) tails.push({ preposition: pieces[at] ?? '', names });
  }
  const named = namesOf(head, isOwn);
  const own = named.every((name) => vague.test(name)) ? [...named.filter((name) => !vague.test(name)), ...weaklyNamed(head, (word) => actRoots.has(root(word)))] : named;
  const ofTopic = namesOf(topic, isOwn);
  const heads = own.length > 0 || tails.length === 0 || ofTopic.length > 0 ? own : (tails.shift()?.names ?? []);
  const things = [...new Set([...ofTopic, ...heads])].slice(0, 10);
  return {
    verbs: [...new Set(acts)].slice(0, 6),
    things: things.length === 0 && verbs.length > 0 ? [...new Set(nouns)] : things,
    tails,
  };
}

/** Words that say something, for what has to be on record. */
export function tellingIn(text: string): string[] {
  const words = textWords(text).map(bare);
  const telling = words.filter((word) => says(word) && !light.has(word) && !isEmptyWord(word));
  const found = telling.length > 0 ? telling : words.filter((word) => word.length > 2 && !functional.has(word) && !light.has(word) && !/^\d/.test(word));
  return [...new Set(found)];
}
