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
      // The second half of a surrogate pair is not a code point.
      if (!(isLow(unit) && isHigh(this.#last))) this.#count += 1;
      this.#last = unit;
    }
  }
}
