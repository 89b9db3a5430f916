import { actsAbroad } from './foreign-instructions.ts';
import { made, type SentenceWords } from './sentence-words.ts';
import { isUpper, type Units, unitAt } from './units.ts';
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

const limit = 32_768;
/** Words that are not kept (numbers, very long ones) pass through these places; more than a sentence has words. */
const passing = 2048;
const longest = 40;
const tableSize = 65_536;
/** Numbers of one word in the table, side by side so that a look-up reads one line of the processor's cache. */
const entryLength = 8;
const field = { id: 0, low: 1, high: 2, length: 3, bits: 4, slot: 5 } as const;
const mostProbes = 12;

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

/** The slot of a number that stands in `units`; its root is a digit shorter where it ends with two that are the same. */
function slotOfNumber(units: Units, from: number, end: number): number {
  const isCut = end - from > 4 && units[end - 1] === units[end - 2];
  let hash = hashSeed;
  for (let at = from; at < (isCut ? end - 1 : end); at++) hash = hashStep(hash, unitAt(units, at));
  return mixed(hash) % slotCount;
}

const numberAt = (numbers: Int32Array, at: number): number => numbers[at] ?? 0;
const placeFor = (high: number, low: number, length: number) => {
  const joined = Math.imul(high, 0x9e37_79b1) ^ Math.imul(low + length, 0x85eb_ca77);
  return (joined ^ (joined >>> 15)) >>> 0;
};

/**
 * What is known of words, by a number for each: the same few thousand words make up nearly all text, and a word met
 * before costs one look into a table. Bounded: once it is full, new words pass through, and it begins anew with the
 * next text.
 */
export class WordTable {
  readonly #entries = new Int32Array(entryLength * tableSize);
  readonly #bits = new Int32Array(limit);
  readonly #verbLow = new Int32Array(limit);
  readonly #verbHigh = new Int32Array(limit);
  readonly #nounLow = new Int32Array(limit);
  readonly #nounHigh = new Int32Array(limit);
  readonly #slots = new Uint16Array(limit);
  readonly #letters = new Uint8Array(limit * longest);
  #next = passing;
  #passed = 0;

