/** What the user wants done, and what they forbid, part by part. */
import { isEmptyWord } from '../../things.ts';
import { nounSenses, verbSenses } from '../../verbs.ts';
import { root, textWords } from '../../words.ts';
import { agreedTo } from '../agreed.ts';
import type { Directive, Read } from './directive.ts';
import { readForeignTurn } from './negations-abroad.ts';
import { beginsClause, type Negation, negationAt } from './negations.ts';
import { endOf, isBound } from './scope.ts';
import { sensesOf } from './senses.ts';
import { type Token, tokensOf } from './tokens.ts';

/** The turns of the user, taken apart. */
export interface Directives {
  /** Each turn without what it forbids. */
  readonly wanted: readonly string[];
  /** Empty where nothing is forbidden: then nobody has to tell the parts from one another. */
  readonly parts: readonly Directive[];
}

const hint =
  /n['’]t\b|\b(?:not|no|never|cannot|dont|without|instead|rather|except|excluding|apart|aside|avoid\w*|stop|halt|abort|mind|forget|quit|skip\w*|cease|refrain|abstain|desist|hold|keep|leave|preserve|retain|spare|nothing|none)\b/;

const fillers = new Set(
  `ever please yet actually accidentally automatically simply go goes going try trying attempt dare bother want need have let be get got allow to you me us anyone anybody somebody it them that this under any circumstances by mistake also still even again already first`.split(
    ' ',
  ),
);
const light = new Set(
  'make making do doing issue perform initiate submit place carry create give'.split(' '),
);
const touching = new Set('touch touching do doing act acting mess interfere'.split(' '));
const keeps: ReadonlySet<string> = new Set(['delete', 'cancel', 'disable']);

const joins = /^(?:or|nor|and)$/;
const reach = 8;

interface Acts {
  readonly senses: ReadonlySet<string>;
  /** Where they stand. */
  readonly words: ReadonlySet<number>;
}

/** Stands for whatever does more than look something up. */
const any: ReadonlySet<string> = new Set(['any']);

/** The acts that are named from the head on: "delete, rename or move". */
function actsFrom(tokens: readonly Token[], head: number, end: number): Acts {
  let index = head;
  while (index < Math.min(end, head + reach) && isFiller(tokens, index)) index++;
  const first = tokens[index]?.word ?? '';
  const words = new Set<number>();
  if (index >= end) return { senses: new Set(), words };
  const senses = new Set(
    tokens.slice(index, end).flatMap((_, offset) => {
      const found = joinedActs(tokens, index + offset, index);
      if (found.length > 0) words.add(index + offset);
      return found;
    }),
  );
  const nouns = light.has(first) ? tokens.slice(index + 1, end).flatMap(({ word }) => nounSenses(word)) : [];
  if (nouns.length > 0) return { senses: heard(nouns), words };
  // "Make it public".
  if (first.startsWith('mak')) senses.add('update');
  if (touching.has(first)) return { senses: any, words: words.add(index) };
  return { senses: heard(senses.size > 0 ? senses : firstAct(tokens, index, end)), words };
}

/** Without acts that nobody sees. */
const heard = (senses: Iterable<string>): ReadonlySet<string> =>
  new Set([...senses].filter((sense) => sense !== 'compute' && sense !== 'print'));

function joinedActs(tokens: readonly Token[], at: number, first: number): readonly string[] {
  const isJoined = tokens[at]?.gap === 'pause' || joins.test(tokens[at - 1]?.word ?? '');
  return at === first || isJoined ? sensesOfWord(tokens[at]?.word ?? '', at === first) : [];
}

const isFiller = (tokens: readonly Token[], index: number) => {
  const word = tokens[index]?.word ?? '';
  // "Start deleting".
  const isBeginning = /^(?:start|begin|even)$/.test(word) && tokens[index + 1]?.word.endsWith('ing') === true;
  return fillers.has(word) || isBeginning || (word.length > 4 && word.endsWith('ly'));
};

function sensesOfWord(word: string, isHead: boolean): readonly string[] {
  const verbs = verbSenses(word);
  return verbs.length > 0 || !isHead ? verbs : nounSenses(word);
}

function firstAct(tokens: readonly Token[], from: number, end: number): readonly string[] {
  for (let index = from; index < Math.min(end, from + reach); index++) {
    const found = sensesOfWord(tokens[index]?.word ?? '', true);
    if (found.length > 0) return found;
  }
  return [];
}

const others = new Set(['else', 'other', 'others', 'rest', 'another']);
const noThing = new Set(
  `please yet now without asking ask me until unless before confirm confirmed approval permission say tell told again anymore
  anything anyone anybody everything nothing something somebody it them one ones no not never don't dont file's`.split(
    /\s+/,
  ),
);
/** Behind these a part says on what condition, and of what else. */
const condition = /^(?:without|until|till|unless|before|because|since|as|for|when|while)$/;

function thingsIn(tokens: readonly Token[], leftOut: ReadonlySet<number>, from: number): Set<string> {
  const things = new Set<string>();
  tokens.forEach(({ word }, offset) => {
    if (leftOut.has(from + offset) || noThing.has(word)) return;
    for (const part of textWords(word)) if (!isEmptyWord(part) && !noThing.has(part)) things.add(root(part));
  });
  return things;
}

const isNumber = /^[\d.,]+$/;
const isClock = (word: string) =>
  /^\d{1,2}[:.]\d\d(?:am|pm)?$|^\d{1,3}$|^\d+(?:st|nd|rd|th|am|pm|%)$/.test(word);

/** `a.txt`, `ann@x.example`, `b2`, `4711`: what tells one thing from another of its kind. */
const valuesIn = (tokens: readonly Token[]): string[] =>
  tokens
    .map(({ word }) => word)
    .filter((word) => (/\d/.test(word) && !isClock(word)) || /[\p{L}\d][._/@][\p{L}\d]/u.test(word));

interface Place {
  readonly turn: number;
  readonly tokens: readonly Token[];
  readonly lower: string;
}

function forbidden({ turn, tokens, lower }: Place, negation: Negation, end: number): Directive | undefined {
  const { start, head, kind } = negation;
  if (isBound(lower.slice(tokens[start]?.from ?? 0, tokens[end - 1]?.to))) return undefined;
  const cut = tokens.slice(head + 1, end).findIndex(({ word }) => condition.test(word));
  const last = cut < 0 ? end : head + 1 + cut;
  const { senses, words } = actsOf(tokens, negation, last);
  const before = negation.named === undefined ? head : Math.max(negation.named, start);
  const named = tokens.slice(before, last);
  const things = thingsIn(named, words, before);
  // "1140 instead of 1095": of a number alone nobody can tell what it is for.
  const values = valuesIn(named).filter((value) => kind !== 'same' || !isNumber.test(value));
  // Of an act all may be meant, of what is kept or left out only what is named.
  if (kind === 'act' ? senses.size === 0 : things.size + values.length === 0) return undefined;
  const isOthers = tokens.slice(start, last).some(({ word }) => others.has(word));
  return {
    isForbidden: true,
    senses: senses === any ? 'any' : senses,
    things,
    values,
    isOthers,
    isKept: kind === 'kept',
    turn,
    at: start,
  };
}

/** The acts that are forbidden; the words for them name no thing. */
function actsOf(tokens: readonly Token[], { start, head, kind }: Negation, end: number): Acts {
  if (kind === 'act') return actsFrom(tokens, head, end);
  // What is left alone is not changed either.
  const senses = kind === 'same' ? new Set<string>() : tokens[start]?.word === 'leave' ? any : keeps;
  return { senses, words: new Set() };
}

const longestStop = 40;
const givenUp = /^\W*(?:stop|halt|abort|never ?mind|forget (?:it|that|about it)|stop (?:it|that|now))\W*$/;

const everything = (turn: number): Directive => ({
  isForbidden: true,
  senses: 'any',
  things: new Set(),
  values: [],
  isOthers: false,
  turn,
  at: 0,
});

function wish({ turn }: Place, tokens: readonly Token[], at: number): Directive | undefined {
  if (tokens.length === 0) return undefined;
  const words = tokens.flatMap(({ word }) => textWords(word));
  const senses = sensesOf(words);
  const verb = tokens.findIndex(({ word }) => verbSenses(word).length > 0);
  return {
    isForbidden: false,
    senses,
    things: thingsIn(tokens, new Set([verb]), 0),
    values: valuesIn(tokens),
    isOthers: false,
    turn,
    at,
  };
}

function readTurn(lower: string, turn: number): Read {
  const tokens = tokensOf(lower);
  const place = { turn, tokens, lower };
  const parts: Directive[] = [];
  let wanted = '';
  let [clause, kept] = [0, 0];
  const addWish = (end: number) => {
    const found = wish(place, tokens.slice(clause, end), clause);
    if (found !== undefined) parts.push(found);
  };
  for (let index = 0; index < tokens.length; index++) {
    if (tokens[index]?.gap === 'end' || beginsContrast(tokens, index)) {
      addWish(index);
      clause = index;
    }
    const negation = negationAt(tokens, index);
    if (negation === undefined) continue;
    const end = endOf(tokens, negation);
    const start = Math.max(negation.start, clause);
    const found = forbidden(place, { ...negation, start }, end);
    if (found === undefined) continue;
    addWish(start);
    parts.push(...(negation.kind === 'same' ? asBefore(found, parts) : [found]));
    wanted += `${lower.slice(kept, tokens[start]?.from)} . `;
    kept = tokens[end]?.from ?? lower.length;
    clause = end;
    index = Math.max(index, end - 1);
  }
  addWish(tokens.length);
  return { wanted: wanted + lower.slice(kept), parts };
}

const beginsContrast = (tokens: readonly Token[], index: number) =>
  tokens[index]?.word === 'but' || (tokens[index]?.word === 'and' && beginsClause(tokens, index + 1));

/** "Delete all files except b.txt": what was asked for right before, if it was an act. */
function asBefore(found: Directive, parts: readonly Directive[]): readonly Directive[] {
  const before = parts.findLast(
    ({ isForbidden, senses }) => !isForbidden && senses !== 'any' && senses.size > 0,
  );
  return before === undefined ? [] : [{ ...found, senses: before.senses }];
}

/**
 * Takes the turns of the user apart.
 * @param turns in order
 * @param isForeign whether they are in another language than English; `maybe` where no act was read in them
 */
export function directivesOf(turns: readonly string[], isForeign: boolean | 'maybe'): Directives {
  const lower = turns.map((turn) => turn.toLowerCase());
  if (isForeign === false && !lower.some((turn) => hint.test(turn))) return { wanted: lower, parts: [] };
  const read = lower.map((turn, index) => readWithProposal(turn, index, isForeign));
  const parts = read.flatMap((one) => one.parts);
  return {
    wanted: read.map(({ wanted }) => wanted),
    parts: forbidsIn({ parts }) ? parts : [],
  };
}

/** What an agent says that it will not do forbids nothing; what the user agrees to is asked for. */
function readWithProposal(turn: string, index: number, isForeign: boolean | 'maybe'): Read {
  const at = turn.indexOf(agreedTo);
  if (at < 0) return readAny(turn, index, isForeign);
  const proposal = turn.slice(0, at);
  const own = readAny(turn.slice(at + agreedTo.length), index, isForeign);
  const agreed = wish({ turn: index, tokens: [], lower: proposal }, tokensOf(proposal), -1);
  return {
    wanted: `${proposal}\n${own.wanted}`,
    parts: [...(agreed === undefined ? [] : [agreed]), ...own.parts],
  };
}

function readAny(turn: string, index: number, isForeign: boolean | 'maybe'): Read {
  if (turn.length <= longestStop && givenUp.test(turn)) return { wanted: '', parts: [everything(index)] };
  if (isForeign === true) return readForeignTurn(turn, index);
  const own = readTurn(turn, index);
  return isForeign === false || forbidsIn(own) ? own : readForeignTurn(turn, index);
}

const forbidsIn = ({ parts }: Pick<Read, 'parts'>): boolean => parts.some(({ isForbidden }) => isForbidden);
