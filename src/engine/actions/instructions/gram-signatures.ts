/** Numbers for each order: whether its signature is made, and the signature itself. */
const signatureLength = 32;
const perOrder = signatureLength + 1;
const mask = 32 * signatureLength - 1;

/**
 * For each order of one answer, which groups of characters ("grams", given as hashes) stand in its context: one bit for
 * each hash, so that several share a bit. What has no bit is surely not there; what has one may be. The steps of a
 * session ask for the same orders again and again, and a few bits are looked at sooner than a hundred characters.
 */
export class GramSignatures {
  readonly #orders: number;
  #asked = 0;
  #numbers: Int32Array | undefined;

  constructor(orders: number) {
    this.#orders = orders;
  }

  /** Whether signatures pay: an answer that is looked at once, in a trace that comes once, is not worth any. */
  isWorthwhile(): boolean {
    if (this.#asked <= this.#orders) this.#asked++;
    return this.#asked > this.#orders;
  }

  /** Whether the signature of the order (by its number in the answer) is made. */
  isMade(order: number): boolean {
    return this.#numbers?.[perOrder * order] === 1;
  }

  /** Notes that the signature holds all grams of the order's context from now on. */
  finish(order: number): void {
    this.#made()[perOrder * order] = 1;
  }

  add(order: number, gram: number): void {
    const bit = gram & mask;
    const at = perOrder * order + 1 + (bit >>> 5);
    const numbers = this.#made();
    numbers[at] = (numbers[at] ?? 0) | (1 << (bit & 31));
  }

  /** Whether one of the grams may stand in the context of an order whose signature is made. */
  mayHold(order: number, grams: readonly number[]): boolean {
    const numbers = this.#made();
    const from = perOrder * order + 1;
    for (const gram of grams) {
      const bit = gram & mask;
      if (((numbers[from + (bit >>> 5)] ?? 0) & (1 << (bit & 31))) !== 0) return true;
    }
    return false;
  }

  #made(): Int32Array {
    return (this.#numbers ??= new Int32Array(perOrder * this.#orders));
  }
}
