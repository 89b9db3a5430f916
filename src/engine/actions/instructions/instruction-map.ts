import { type Acts, slotCount } from './instruction-words.ts';
import type { SentenceWords } from './sentence-words.ts';
import { mostSentences } from './sentences.ts';
import { TextSignature } from './text-signature.ts';

/** Bits of what is known of the sentence of an order beside its words. */
export const traits = {
  foreign: 1,
  /** Its words can be compared letter by letter only: it is not plain ASCII. */
  odd: 2,
  /** There are blanks in it that the sentence itself will not have. */
  uneven: 4,
  /** Something stands in quotation marks. */
  quotes: 8,
} as const;

/**
 * Numbers for each order in `packed`: sentence, acts (two), strength, traits, where its slots begin and end, where its
 * context begins and ends (`reach`).
 */
export const perOrder = 9;

/** Places of the bounds of an order's context among its numbers; the end is -1 until it is asked for. */
export const reach = { begin: 7, end: 8 } as const;

/** Numbers of a map: how many sentences and orders it has, and where in `packed` they begin. */
interface MapNumbers {
  readonly sentences: number;
  readonly orders: number;
  /** Where its numbers begin: where each sentence begins and ends. */
  readonly from: number;
  /** Where the numbers of the first order begin, `perOrder` for each. */
  readonly firstOrder: number;
  /** Where the slots of their roots begin. */
  readonly slots: number;
}

/**
 * Where the orders in a text stand and what they tell, packed into numbers. A class, like all that lives as long as a trace
 * does: what literals make in great numbers and keep for a while, V8 soon makes among the old objects, where it keeps its
 * text from being collected with the young ones.
 */
export class OrderMap implements MapNumbers {
  /** The text with its sentences as they are read; what positions refer to. */
  readonly text: string;
  /** Holds this map and others. */
  readonly packed: Int32Array;
  readonly sentences: number;
  readonly orders: number;
  readonly from: number;
  readonly firstOrder: number;
  readonly slots: number;
  /** Which groups of characters stand in the text. */
  readonly signature: TextSignature;

  constructor(text: string, packed: Int32Array, { sentences, orders, from, firstOrder, slots }: MapNumbers) {
    this.text = text;
    this.packed = packed;
    this.sentences = sentences;
    this.orders = orders;
    this.from = from;
    this.firstOrder = firstOrder;
    this.slots = slots;
    this.signature = new TextSignature(text);
  }
}

const maxOrders = 200;
/** Numbers kept together: many small arrays would cost more to make than to fill. */
const chunkLength = 16_384;
const noOrders = new OrderMap('', new Int32Array(0), {
  sentences: 0,
  orders: 0,
  from: 0,
  firstOrder: 0,
  slots: 0,
});

/** Room for one map after the other, while a text is read. */
export class OrderPack {
  readonly #bounds = new Int32Array(2 * mostSentences);
  readonly #orders = new Int32Array(perOrder * maxOrders);
  #slots = new Int32Array(4096);
  readonly #lastIn = new Int32Array(slotCount);
  #stamp = 0;
  #chunk = new Int32Array(chunkLength);
  #used = 0;
  #sentenceCount = 0;
  #orderCount = 0;
  #slotCount = 0;

  clear(): void {
    this.#sentenceCount = this.#orderCount = this.#slotCount = 0;
  }

  get isFull(): boolean {
    return this.#sentenceCount >= mostSentences;
  }

  get takesOrders(): boolean {
    return this.#orderCount < maxOrders;
  }

  addSentence(from: number, to: number): void {
    this.#bounds[2 * this.#sentenceCount] = from;
    this.#bounds[2 * this.#sentenceCount + 1] = to;
    this.#sentenceCount++;
  }

  /** Of the sentence that is added next. */
  addOrder({ low, high }: Acts, strength: number, known: number, { slots, count }: SentenceWords): void {
    const at = perOrder * this.#orderCount++;
    const orders = this.#orders;
    orders[at] = this.#sentenceCount;
    orders[at + 1] = low;
    orders[at + 2] = high;
    orders[at + 3] = strength;
    orders[at + 4] = known;
    orders[at + 5] = this.#slotCount;
    this.#addSlots(slots, count);
    orders[at + 6] = this.#slotCount;
    orders[at + reach.begin] = 0;
    orders[at + reach.end] = -1;
  }

  /** Each root of the sentence once. */
  #addSlots(slots: Uint16Array, count: number): void {
    if (this.#slotCount + count > this.#slots.length) {
      const wider = new Int32Array(2 * this.#slots.length);
      wider.set(this.#slots);
      this.#slots = wider;
    }
    this.#stamp++;
    for (let at = 0; at < count; at++) {
      const slot = slots[at] ?? 0;
      if (this.#lastIn[slot] === this.#stamp) continue;
      this.#lastIn[slot] = this.#stamp;
      this.#slots[this.#slotCount++] = slot;
    }
  }

  mapOf(text: string): OrderMap {
    const [sentences, orders] = [this.#sentenceCount, this.#orderCount];
    if (orders === 0) return noOrders;
    const from = this.#room(2 * sentences + perOrder * orders + this.#slotCount);
    const firstOrder = copy(this.#bounds, 2 * sentences, this.#chunk, from);
    const slots = copy(this.#orders, perOrder * orders, this.#chunk, firstOrder);
    this.#used = copy(this.#slots, this.#slotCount, this.#chunk, slots);
    return new OrderMap(text, this.#chunk, { sentences, orders, from, firstOrder, slots });
  }

  #room(length: number): number {
    if (this.#used + length <= this.#chunk.length) return this.#used;
    this.#chunk = new Int32Array(Math.max(chunkLength, length));
    return 0;
  }
}

function copy(source: Int32Array, length: number, into: Int32Array, at: number): number {
  for (let index = 0; index < length; index++) into[at + index] = source[index] ?? 0;
  return at + length;
}
