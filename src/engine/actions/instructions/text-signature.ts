import { loadedUnits, loadUnits, mostRead } from './units.ts';

/** Characters that are looked at together. */
export const gramLength = 4;
/** Small letters have this bit, and capitals are told from them by it alone; a few marks become one, which does no harm. */
export const bitOfSmall = 32;
const smallBit = bitOfSmall;
const most = 8;

/** The first four characters of a text of plain ASCII as one number, in whatever case. */
export function fourOf(text: string): number {
  let four = 0;
  for (let at = 0; at < gramLength; at++) four = (four << 8) | text.charCodeAt(at) | smallBit;
  return four;
}

const hashOf = (four: number): number => Math.imul(four, 0x9e37_79b1) >>> 8;

/** Hashes of some groups of characters in a text of plain ASCII in lower case: where it stands, all of them do. */
export function gramsOf(text: string): number[] {
  const step = Math.max(1, Math.floor((text.length - gramLength) / (most - 1)));
  const grams: number[] = [];
  for (let from = 0; from + gramLength <= text.length && grams.length < most; from += step)
    grams.push(hashOf(fourOf(text.slice(from, from + gramLength))));
  return grams;
}

/**
 * Which groups of characters stand in a text, one bit for each hash, so that several share a bit. What lacks one is surely
 * not there. It is made when the text is looked through for the second time: one that comes once is searched sooner.
 */
export class TextSignature {
  readonly #text: string;
  #asked = 0;
  #mask = 0;
  #bits: Int32Array | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Notes that the text is looked through once more; whether the signature is made. */
  ask(): boolean {
    if (this.#asked < 2) this.#asked++;
    if (this.#asked === 2 && this.#bits === undefined) this.#make();
    return this.#bits !== undefined;
  }

  get isMade(): boolean {
    return this.#bits !== undefined;
  }

  /** Whether a text with these {@link gramsOf} may stand in it, in whatever case. */
  mayHold(grams: readonly number[]): boolean {
    const bits = this.#bits;
    if (bits === undefined) return true;
    for (const gram of grams) {
      const bit = gram & this.#mask;
      if (((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  #make(): void {
    const length = Math.min(this.#text.length, mostRead);
    const mask = 2 ** Math.min(16, 3 + Math.ceil(Math.log2(length + 4))) - 1;
    const bits = new Int32Array((mask + 1) / 32);
    loadUnits(this.#text);
    const units = loadedUnits;
    let four = 0;
    for (let at = 0; at < length; at++) {
      four = (four << 8) | (units[at] ?? 0) | smallBit;
      if (at < gramLength - 1) continue;
      const bit = hashOf(four) & mask;
      bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
    this.#mask = mask;
    this.#bits = bits;
  }
}
