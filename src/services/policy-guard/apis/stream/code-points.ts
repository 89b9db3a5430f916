const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00;

/** Counts the code points of a text that comes in pieces, which may end within one. */
export class CodePoints {
  #count = 0;
  #last = 0;

  get count(): number {
    return this.#count;
  }

  add(piece: string): void {
    for (let i = 0; i < piece.length; i += 1) {
      const unit = piece.charCodeAt(i);
      // The other half of a pair is no code point of its own.
      if (!(isLow(unit) && isHigh(this.#last))) this.#count += 1;
      this.#last = unit;
    }
  }
}
