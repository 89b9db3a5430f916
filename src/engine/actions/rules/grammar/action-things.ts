import type { Condition } from '../../clauses.ts';
import { implied } from '../rule-action.ts';
import type { Known } from '../rule-facts.ts';
import { type ThingPhrase, isEmptyWord, isSpecific, people, phrasesOf } from '../../things.ts';
import { root } from '../../words.ts';
import type { Head } from './head.ts';
import { placesOf } from './places.ts';

export const joints =
  /\b(?:(?:that|which|who|whose) (?:have|has|had|are|is|was|were|contains?|includes?|mentions?|carry|carries|holds?|belongs? to|relates? to|concerns?|references?|names?|do|does)(?: (?:been|to))?|(?:belonging|relating|related|pertaining|addressed|assigned|linked|connected|attached|destined|bound|intended|due) (?:to|for|by)|(?:containing|involving|concerning|regarding|including|holding|carrying|mentioning|showing|that shows?|which shows?|marked|labell?ed|tagged|flagged|classified|called|named|titled|headed|owned by|made by|sent by|written by)(?: (?:as|with))?|to|with|from|in|on|for|into|onto|by|at|via|through|using|about|that|which|who|within|inside|during|against|under|over|across|between|towards?|among|like|as|of|per|without|beyond|upon|near|off)\b/;

const vague = new Set(
  [
    'behalf',
    'advance',
    'case',
    'place',
    'line',
    'accordance',
    'progress',
    'question',
    'fact',
    'general',
    'bulk',
    'particular',
    'person',
    'detail',
    'full',
    'part',
    'agent',
    'purpose',
    'basis',
    'way',
    'company',
    'request',
    'own',
    'form',
    'platform',
    'page',
    'channel',
    'conversation',
    'session',
    'involved',
    'present',
    'shop',
    'store',
  ].map(root),
);

const fillers = new Set(
  'make do give take perform issue process place carry handle put get have use touch access new again already yet out away back together level company way already currently ever else actual actually really touches touching touch involves involving affects affecting concerns concerning given due ago added created older longer remotely'.split(
    ' ',
  ),
);

/** Words of the act, and things that the act says already. */
function dropFor({ used, senses }: Head): (word: string) => boolean {
  const said = new Set(
    senses
      .flatMap((sense) => (implied[sense] ?? '').split(' '))
      .filter(Boolean)
      .map(root),
  );
  return (word) =>
    /^\w{4,}ly$/.test(word) || used.has(root(word)) || said.has(root(word)) || fillers.has(word);
}

const tellsSomething = ({ words, hard }: ThingPhrase) =>
  hard.length > 0 || words.some((word) => !people.has(word) && !vague.has(root(word)));

/** One condition for each part: all of them have to be met, of each one alternative. */
function aboutsOf(text: string, drop: (word: string) => boolean): { abouts: Condition[]; object: boolean } {
  const abouts: Condition[] = [];
  let object = false;
  const joined = [...text.matchAll(new RegExp(joints.source, 'g'))].map(([joint]) => joint);
  text.split(joints).forEach((part, at) => {
    const phrases = phrasesOf(part, drop).map(placesOf);
    const isDropped =
      at === 0 &&
      text.search(joints) > 0 &&
      phrases.every(({ words, hard }) => hard.length === 0 && words.every((word) => people.has(word)));
    const kept = at === 0 && !isDropped ? phrases : phrases.filter(tellsSomething);
    if (kept.length === 0) return;
    if (at === 0) object = true;
    if (at > 0 || kept.some(tellsSomething) || kept.length > 0)
      abouts.push({
        test: 'about',
        phrases: kept.slice(0, 12),
        ...(at > 0 ? { party: true } : {}),
        ...(joined[at - 1] === 'from' ? { source: true } : {}),
      });
  });
  return { abouts: abouts.slice(0, 5), object };
}

const plainThings =
  /\b(agents?|models?|bots?|tasks?|sessions?|tools?|workflows?|requests?|lists?|numbers?|results?|sources?)\s*$/;

/** "Create other agents": a word that elsewhere says too little, and here is all there is. */
function plainObject(rest: string, head: Head): Condition[] {
  const word = plainThings.exec(rest.trim())?.[1];
  return word === undefined || head.used.has(root(word))
    ? []
    : [{ test: 'about', phrases: [{ words: [word], hard: [] }] }];
}

const tries = new Set([
  'failed',
  'successful',
  'unsuccessful',
  'consecutive',
  'attempts',
  'attempt',
  'retries',
  'tries',
  'time',
  'same',
]);

