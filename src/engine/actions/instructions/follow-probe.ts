import { type OrderMap, traits } from './instruction-map.ts';
import { slotCount, slotOf } from './instruction-words.ts';
import { contextBegin, contextEnd, widestBegin, widestEnd } from './span.ts';
import { bitOfSmall, fourOf, gramLength, gramsOf } from './text-signature.ts';
import { loadedUnits, loadUnits, type Units } from './units.ts';
import { mayBeGrouped } from './values.ts';

/** Names and texts of a call, as far as a sentence must have them for the call to follow it. */
export interface Sought {
  /** `text` or `place` must stand in the sentence as it is, or all `roots` must be among its own. */
  values: readonly { lower: string; place: string; distinct: boolean; roots: readonly string[] }[];
  passages: readonly { roots: readonly string[] }[];
  things: readonly string[];
}

/** A text with orders. */
export interface Probed {
  readonly map: OrderMap;
  /** The text of the map in lower case. */
  readonly lower: string;
}

/** What a {@link FollowProbe} looks for, worked out once for a call. */
export interface ProbePlan {
  /** Pieces of values of which one stands in a sentence that has a value. */
  needles: Needle[];
  /** A value that no needle stands for: every sentence may hold it. */
  isOpen: boolean;
  /** A needle has a blank in it, which a sentence may have in several. */
  hasBlanks: boolean;
  valueSlots: number[];
  thingSlots: number[];
  weights: Map<number, number>;
  hasPassages: boolean;
}

/** Plain ASCII in lower case. */
interface Needle {
  readonly text: string;
  readonly grams: readonly number[];
  /** The most telling four characters of it, as one number. */
  readonly four: number;
}

const hashBits = 12;
const placeOfHash = (four: number): number => Math.imul(four, 0x9e37_79b1) >>> (32 - hashBits);
const smallBit = bitOfSmall;
const asciiSize = 128;
const lastOfAscii = asciiSize - 1;

/** Of four characters in a row, how telling they are: those with digits and marks stand in few sentences; -1 for none. */
function worth(text: string, from: number, mayBeBlank: boolean): number {
  let score = 0;
  for (let at = from; at < from + gramLength; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= 32 && (unit !== 32 || !mayBeBlank)) return -1;
    if (unit < 97 || unit > 122) score++;
  }
  return score;
}

/** The most telling four characters of a text. */
function bestFour(text: string, mayBeBlank: boolean): string | undefined {
  let best = -1;
  let found: string | undefined;
  for (let from = 0; from + gramLength <= Math.min(text.length, 200); from++) {
    const score = worth(text, from, mayBeBlank);
    if (score <= best) continue;
    best = score;
    found = text.slice(from, from + gramLength);
  }
  return found;
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);
const isOnePiece = (text: string) => /^[!-~]+$/.test(text);

/** What may be parted otherwise in a sentence (a telephone number) is looked for by a piece of it. */
function addNeedle(text: string, plan: ProbePlan): void {
  // Sentences that are not plain ASCII are never probed.
  if (!isAscii(text)) return;
  const plain = bestFour(text, false);
  const four = plain ?? bestFour(text, true);
  const needle = isOnePiece(text) && !mayBeGrouped(text) ? text : four;
  if (four === undefined || needle === undefined) plan.isOpen = true;
  else plan.needles.push({ text: needle, grams: gramsOf(needle), four: fourOf(four) });
  plan.hasBlanks ||= plain === undefined;
}

const longestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');

export function planOf({ values, passages, things }: Sought): ProbePlan {
  const plan: ProbePlan = {
    needles: [],
    isOpen: false,
    hasBlanks: false,
    valueSlots: [],
    thingSlots: things.map(slotOf),
    weights: new Map(),
    hasPassages: passages.length > 0,
  };
  for (const { lower, place, distinct, roots } of values) {
    // The place of a value stands in the value itself.
    // An account begins with a group of four, in one piece or in several.
    if (distinct) addNeedle(/^[a-z]{2}\d{10}/.test(place) ? place.slice(0, 4) : place, plan);
    else if (lower.length >= gramLength) addNeedle(lower, plan);
    if (!distinct && roots.length > 0) plan.valueSlots.push(slotOf(longestOf(roots)));
  }
  for (const { roots } of passages) addWeights(roots, plan.weights);
  return plan;
}

