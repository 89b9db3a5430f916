/** Numbers of words, looked up by their code units, so that no substring must be created. */
export class WordTable {
  /** All words, one after the other. */
  readonly #units: Uint16Array;
  /** Where each word begins in `#units`; one more for the end. */
  readonly #begins: Int32Array;
  /** Open addressing: the number of a word, plus one, at or after the slot of its hash. */
  readonly #slots: Int32Array;
  readonly #longest: number;

  /** Of a word that occurs twice the first number is kept. */
  constructor(words: readonly string[]) {
    this.#units = new UnitReader().read(words.join(''));
    this.#begins = new Int32Array(words.length + 1);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(words.length * 2 + 1)));
    let longest = 0;
    words.forEach((word, number) => {
      const from = this.#begins[number] ?? 0;
      const to = from + word.length;
      this.#begins[number + 1] = to;
      longest = Math.max(longest, word.length);
      const slot = this.#slotOf(this.#units, from, to);
      if (this.#slots[slot] === 0) this.#slots[slot] = number + 1;
    });
    this.#longest = longest;
  }

  /** Number of the word that stands in `units` from `from` to `to`, or -1. */
  find(units: Uint16Array, from: number, to: number): number {
    return to - from > this.#longest ? -1 : (this.#slots[this.#slotOf(units, from, to)] ?? 0) - 1;
  }

  /** The slot where the word is, or the free one where it would be put. */
  #slotOf(units: Uint16Array, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (units[at] ?? 0), 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0 || this.#isAt(number, units, from, to)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isAt(number: number, units: Uint16Array, from: number, to: number): boolean {
    const begin = this.#begins[number] ?? 0;
    if ((this.#begins[number + 1] ?? 0) - begin !== to - from) return false;
    for (let i = 0; i < to - from; i++) if (this.#units[begin + i] !== units[from + i]) return false;
    return true;
  }
}

/** Shows texts as code units, one after the other in the same place. */
export class UnitReader {
  #bytes = Buffer.alloc(0);
  #units = new Uint16Array(0);

  /** The code units of a text; they stand there until the next call. */
  read(text: string): Uint16Array {
    if (text.length > this.#units.length) {
      this.#units = new Uint16Array(Math.max(64, text.length * 2));
      this.#bytes = Buffer.from(this.#units.buffer);
    }
    this.#bytes.write(text, 'utf16le');
    return this.#units.subarray(0, text.length);
  }
}
