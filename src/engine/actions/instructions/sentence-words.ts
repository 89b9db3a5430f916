import { isLetter, type Units, unitAt } from './units.ts';

/** What a word is made of. */
export const made = { ofLetters: 0, ofDigits: 1, ofBoth: 2 } as const;

const apostrophe = 39;
/** Letters have this bit, digits have not; capitals lack the next one. */
const [letterBit, smallBit] = [64, 32];

const mostCommas = 11;

/** The words of one sentence of plain ASCII, as they are read. */
export class SentenceWords {
  count = 0;
  readonly from: Int32Array;
  readonly end: Int32Array;
  /**
   * The last eight letters of each as two numbers, which tell words of up to eight letters apart; lower case. Longer
   * ones are compared letter by letter as well.
   */
  readonly high: Int32Array;
  readonly low: Int32Array;
  readonly made: Uint8Array;
  /** What is known of each, as a table of words has noted it: bits of what it is, the slot of its root. */
  readonly bits: Int32Array;
  readonly slots: Uint16Array;
  /** The acts that each stands for as a verb and as a noun; of those alone that have any. */
  readonly verbLow: Int32Array;
  readonly verbHigh: Int32Array;
  readonly nounLow: Int32Array;
  readonly nounHigh: Int32Array;
  /** Numbers of the words that stand behind a comma, in their order, and how many of them there are. */
  readonly behindComma = new Uint16Array(mostCommas);
  commas = 0;
  /** The last one read has a capital that is not its first letter. */
  hasInnerCapital = false;

  constructor(most: number) {
    this.from = new Int32Array(most);
    this.end = new Int32Array(most);
    this.high = new Int32Array(most);
    this.low = new Int32Array(most);
    this.made = new Uint8Array(most);
    this.bits = new Int32Array(most);
    this.slots = new Uint16Array(most);
    this.verbLow = new Int32Array(most);
    this.verbHigh = new Int32Array(most);
    this.nounLow = new Int32Array(most);
    this.nounHigh = new Int32Array(most);
  }

  /** The next word stands behind a comma. */
  noteComma(): void {
    if (this.count > 0 && this.commas < mostCommas) this.behindComma[this.commas++] = this.count;
  }

  isBehindComma(at: number): boolean {
    for (let comma = 0; comma < this.commas; comma++) if (this.behindComma[comma] === at) return true;
    return false;
  }

  /** Reads the word at `from`, which ends at `limit` at the latest; where it ends. */
  read(units: Units, from: number, limit: number): number {
    const { count } = this;
    let unit = unitAt(units, from);
    const first = unit;
    let high = 0;
    let low = 0;
    let any = unit;
    let rest = -1;
    let at = from;
    do {
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | (unit | 32);
      unit = unitAt(units, ++at);
      if (((unit | 32) - 97) >>> 0 >= 26 && (unit - 48) >>> 0 >= 10) break;
      any |= unit;
      rest &= unit;
    } while (at < limit);
    this.from[count] = from;
    this.high[count] = high;
    this.low[count] = low;
    this.made[count] =
      (first & rest & letterBit) !== 0
        ? made.ofLetters
        : (any & letterBit) === 0
          ? made.ofDigits
          : made.ofBoth;
    this.hasInnerCapital = (rest & smallBit) === 0;
    if (unit === apostrophe && at < limit) at = this.#suffix(units, at, limit);
    this.end[count] = at;
    this.count = count + 1;
    return at;
  }

  /** "don't" is one word: up to three letters after an apostrophe belong to it. */
  #suffix(units: Units, at: number, limit: number): number {
    if (at + 1 >= limit || !isLetter(unitAt(units, at + 1))) return at;
    const { count } = this;
    let high = this.high[count] ?? 0;
    let low = this.low[count] ?? 0;
    let end = at;
    do {
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | (unitAt(units, end) | 32);
      end++;
    } while (end < limit && end < at + 4 && isLetter(unitAt(units, end)));
    this.high[count] = high;
    this.low[count] = low;
    if (this.made[count] === made.ofDigits) this.made[count] = made.ofBoth;
    this.hasInnerCapital = true;
    return end;
  }
}
