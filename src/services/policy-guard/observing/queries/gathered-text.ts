import { createHmac, type Hmac } from 'node:crypto';
import { mostTextKept } from '../../contract/queries.ts';

const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800;

/** What the log stores of a text, which may arrive in pieces: its beginning, its length and its hash. */
export class GatheredText {
  readonly #hmac: Hmac;
  #beginning = '';
  /** A high surrogate at the end of a piece: hashed together with its other half. */
  #half = '';
  #length = 0;
  #hash: string | undefined;

  /** @param tenantId equal texts of two tenants have different hashes. */
  constructor(hashKey: string, tenantId: string) {
    this.#hmac = createHmac('sha256', hashKey).update(`${tenantId}\0`);
  }

  /** Takes the next piece. */
  add(piece: string): void {
    this.#length += piece.length;
    const room = mostTextKept - this.#beginning.length;
    // A copy: a slice would keep the whole text in memory.
    if (room > 0)
      this.#beginning +=
        piece.length <= room ? piece : Buffer.from(piece.slice(0, room), 'utf16le').toString('utf16le');
    const text = this.#half + piece;
    this.#half = isHigh(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    this.#hmac.update(this.#half === '' ? text : text.slice(0, -1));
  }

  /** In UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  /** The first {@link mostTextKept} characters; no surrogate pair is split where more came. */
  get beginning(): string {
    const isCut = this.#length > this.#beginning.length;
    return isCut && isHigh(this.#beginning.charCodeAt(this.#beginning.length - 1))
      ? this.#beginning.slice(0, -1)
      : this.#beginning;
  }

  /** Hash of the whole text; nothing can be added afterwards. */
  get hash(): string {
    this.#hash ??= this.#hmac.update(this.#half).digest('hex');
    return this.#hash;
  }
}
