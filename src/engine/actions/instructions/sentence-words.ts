/** What a word is made of. */
export const made = { ofLetters: 0, ofDigits: 1, ofBoth: 2 } as const;

const mostCommas = 11;

/** The words of one sentence, with what is known of each. */
export class SentenceWords {
  count = 0;
  /** Of all words together: bits of what they are. */
  all = 0;
  /** Where each begins and ends, in plain ASCII. */
  readonly from: Int32Array;
  readonly end: Int32Array;
  readonly made: Uint8Array;
  /** Bits of what it is, and the slot of its root. */
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
  /** Numbers of the words that an order can begin with, in their order, and how many of them there are. */
  readonly tells: Uint16Array;
  telling = 0;
  /** The last one read may hold another one: a capital that is not its first letter, or letters behind an apostrophe. */
  mayPart = false;

  constructor(most: number) {
    this.from = new Int32Array(most);
    this.end = new Int32Array(most);
    this.made = new Uint8Array(most);
    this.bits = new Int32Array(most);
    this.slots = new Uint16Array(most);
    this.tells = new Uint16Array(most);
    this.verbLow = new Int32Array(most);
    this.verbHigh = new Int32Array(most);
    this.nounLow = new Int32Array(most);
    this.nounHigh = new Int32Array(most);
  }

  clear(): void {
    this.count = this.all = this.commas = this.telling = 0;
  }

  /** The next word stands behind a comma. */
  noteComma(): void {
    if (this.count > 0 && this.commas < mostCommas) this.behindComma[this.commas++] = this.count;
  }

  isBehindComma(at: number): boolean {
    for (let comma = 0; comma < this.commas; comma++) if (this.behindComma[comma] === at) return true;
    return false;
  }
}