  /** Forgets everything once the table is full; numbers given out before are void. */
  renew(): void {
    if (this.#next < limit) return;
    this.#entries.fill(0);
    this.#next = passing;
  }

  /** Notes beside the words of a sentence what they are; what any of them is. */
  look(words: SentenceWords, units: Units, text: string): number {
    const { made: madeOf, bits: noted, slots } = words;
    const entries = this.#entries;
    let all = 0;
    for (let at = 0; at < words.count; at++) {
      const entry = madeOf[at] === made.ofLetters ? this.#find(words, at, units) : -1;
      if (entry < 0) {
        all |= this.note(this.#new(words, at, units, text), words, at);
        continue;
      }
      const bits = numberAt(entries, entry + field.bits);
      noted[at] = bits;
      slots[at] = numberAt(entries, entry + field.slot);
      if ((bits & is.hasActs) !== 0) this.#noteActs(numberAt(entries, entry + field.id), words, at);
      all |= bits;
    }
    return all;
  }

  /** Notes beside the word at `at` what the table knows of the word `id`. */
  note(id: number, words: SentenceWords, at: number): number {
    const bits = numberAt(this.#bits, id);
    words.bits[at] = bits;
    words.slots[at] = this.#slots[id] ?? 0;
    if ((bits & is.hasActs) !== 0) this.#noteActs(id, words, at);
    return bits;
  }

  #noteActs(id: number, words: SentenceWords, at: number): void {
    words.verbLow[at] = numberAt(this.#verbLow, id);
    words.verbHigh[at] = numberAt(this.#verbHigh, id);
    words.nounLow[at] = numberAt(this.#nounLow, id);
    words.nounHigh[at] = numberAt(this.#nounHigh, id);
  }

  /** The number of a lower-case word. Never kept: for words that hardly come again, or are no ASCII. */
  ofPassing(word: string): number {
    const id = this.#passOn();
    this.#learn(id, word);
    return id;
  }

  /** Where the entry of the word at `at` begins; -1 where it has none. */
  #find(words: SentenceWords, at: number, units: Units): number {
    const entries = this.#entries;
    const from = numberAt(words.from, at);
    const high = numberAt(words.high, at);
    const low = numberAt(words.low, at);
    const length = numberAt(words.end, at) - from;
    let place = placeFor(high, low, length);
    for (let probe = 0; probe < mostProbes; probe++, place++) {
      const entry = (place & (tableSize - 1)) * entryLength;
      const id = numberAt(entries, entry);
      if (id === 0) return -1;
      if (
        entries[entry + field.low] === low &&
        entries[entry + field.high] === high &&
        entries[entry + field.length] === length &&
        (length <= 8 || this.#isAt(id, units, from, length - 8))
      )
        return entry;
    }
    return -1;
  }

  /** Numbers, and names with digits, hardly come again: they are not kept, nor is what there is no room for. */
  #new(words: SentenceWords, at: number, units: Units, text: string): number {
    const [from, end] = [words.from[at] ?? 0, words.end[at] ?? 0];
    if (words.made[at] === made.ofDigits) return this.#ofDigits(units, from, end);
    const word = text.slice(from, end).toLowerCase();
    const isKept = words.made[at] === made.ofLetters && this.#next < limit && word.length <= longest;
    const [high, low] = [words.high[at] ?? 0, words.low[at] ?? 0];
    const place = isKept ? this.#freePlace(high, low, word.length) : -1;
    if (place < 0) return this.ofPassing(word);
    const id = this.#keep(word);
    const [bits, slot] = [numberAt(this.#bits, id), this.#slots[id] ?? 0];
    this.#entries.set([id, low, high, word.length, bits, slot], place * entryLength);
    return id;
  }

  #keep(word: string): number {
    const id = this.#next++;
    for (let letter = 0; letter < word.length; letter++)
      this.#letters[id * longest + letter] = word.charCodeAt(letter);
    this.#learn(id, word);
    return id;
  }

  /** A run of digits has no sense, and may be the number of a step. */
  #ofDigits(units: Units, from: number, end: number): number {
    const id = this.#passOn();
    const unit = end - from === 1 ? unitAt(units, from) : 0;
    const opens = unit >= 49 && unit <= 53 ? is.opener : 0;
    this.#put(id, opens | is.base | is.opensObject, slotOfNumber(units, from, end), none, none);
    return id;
  }

  #freePlace(high: number, low: number, length: number): number {
    let place = placeFor(high, low, length);
    for (let probe = 0; probe < mostProbes; probe++, place++)
      if (this.#entries[(place & (tableSize - 1)) * entryLength] === 0) return place & (tableSize - 1);
    return -1;
  }

  #isAt(id: number, units: Units, from: number, length: number): boolean {
    const begin = id * longest;
    for (let at = 0; at < length; at++) {
      const unit = unitAt(units, from + at);
      if (this.#letters[begin + at] !== (isUpper(unit) ? unit | 32 : unit)) return false;
    }
    return true;
  }

  #passOn(): number {
    this.#passed = (this.#passed + 1) % passing;
    return this.#passed;
  }

  #learn(id: number, word: string): void {
    const verb = actsOf(verbSenses(word));
    const noun = actsOf(moreNouns.get(word) ?? nounSenses(word));
    const isVerb = verb.low !== 0 || verb.high !== 0;
    let bits = bitsOf(word);
    if (isVerb || (bits & (is.light | is.mails)) !== 0) bits |= is.mayTell;
    if (isVerb || noun.low !== 0 || noun.high !== 0) bits |= is.hasActs;
    this.#put(id, bits, slotOf(root(word)), verb, noun);
  }

  #put(id: number, bits: number, slot: number, verb: Acts, noun: Acts): void {
    this.#bits[id] = bits;
    this.#slots[id] = slot;
    this.#verbLow[id] = verb.low;
    this.#verbHigh[id] = verb.high;
    this.#nounLow[id] = noun.low;
    this.#nounHigh[id] = noun.high;
  }
}

const none: Acts = { low: 0, high: 0 };
