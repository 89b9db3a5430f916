const wordCharacter = /[\p{L}\p{N}_]/u;
const spaces = /[^\S\n]*/y;
const numberShape = /-?\d{1,15}(?:\.\d{1,9})?(?![\d\p{L}_])/uy;
const stringShape = /"(?:[^"\\\n]|\\.){0,2000}"/y;

/** Goes through a canonical sentence from left to right. A part that does not fit gives back where it began. */
export class TextReader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    this.#skipSpaces();
    return this.at >= this.text.length;
  }

  /** These words or signs stand next, as whole words; then the reader is behind them. */
  take(words: string): boolean {
    this.#skipSpaces();
    const end = this.at + words.length;
    if (this.text.slice(this.at, end).toLowerCase() !== words.toLowerCase()) return false;
    if (wordCharacter.test(words.at(-1) ?? '') && wordCharacter.test(this.text.charAt(end))) return false;
    this.at = end;
    return true;
  }

  /** A plain decimal number. */
  number(): number | undefined {
    const found = this.#match(numberShape);
    return found === undefined ? undefined : Number(found);
  }

  /** What stands between double quotes, escaped as in JSON. */
  quoted(): string | undefined {
    const from = this.at;
    const found = this.#match(stringShape);
    if (found === undefined) return undefined;
    try {
      return JSON.parse(found) as string;
    } catch {
      this.at = from;
      return undefined;
    }
  }

  /** What matches next; the expression has to be sticky. */
  #match(shape: RegExp): string | undefined {
    this.#skipSpaces();
    shape.lastIndex = this.at;
    const found = shape.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  #skipSpaces(): void {
    spaces.lastIndex = this.at;
    this.at += spaces.exec(this.text)?.[0].length ?? 0;
  }
}
