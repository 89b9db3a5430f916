import { type Entity, entitiesOf, quotedTexts } from '../calls/entities.ts';
import { type SignName, signsIn } from './instruction-signs.ts';
import { type OrderMap, traits } from './instruction-map.ts';
import { pieceOf } from './sentences.ts';
import { contextBegin, contextEnd, spanBegin } from './span.ts';
import { strengths } from './told.ts';
import { root, textWords } from '../words.ts';

/** A stretch of a text. */
export interface Span {
  readonly lower: string;
  readonly roots: ReadonlySet<string>;
  readonly entities: readonly Entity[];
  readonly quoted: readonly string[];
}

/** What is in a stretch is worked out when asked for: most sentences are held against names alone. */
class ReadSpan implements Span {
  readonly lower: string;
  readonly #text: string;
  #roots: ReadonlySet<string> | undefined;
  #entities: readonly Entity[] | undefined;
  #quoted: readonly string[] | undefined;

  constructor(text: string) {
    this.#text = text;
    this.lower = text.toLowerCase();
  }

  get roots(): ReadonlySet<string> {
    return (this.#roots ??= new Set(textWords(this.#text).map(root)));
  }

  get entities(): readonly Entity[] {
    return (this.#entities ??= entitiesOf(this.#text));
  }

  get quoted(): readonly string[] {
    return (this.#quoted ??= quotedTexts(this.#text).map((quote) => quote.toLowerCase()));
  }
}

export const spanFrom = (text: string): Span => new ReadSpan(text);

/** A sentence that tells its reader to do something. What is asked of few is worked out when asked for. */
export interface Order {
  readonly text: string;
  readonly lower: string;
  readonly roots: ReadonlySet<string>;
  /** Itself, and what it goes on with. */
  readonly span: Span;
  /** The same, with what it points to. */
  readonly context: Span;
  /** How clearly it is an order: 1 a plain imperative, 0.6 an infinitive somewhere. */
  readonly strength: number;
  /** Not in English: what it tells is not known, only that it names things. */
  readonly foreign: boolean;
  /** Signs in the sentence alone that it speaks to an agent and not to a person. */
  readonly ownSigns: ReadonlySet<SignName>;
  /** The same of the sentence with its neighbours. */
  readonly signs: ReadonlySet<SignName>;
  /** The answer that it stands in has markup of prompts. */
  readonly hasMarkup: boolean;
  /** The sentence with its neighbours, for the text detectors. */
  readonly around: string;
}

class ReadOrder implements Order {
  readonly #orders: Orders;
  readonly #at: number;
  readonly #sentence: number;
  readonly strength: number;
  readonly foreign: boolean;
  #text: string | undefined;
  #lower: string | undefined;
  #roots: ReadonlySet<string> | undefined;
  #span: Span | undefined;
  #context: Span | undefined;
  #signs: ReadonlySet<SignName> | undefined;
  #ownSigns: ReadonlySet<SignName> | undefined;

  constructor(orders: Orders, at: number) {
    const { packed } = orders.map;
    this.#orders = orders;
    this.#at = at;
    this.#sentence = packed[at] ?? 0;
    this.strength = strengths[packed[at + 3] ?? 0] ?? 0;
    this.foreign = ((packed[at + 4] ?? 0) & traits.foreign) !== 0;
  }

  get text(): string {
    return (this.#text ??= this.#orders.sentence(this.#sentence));
  }

  get lower(): string {
    return (this.#lower ??= this.text.toLowerCase());
  }

  get roots(): ReadonlySet<string> {
    return (this.#roots ??= new Set(textWords(this.text).map(root)));
  }

  get span(): Span {
    return (this.#span ??= this.#stretchFrom(spanBegin(this.#orders.map, this.#at)));
  }

  get context(): Span {
    return (this.#context ??= this.#contextOf());
  }

  /** Most orders point to nothing before them: their context is their span. */
  #contextOf(): Span {
    const { map } = this.#orders;
    const begin = contextBegin(map, this.#at);
    return begin === spanBegin(map, this.#at) ? this.span : this.#stretchFrom(begin);
  }

  #stretchFrom(begin: number): Span {
    const { map } = this.#orders;
    return spanFrom(pieceOf(map.text, begin, contextEnd(map, this.#at)));
  }

  get around(): string {
    const from = Math.max(0, this.#sentence - 2);
    const to = Math.min(this.#orders.map.sentences, this.#sentence + 3);
    return Array.from({ length: to - from }, (_, at) => this.#orders.sentence(from + at)).join('. ');
  }

  get signs(): ReadonlySet<SignName> {
    return (this.#signs ??= signsIn(this.around));
  }

  get ownSigns(): ReadonlySet<SignName> {
    return (this.#ownSigns ??= signsIn(this.text));
  }

  get hasMarkup(): boolean {
    return this.#orders.hasMarkup;
  }
}

const tagShape =
  /<\/?(?:information|system|instructions?|important|admin|user|assistant|im_start|inst|sys|prompt|task|note|tool|policy|override|alert|notice)\b|\[(?:inst|system|admin)|<\||###\s*(?:system|instruction|new|important)|={3,}\s*(?:system|instruction|important)/i;

/** The orders in one tool output. */
export class Orders {
  readonly map: OrderMap;
  readonly #source: string;
  #made: Map<number, Order> | undefined;
  #hasMarkup: boolean | undefined;
  #lower: string | undefined;

  constructor(source: string, map: OrderMap) {
    this.#source = source;
    this.map = map;
  }

  /** The order whose numbers begin at `at`. */
  at(at: number): Order {
    this.#made ??= new Map();
    const known = this.#made.get(at);
    if (known !== undefined) return known;
    const order = new ReadOrder(this, at);
    this.#made.set(at, order);
    return order;
  }

  sentence(index: number): string {
    const { text, packed, from } = this.map;
    const at = from + 2 * index;
    return pieceOf(text, packed[at] ?? 0, packed[at + 1] ?? 0);
  }

  /** The text of the map in lower case. */
  get lower(): string {
    return (this.#lower ??= this.map.text.toLowerCase());
  }

  get hasMarkup(): boolean {
    return (this.#hasMarkup ??= tagShape.test(this.#source.slice(0, 100_000)));
  }
}
