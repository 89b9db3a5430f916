import { actsAbroad } from './foreign-instructions.ts';
import { type Units, unitAt } from './units.ts';
import { nounSenses, senseNames, verbSenses } from '../verbs.ts';
import { root } from '../words.ts';

/** What a word is in an order, one bit each. */
export const is = {
  /** May stand before an imperative. */
  opener: 1,
  pushes: 2,
  pushesMildly: 4,
  /** "You can find it there" tells where, not what to do. */
  offers: 8,
  ownSubject: 16,
  you: 32,
  joins: 64,
  base: 128,
  participle: 256,
  gerund: 512,
  beforeGerund: 1024,
  be: 2048,
  /** Leaves the act to the noun: "make a payment". */
  light: 4096,
  english: 8192,
  foreign: 16_384,
  /** use, call, invoke: what follows is the act. */
  using: 32_768,
  /** give, send. */
  giving: 65_536,
  money: 131_072,
  /** The very word "you". */
  exactlyYou: 262_144,
  /** Has a sense as a verb, or is light: the only words that an order can begin with. */
  mayTell: 524_288,
  /** Has a sense as a verb or as a noun. */
  hasActs: 1_048_576,
  /** May follow a verb as its object: "the", "all", "5". */
  opensObject: 2_097_152,
  /** An imperative of another language. */
  abroad: 4_194_304,
  /** Of another alphabet than ASCII. */
  accented: 8_388_608,
  /** `english`, and of more than one letter. */
  surelyEnglish: 16_777_216,
  /** must, should, shall. */
  obliges: 33_554_432,
  /** "It has to", "they are to". */
  owes: 67_108_864,
  to: 134_217_728,
  /** What is told by saying how things have to be: "must be", "has to get". */
  becomes: 268_435_456,
  /** Begins a question that asks for something. */
  polite: 536_870_912,
  /** Whoever speaks. */
  speaker: 1_073_741_824,
  /** text, mail, message: a verb before an object. */
  mails: -2_147_483_648,
} as const;

const sets: readonly (readonly [bit: number, words: string])[] = [
  [
    is.opener,
    `please pls plz kindly then now also first next finally instead just and before immediately urgently urgent important note
    reminder system assistant ai agent hey ok so secondly todo task action required step afterwards afterward additionally
    furthermore lastly hi hello dear fyi attention notice p.s ps bot model llm user admin administrator quickly simply
    therefore thus any other work anything else once done do not don't never always only second third 1 2 3 4 5 a b body content subject text message
    description comment review title name instruction instructions request`,
  ],
  [
    is.pushes,
    'please pls plz kindly must should shall you and then now also immediately always or not never directly simply just then first instead',
  ],
  [is.offers, 'can could may might'],
  [is.pushesMildly, "to would will let's that i agent agents assistant assistants"],
  [is.ownSubject, "i we he she they i'll we'll i'd i'm we're it i've who which"],
  [is.you, "you your you'll you're yourself agent agents assistant assistants ai model bot"],
  [is.joins, 'and or so'],
  [is.base, 'read put set run'],
  [is.beforeGerund, 'require requires by involves is suggest recommend'],
  [is.be, 'be'],
  [
    is.light,
    'make do perform initiate issue complete execute process send create give set submit place put use call invoke release authorise authorize arrange trigger',
  ],
  [
    is.english,
    'the a an of to in is are and for on with this that it you your i we be was at by from as or not have has will can my',
  ],
  [
    is.foreign,
    `die der das den dem des ein eine und für auf mit nicht bitte von zu als le la les des un une et pour avec dans sur vous s'il el los las y para con por una del al que il lo gli di per con o os as uma em não het een van voor de en
    na dla się nie oraz przez wszystkie jest och att på är inte för av ve bir için se pro je`,
  ],
  [is.obliges, 'must should shall'],
  [is.owes, 'has have needs need is are'],
  [is.to, 'to'],
  [is.becomes, 'be have get receive reach hold go become stay remain contain read'],
  [is.polite, 'can could would will may might'],
  [is.speaker, 'i we'],
  [is.mails, 'text mail email message sms dm fax phone wire'],
  [is.using, 'use call invoke'],
  [is.giving, 'give send'],
  [is.money, 'money dollar dollars euro euros usd eur funds btc'],
  [is.exactlyYou, 'you'],
  [is.opensObject, 'the a an all any my your our their his her its this that these those it them every each'],
];

