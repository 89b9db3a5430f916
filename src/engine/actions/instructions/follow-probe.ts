import { type OrderMap, perOrder, traits } from './instruction-map.ts';
import { slotCount, slotOf } from './instruction-words.ts';
import { contextBegin, contextEnd } from './span.ts';
import { loadedUnits, loadUnits, unitAt } from './units.ts';

/** Names and texts of a call, as far as a sentence must have them for the call to follow it. */
export interface Sought {
  /** `text` or `place` must stand in the sentence as it is, or all `roots` must be among its own. */
  values: readonly { lower: string; place: string; distinct: boolean; roots: readonly string[] }[];
  passages: readonly { roots: readonly string[] }[];
  things: readonly string[];
}

/** What a {@link FollowProbe} looks for, worked out once for a call. */
export interface ProbePlan {
  grams: number[];
  /** The groups of four characters themselves, for several share a gram. */
  fours: Set<number>;
  /** A value that no gram stands for: every sentence may hold it. */
  isOpen: boolean;
  /** A gram has a blank in it, which a sentence may have in several. */
  hasBlanks: boolean;
  valueSlots: number[];
  thingSlots: number[];
  weights: Map<number, number>;
  hasPassages: boolean;
}

const gramLength = 4;
const gramBits = 12;
/** Small letters have this bit, and capitals are told from them by it alone; a few marks become one, which does no harm. */
const smallBit = 32;
const gramOf = (four: number): number => Math.imul(four, 0x9e37_79b1) >>> (32 - gramBits);

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
function bestFour(text: string, mayBeBlank: boolean): number | undefined {
  let best = -1;
  let found: number | undefined;
  for (let from = 0; from + gramLength <= Math.min(text.length, 200); from++) {
    const score = worth(text, from, mayBeBlank);
    if (score <= best) continue;
    best = score;
    let four = 0;
    for (let at = from; at < from + gramLength; at++) four = (four << 8) | text.charCodeAt(at) | smallBit;
    found = four;
  }
  return found;
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

function addGram(text: string, plan: ProbePlan): void {
  // Sentences that are not plain ASCII are never probed.
  if (!isAscii(text)) return;
  const plain = bestFour(text, false);
  const four = plain ?? bestFour(text, true);
  if (four === undefined) plan.isOpen = true;
  else {
    plan.grams.push(gramOf(four));
    plan.fours.add(four);
  }
  plan.hasBlanks ||= plain === undefined;
}

const longestOf = (words: readonly string[]) =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');

export function planOf({ values, passages, things }: Sought): ProbePlan {
  const plan: ProbePlan = {
    grams: [],
    fours: new Set(),
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
    if (distinct) addGram(/^[a-z]{2}\d{10}/.test(place) ? place.slice(0, 4) : place, plan);
    else if (lower.length >= gramLength) addGram(lower, plan);
    if (!distinct && roots.length > 0) plan.valueSlots.push(slotOf(longestOf(roots)));
  }
  for (const { roots } of passages) addWeights(roots, plan.weights);
  return plan;
}

/** For each root the largest share of a passage that it makes up. */
function addWeights(roots: readonly string[], weights: Map<number, number>): void {
  if (roots.length < 3) return;
  const counts = new Map<number, number>();
  for (const word of roots) counts.set(slotOf(word), (counts.get(slotOf(word)) ?? 0) + 1);
  for (const [slot, count] of counts)
    weights.set(slot, Math.max(weights.get(slot) ?? 0, count / roots.length));
}

const units = loadedUnits;

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
  readonly #grams = new Uint8Array(1 << gramBits);
  #plan: ProbePlan | undefined;

  arm(plan: ProbePlan, countsThings: boolean): void {
    this.#disarm();
    this.#plan = plan;
    if (countsThings) for (const slot of plan.thingSlots) this.#marks[slot] = thing;
    for (const slot of plan.valueSlots) this.#marks[slot] = value;
    for (const [slot, weight] of plan.weights) this.#weights[slot] = weight;
    for (const gram of plan.grams) this.#grams[gram] = 1;
  }

  #disarm(): void {
    const plan = this.#plan;
    if (plan === undefined) return;
    for (const slot of plan.thingSlots) this.#marks[slot] = 0;
    for (const slot of plan.valueSlots) this.#marks[slot] = 0;
    for (const slot of plan.weights.keys()) this.#weights[slot] = 0;
    for (const gram of plan.grams) this.#grams[gram] = 0;
  }

  /** Whether the order whose numbers begin at `at` may have anything in common with the call. */
  mayFollow(map: OrderMap, at: number): boolean {
    const plan = this.#plan;
    const known = map.packed[at + 4] ?? 0;
    if (plan === undefined || plan.isOpen || (known & traits.odd) !== 0) return true;
    if ((known & traits.quotes) !== 0 && plan.hasPassages) return true;
    if ((known & traits.uneven) !== 0 && plan.hasBlanks) return true;
    return this.#sharesRoots(map, at) || (plan.grams.length > 0 && this.#sharesGram(map, at, plan.grams));
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

  #sharesGram(map: OrderMap, at: number, grams: readonly number[]): boolean {
    const { grams: signatures } = map;
    const order = (at - map.firstOrder) / perOrder;
    if (signatures.isMade(order)) return signatures.mayHold(order, grams) && this.#findGram(map, at);
    return signatures.isWorthwhile() ? this.#sign(map, at, order) : this.#findGram(map, at);
  }

  #isSought(four: number, gram: number): boolean {
    return this.#grams[gram] === 1 && this.#plan?.fours.has(four) === true;
  }

  #findGram(map: OrderMap, at: number): boolean {
    loadUnits(map.text);
    const grams = this.#grams;
    const fours = this.#plan?.fours;
    const [begin, end] = [contextBegin(map, at), contextEnd(map, at)];
    let four = 0;
    for (let place = begin; place < end; place++) {
      four = (four << 8) | unitAt(units, place) | smallBit;
      if (grams[gramOf(four)] === 1 && place - begin >= gramLength - 1 && fours?.has(four) === true) return true;
    }
    return false;
  }

  /** The same, and the signature of the order is made on the way. */
  #sign(map: OrderMap, at: number, order: number): boolean {
    loadUnits(map.text);
    const [begin, end] = [contextBegin(map, at), contextEnd(map, at)];
    let isFound = false;
    let four = 0;
    for (let place = begin; place < end; place++) {
      four = (four << 8) | unitAt(units, place) | smallBit;
      if (place - begin < gramLength - 1) continue;
      const gram = gramOf(four);
      map.grams.add(order, gram);
      isFound ||= this.#isSought(four, gram);
    }
    map.grams.finish(order);
    return isFound;
  }
}
