import { decodedLeaves } from './encoded-texts.ts';
import { readQuantity } from './quantity.ts';
import { answerReach, argumentReach, ends, type Reach, type Unread } from './reach.ts';

/** One value inside the arguments of a call. */
export interface Leaf {
  /** Names on the way, joined by dots. */
  path: string;
  /** The nearest name: `recipient`, `url`, … */
  key: string;
  text: string;
  number: number | undefined;
  /** It was a number, and no text with one. */
  isNumber?: boolean;
}

const longestNumber = 30;
/** Without spaces between the digits and without a plus, which telephone numbers have; units and words make it no number. */
const numberShape = /^\s*[€$£¥₹₩]?\s?-?\d[\d.,'’_]*\s*$/;

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > longestNumber || !numberShape.test(value)) return undefined;
  return readQuantity(value)?.value;
}

/** Values that were read, and what was not. */
export interface ReadValues {
  readonly leaves: Leaf[];
  readonly unread: readonly Unread[];
}

const plainText = (value: unknown) =>
  ['number', 'boolean', 'bigint'].includes(typeof value) ? `${value as number}` : '';

interface Place {
  readonly path: string;
  readonly key: string;
  readonly depth: number;
}

/** Values that are counted without being read. */
const mostCounted = 100_000;
/** Short texts are read whatever came before them: most of what a rule asks for is short. */
const shortText = 200;

class ValueReader {
  readonly leaves: Leaf[] = [];
  readonly #reach: Reach;
  readonly #texts: Unread[] = [];
  #left: number;
  /** Values beyond the reach, and where the first of them stands. */
  #beyond = 0;
  #firstBeyond = '';

  constructor(reach: Reach) {
    this.#reach = reach;
    this.#left = reach.total;
  }

  get unread(): readonly Unread[] {
    if (this.#beyond === 0) return this.#texts;
    const read = this.leaves.length;
    return [{ what: 'values', path: this.#firstBeyond, size: read + this.#beyond, read }, ...this.#texts];
  }

  read(value: unknown, place: Place): void {
    if (value === null || value === undefined || this.#isDone()) return;
    if (typeof value === 'object') this.#readInside(value, place);
    else if (this.leaves.length >= this.#reach.leaves) this.#pass(place.path);
    else this.#readText(value, place);
  }

  #readText(value: unknown, { path, key }: Place): void {
    const text = typeof value === 'string' ? this.#textOf(value, path) : plainText(value);
    const leaf = { path, key, text, number: numberOf(value), isNumber: typeof value === 'number' };
    this.leaves.push(leaf);
    if (this.#reach.tells) for (const one of decodedLeaves(leaf)) this.leaves.push(one);
  }

  /** Also where objects hold each other, which no JSON does. */
  #isDone(): boolean {
    return this.#beyond >= mostCounted || (!this.#reach.tells && this.leaves.length >= this.#reach.leaves);
  }

  #pass(path: string): void {
    if (this.#beyond === 0) this.#firstBeyond = path;
    this.#beyond++;
  }

  #textOf(text: string, path: string): string {
    if (text.length <= shortText) return text;
    const longest = Math.min(this.#reach.text, Math.max(shortText, this.#left));
    this.#left -= Math.min(text.length, longest);
    if (text.length <= longest) return text;
    if (!this.#reach.tells) return text.slice(0, longest);
    this.#texts.push({ what: 'text', path, size: text.length, read: longest });
    return ends(text, longest);
  }

  #readInside(value: object, { path, key, depth }: Place): void {
    if (depth >= this.#reach.depth) {
      this.#pass(path);
      return;
    }
    const list = Array.isArray(value);
    for (const name in value) {
      if (!Object.hasOwn(value, name)) continue;
      const inner: unknown = (value as Record<string, unknown>)[name];
      this.read(inner, {
        path: path === '' ? name : `${path}.${name}`,
        key: list ? key : name,
        depth: depth + 1,
      });
    }
  }
}

function readValues(value: unknown, reach: Reach): ReadValues {
  const reader = new ValueReader(reach);
  reader.read(value, { path: '', key: '', depth: 0 });
  return reader;
}

/** The arguments of a call: all of them but what lies beyond the reach, which is told. */
export const readArguments = (params: unknown): ReadValues => readValues(params, argumentReach);

/** Values of an answer, bounded in number, depth and length; cycles end where they begin. */
export const leavesOf = (value: unknown): Leaf[] => readValues(value, answerReach).leaves;

/** Text of a tool's answer, whatever its shape; bounded. */
export function outputText(output: unknown): string {
  if (output === undefined || output === null) return '';
  if (typeof output === 'string') return output.slice(0, 200_000);
  return leavesOf(output)
    .map(({ key, text }) => (key === '' ? text : `${key}: ${text}`))
    .join('\n')
    .slice(0, 200_000);
}