const bits = new Map<string, number>();
for (const [bit, words] of sets)
  for (const word of words.split(/\s+/)) bits.set(word, (bits.get(word) ?? 0) | bit);

/** "Make it public", "release a payout". */
const moreNouns = new Map([
  ['public', ['share']],
  ['payout', ['pay']],
]);

const participles = new Set('sent paid bought made written given put read run set reset'.split(' '));

/** "Send", not "sent", "sending" or "sends". */
const isBase = (word: string) =>
  !word.endsWith('ing') &&
  !word.endsWith('ed') &&
  !(word.endsWith('s') && !word.endsWith('ss')) &&
  !participles.has(word);

function bitsOf(word: string): number {
  let found = bits.get(word) ?? 0;
  if (isBase(word)) found |= is.base;
  if (word.endsWith('ed') || participles.has(word)) found |= is.participle;
  if (word.endsWith('ing')) found |= is.gerund;
  if ((found & is.english) !== 0 && word.length > 1) found |= is.surelyEnglish;
  return found | strangeBitsOf(word);
}

function strangeBitsOf(word: string): number {
  let found = actsAbroad(word).length > 0 ? is.abroad : 0;
  if (/^\d/.test(word)) found |= is.opensObject;
  if (/[^\p{ASCII}]/u.test(word)) found |= is.accented;
  return found;
}

const perMask = 30;
const places = new Map(senseNames.map((name, at) => [name, at]));

/** Acts as two numbers of thirty bits each: sets that cost nothing to join and to compare. */
export interface Acts {
  low: number;
  high: number;
}

/** Whether two sets of acts, the first as its two numbers, have one in common. */
export const meets = (low: number, high: number, acts: Acts): boolean =>
  ((low & acts.low) | (high & acts.high)) !== 0;

/** @throws RangeError where there are more acts than bits */
export function actsOf(names: Iterable<string>): Acts {
  const acts = { low: 0, high: 0 };
  for (const name of names) {
    const at = places.get(name) ?? -1;
    if (at >= 2 * perMask) throw new RangeError(`there are more than ${2 * perMask} acts`);
    if (at >= perMask) acts.high |= 1 << (at - perMask);
    else if (at >= 0) acts.low |= 1 << at;
  }
  return acts;
}

export const slotCount = 16_384;
const hashSeed = 0x811c_9dc5 | 0;
const hashStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x0100_0193);
const mixed = (hash: number) => {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return (once ^ (once >>> 13)) >>> 0;
};

/** Which of a few thousand slots a root falls into: equal roots into the same, others hardly ever. */
export function slotOf(rootOfWord: string): number {
  let hash = hashSeed;
  for (let at = 0; at < rootOfWord.length; at++) hash = hashStep(hash, rootOfWord.charCodeAt(at));
  return mixed(hash) % slotCount;
}

/** The slot of a number that stands in the units; its root is a digit shorter where it ends with two that are the same. */
export function slotOfNumber(units: Units, from: number, end: number): number {
  const isCut = end - from > 4 && units[end - 1] === units[end - 2];
  let hash = hashSeed;
  for (let at = from; at < (isCut ? end - 1 : end); at++) hash = hashStep(hash, unitAt(units, at));
  return mixed(hash) % slotCount;
}

/** What is known of a word of lower case. */
export interface WordFacts {
  /** What it is: bits of {@link is}. */
  readonly bits: number;
  /** Of its root. */
  readonly slot: number;
  /** What it does as a verb, and what as a noun. */
  readonly verb: Acts;
  readonly noun: Acts;
}

/** Bits of a run of digits: it has no sense, and may be the number of a step. */
export function bitsOfNumber(units: Units, from: number, end: number): number {
  const unit = end - from === 1 ? unitAt(units, from) : 0;
  return (unit >= 49 && unit <= 53 ? is.opener : 0) | is.base | is.opensObject;
}

export function factsOf(word: string): WordFacts {
  const verb = actsOf(verbSenses(word));
  const noun = actsOf(moreNouns.get(word) ?? nounSenses(word));
  const isVerb = verb.low !== 0 || verb.high !== 0;
  let bits = bitsOf(word);
  if (isVerb || (bits & (is.light | is.mails)) !== 0) bits |= is.mayTell;
  if (isVerb || noun.low !== 0 || noun.high !== 0) bits |= is.hasActs;
  return { bits, slot: slotOf(root(word)), verb, noun };
}
