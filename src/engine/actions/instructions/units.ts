import { Buffer } from 'node:buffer';

/** Code units of a text, with zeroes after the last one. */
export type Units = Uint16Array;

export const unitAt = (units: Units, at: number): number => units[at] ?? 0;

export const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;
export const isLower = (unit: number): boolean => unit >= 97 && unit <= 122;
/** Of ASCII, as the others here. Written without branches: it is asked of every character. */
export const isLetter = (unit: number): boolean => ((unit | 32) - 97) >>> 0 < 26;
export const isDigit = (unit: number): boolean => (unit - 48) >>> 0 < 10;
export const isBlank = (unit: number): boolean => unit === 32 || (unit - 9) >>> 0 < 5;

/** A mark of each kind that can stand where a sentence ends, and what else the reader of sentences notes. */
export const role = {
  none: 0,
  blank: 1,
  wall: 2,
  bracket: 3,
  closer: 4,
  colon: 5,
  dash: 6,
  newline: 7,
  comma: 8,
  quote: 9,
  /** May have to be taken away before the text is read. */
  uneven: 10,
  odd: 11,
} as const;

/** By code unit; everything beyond ASCII is `odd`. */
export const roles = new Uint8Array(65_536).fill(role.odd, 128);
const give = (chars: string, to: number) => {
  for (const char of chars) roles[char.charCodeAt(0)] = to;
};
give(' \t\v\f', role.blank);
give('<>{}|)]', role.wall);
give('([', role.bracket);
give('.!?;', role.closer);
give(':', role.colon);
give('-', role.dash);
give('\n', role.newline);
give(',', role.comma);
give(`"'`, role.quote);
give('\\\r_%', role.uneven);

const afterLast = 4;

/** Room for the code units of one text after the other: reading them is much cheaper than asking the text for each. */
export class TextUnits {
  readonly units: Units;
  readonly #bytes: Buffer;
  readonly #most: number;
  #loaded = '';

  /** @param most code units that are read of a text */
  constructor(most: number) {
    this.#bytes = Buffer.alloc(2 * (most + afterLast));
    this.units = new Uint16Array(this.#bytes.buffer, this.#bytes.byteOffset, most + afterLast);
    this.#most = most;
  }

  load(text: string): void {
    if (this.#loaded === text) return;
    this.#loaded = text;
    const length = Math.min(text.length, this.#most);
    this.#bytes.write(text, 0, 2 * length, 'utf16le');
    this.units.fill(0, length, length + afterLast);
  }
}