const saysTries = (one: Condition) =>
  one.test === 'about' &&
  one.phrases.every(({ words, hard }) => hard.length === 0 && words.every((word) => tries.has(word)));

const items = new Set(['items', 'item', 'things', 'rows', 'records', 'entries', 'objects', 'elements']);

const saysItems = (one: Condition) =>
  one.test === 'about' &&
  one.phrases.every(({ words, hard }) => hard.length === 0 && words.every((word) => items.has(word)));

/** "One-way": words that say nothing one by one. */
export function takeCompounds(text: string): { conditions: Condition[]; rest: string } {
  const texts: string[] = [];
  const rest = text.replaceAll(/\b([a-z]+)-([a-z]+)\b/g, (whole: string, a: string, b: string) => {
    if (!isEmptyWord(a) && !isEmptyWord(b)) return whole;
    texts.push(`${a}-${b}`, `${a}_${b}`, `${a} ${b}`, `${a}${b}`);
    return ' ';
  });
  return { conditions: texts.length > 0 ? [{ test: 'literal', texts }] : [], rest };
}

/** Beside a place that is given by its name, only words that say just what is meant. */
const strictlyHard = (one: Condition): Condition[] => {
  if (one.test !== 'about') return [one];
  const phrases = one.phrases.filter(({ hard }) => hard.length > 0);
  return phrases.length === one.phrases.length ? [{ test: 'about', phrases }] : [];
};

const specificOnly = (one: Condition): Condition[] =>
  one.test === 'about' && one.phrases.every(({ words, hard }) => hard.length > 0 || words.some(isSpecific))
    ? [one]
    : strictlyHard(one);

/** Of the alternatives those that say just what is meant. */
const named = (one: Condition): Condition[] => {
  if (one.test !== 'about') return [];
  const phrases = one.phrases.filter(({ words, hard }) => hard.length > 0 || words.some(isSpecific));
  return phrases.length > 0 ? [{ test: 'about', phrases }] : [];
};
const hardOnly = (one: Condition): Condition[] => {
  if (one.test !== 'about') return [one];
  const phrases = one.phrases.filter(({ words, hard }) => hard.length > 0 || words.some(isSpecific));
  return phrases.length === one.phrases.length ? [{ test: 'about', phrases }] : [];
};

/** The things of a part of a rule, as far as a call can show them. */
export interface Things {
  abouts: Condition[];
  /** The act has an object. */
  object: boolean;
}

/** What the act is about, without its verbs; `counted` and `repeated` are what the quantities say already. */
export function thingsOf(
  rest: string,
  head: Head,
  { repeated, counted }: { repeated: boolean; counted: boolean },
): Things {
  const { abouts, object } = aboutsOf(rest, dropFor(head));
  if (abouts.length === 0 && head.words.length > 0) abouts.push(...plainObject(rest, head));
  return {
    abouts: abouts.filter((one) => !(repeated && saysTries(one)) && !(counted && saysItems(one))),
    object,
  };
}

/**
 * Things, kinds of data and places together: beside a place that is given by its name only hard words; beside data
 * what is listed with it is as good as it, and the place that it goes to.
 */
export function joinKnown({ abouts, object }: Things, known: Known, placed: boolean): Condition[] {
  const { conditions } = known;
  if (placed || conditions.some(({ test }) => test === 'destination'))
    return [
      ...listed(abouts, object, known),
      ...abouts.flatMap((one, at) => (at === 0 && object && !placed ? specificOnly(one) : strictlyHard(one))),
    ];
  const data = conditions.find(({ test }) => test === 'data');
  if (data === undefined) return [...conditions, ...abouts];
  return [
    ...listed(abouts, object, known),
    ...(object && !known.dataIsObject ? abouts.slice(0, 1).flatMap(hardOnly) : []),
    ...abouts.slice(object ? 1 : 0).filter(tellsPlace),
  ];
}

const places = new Set(
  'ticket tickets log logs chat chats comment comments prompt prompts sms slack teams channel channels message messages wiki email emails mail file files code repository'.split(
    ' ',
  ),
);

/** It says just what is meant, or where data is written. */
const tellsPlace = (one: Condition) =>
  one.test === 'about' &&
  one.phrases.some(
    ({ words, hard }) => hard.length > 0 || words.some((word) => isSpecific(word) || places.has(word)),
  );

function listed(abouts: readonly Condition[], object: boolean, known: Known): Condition[] {
  const others = object && known.dataIsObject ? abouts.slice(0, 1).flatMap(named) : [];
  return known.conditions.map((one) =>
    one.test === 'data' && others.length > 0 ? { test: 'any', of: [[one], others] } : one,
  );
}
