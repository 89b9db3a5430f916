/** Taking personal data and secrets out of a text that comes in pieces. */
import type { Redacted } from '#engine/redact/redact.ts';

/** Characters that stay back: whatever is shorter is taken out whole, wherever the pieces end. */
export const redactionTail = 256;
/** The context before a number may determine its kind. */
const contextCharacters = 256;
/** A finding that grows beyond this is given out as it was replaced until then. */
const longestHeld = 20_000;
/** Signs of which tokens are made: what may be the beginning of one stays together. */
const tokenSign = /[\w.+/=@:%~-]/;
const longestToken = 4000;

const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00;

export type RedactPiece = (text: string) => Promise<Pick<Redacted, 'findings'>>;

/**
 * Gives out the text in passages, each without its sensitive pieces. A passage ends before what is sensitive or may
 * become so, never within. Keeps what is not given out and a few hundred characters before it.
 */
export class RedactedText {
  readonly #redact: RedactPiece;
  #text = '';
  /** Offset of the first character of `#text`. */
  #from = 0;
  #given = 0;

  constructor(redact: RedactPiece) {
    this.#redact = redact;
  }

  /** Up to where the text was given out, in the original. */
  get given(): number {
    return this.#given;
  }

  add(piece: string): void {
    this.#text += piece;
  }

  /** The next passage, which ends at `to` at the latest; at `to` exactly where the text ends there. */
  async next(to: number, isEnd: boolean): Promise<string> {
    const received = this.#from + this.#text.length;
    const wanted = isEnd ? to : this.#beforeToken(Math.min(to, received - redactionTail));
    if (wanted <= this.#given) return '';
    const { findings } = await this.#redact(this.#text);
    const placed = findings.map(({ start, end, replacement }) => ({
      start: start + this.#from,
      end: end + this.#from,
      replacement,
    }));
    const across = placed.find(({ start, end }) => start < wanted && end > wanted);
    const end = across === undefined || wanted - this.#given > longestHeld ? wanted : across.start;
    if (end <= this.#given) return '';
    let passage = '';
    let at = this.#given;
    for (const finding of placed) {
      if (finding.end <= at || finding.start >= end) continue;
      passage += this.#slice(at, Math.max(at, finding.start)) + finding.replacement;
      at = finding.end;
    }
    passage += this.#slice(at, end);
    this.#given = Math.max(at, end);
    this.#forget();
    return passage;
  }

  #slice(from: number, to: number): string {
    return this.#text.slice(from - this.#from, Math.max(from, to) - this.#from);
  }

  /** Where the last token, or the character, that would be cut begins. */
  #beforeToken(to: number): number {
    const at = to - this.#from;
    if (at <= 0) return to;
    if (isLow(this.#text.charCodeAt(at))) return to - 1;
    if (!tokenSign.test(this.#text.charAt(at))) return to;
    let start = at;
    const first = Math.max(this.#given - this.#from, at - longestToken);
    while (start > first && tokenSign.test(this.#text.charAt(start - 1))) start -= 1;
    return start === first && at - start >= longestToken ? to : start + this.#from;
  }

  #forget(): void {
    const keepFrom = this.#given - contextCharacters;
    if (keepFrom <= this.#from) return;
    this.#text = this.#text.slice(keepFrom - this.#from);
    this.#from = keepFrom;
  }
}