/** For each root the largest share of a passage that it makes up. */
function addWeights(roots: readonly string[], weights: Map<number, number>): void {
  if (roots.length < 3) return;
  const counts = new Map<number, number>();
  for (const word of roots) {
    const slot = slotOf(word);
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  for (const [slot, count] of counts)
    weights.set(slot, Math.max(weights.get(slot) ?? 0, count / roots.length));
}

const [value, thing] = [1, 2];
/** Below the share that counts as dictated by more than rounding. */
const dictatedFrom = 0.69;

/**
 * Tells which sentences a call cannot follow, from numbers alone. What it lets through is compared letter by letter
 * afterwards, so it may let through too many, never too few. One for all calls: it is armed with the plan of one.
 */
export class FollowProbe {
  readonly #marks = new Uint8Array(slotCount);
  readonly #weights = new Float32Array(slotCount);
  /** By hashes of needles' four characters, and by the last of the four. */
  readonly #hashes = new Uint8Array(1 << hashBits);
  readonly #lasts = new Uint8Array(asciiSize);
  #plan: ProbePlan | undefined;
  /** Traits of sentences that cannot be probed. */
  #open = 0;
  #probed: Probed | undefined;
  /** Whether it has been looked at which needles may stand in it. */
  #isSifted = false;
  /** Those of them that its signature does not deny; undefined where it has none. */
  #left: readonly Needle[] | undefined;

  arm(plan: ProbePlan, countsThings: boolean): void {
    this.#disarm();
    this.#plan = plan;
    this.#open = traits.odd | (plan.hasPassages ? traits.quotes : 0) | (plan.hasBlanks ? traits.uneven : 0);
    if (countsThings) for (const slot of plan.thingSlots) this.#marks[slot] = thing;
    for (const slot of plan.valueSlots) this.#marks[slot] = value;
    for (const [slot, weight] of plan.weights) this.#weights[slot] = weight;
    for (const { four } of plan.needles) this.#mark(four, 1);
  }

  #disarm(): void {
    const plan = this.#plan;
    if (plan === undefined) return;
    for (const slot of plan.thingSlots) this.#marks[slot] = 0;
    for (const slot of plan.valueSlots) this.#marks[slot] = 0;
    for (const slot of plan.weights.keys()) this.#weights[slot] = 0;
    for (const { four } of plan.needles) this.#mark(four, 0);
  }

  #mark(four: number, is: 0 | 1): void {
    this.#hashes[placeOfHash(four)] = is;
    this.#lasts[four & lastOfAscii] = is;
  }

  /** Takes up a text; what is asked from now on is about its orders. */
  lookAt(probed: Probed): void {
    this.#probed = probed;
    this.#isSifted = false;
  }

  /** Whether the order whose numbers begin at `at` may have anything in common with the call. */
  mayFollow(at: number): boolean {
    const plan = this.#plan;
    const map = this.#probed?.map;
    if (plan === undefined || map === undefined) return true;
    if (plan.isOpen || ((map.packed[at + 4] ?? 0) & this.#open) !== 0) return true;
    return this.#sharesRoots(map, at) || (plan.needles.length > 0 && this.#holdsNeedle(map, at));
  }

  #sharesRoots({ packed, slots }: OrderMap, at: number): boolean {
    const end = slots + (packed[at + 6] ?? 0);
    let share = 0;
    for (let slot = slots + (packed[at + 5] ?? 0); slot < end; slot++) {
      const root = packed[slot] ?? 0;
      if (this.#marks[root] !== 0) return true;
      share += this.#weights[root] ?? 0;
    }
    return share >= dictatedFrom;
  }

  /** Whether one of the needles may stand in the context of the order. */
  #holdsNeedle(map: OrderMap, at: number): boolean {
    if (!this.#isSifted) this.#sift(map);
    const left = this.#left;
    if (left === undefined) return this.#findFour(map, at);
    if (left.length === 0) return false;
    const lower = this.#probed?.lower ?? '';
    // A letter that is two in lower case has moved all that comes after it: a needle may stand in any order then.
    if (lower.length !== map.text.length) return true;
    return (
      isOneIn(left, lower.slice(widestBegin(map, at), widestEnd(map, at))) &&
      isOneIn(left, lower.slice(contextBegin(map, at), contextEnd(map, at)))
    );
  }

  /** Of a text that comes once only the contexts of orders are read. */
  #findFour(map: OrderMap, at: number): boolean {
    loadUnits(map.text);
    // Imported names are looked up each time, so not within the loop.
    const [units, lasts] = [loadedUnits, this.#lasts];
    const end = contextEnd(map, at);
    for (let place = contextBegin(map, at) + gramLength - 1; place < end; place++)
      if (lasts[((units[place] ?? 0) | smallBit) & lastOfAscii] === 1 && this.#isFourAt(units, place))
        return true;
    return false;
  }

  /** Whether four characters that are sought end at `last`. */
  #isFourAt(units: Units, last: number): boolean {
    let four = 0;
    for (let place = last - gramLength + 1; place <= last; place++)
      four = (four << 8) | (units[place] ?? 0) | smallBit;
    return this.#hashes[placeOfHash(four)] === 1 && this.#isSought(four);
  }

  #isSought(wanted: number): boolean {
    return this.#plan?.needles.some(({ four }) => four === wanted) === true;
  }

  /** Which needles are left of a text that has a signature: it tells which surely are not there. */
  #sift({ signature }: OrderMap): void {
    this.#isSifted = true;
    this.#left = signature.ask()
      ? this.#plan?.needles.filter(({ grams }) => signature.mayHold(grams))
      : undefined;
  }
}

function isOneIn(needles: readonly Needle[], text: string): boolean {
  for (const needle of needles) if (text.includes(needle.text)) return true;
  return false;
}
