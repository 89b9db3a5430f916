const mostCharacters = 4_000_000;
const mostTexts = 5000;
/** Longer ones come once: keeping them would drive out everything else. */
const longest = 50_000;
const samples = 16;

/** A number for a text from a few of its characters: hashing all of it would cost more than most of what is kept. */
function sampleOf(text: string): number {
  const { length } = text;
  let key = length;
  for (let at = 0; at < samples; at++)
    key = Math.imul(key ^ text.charCodeAt(Math.floor((at * length) / samples)), 0x0100_0193);
  return (key ^ text.charCodeAt(text.length - 1)) >>> 2;
}

/** Numbers of texts that came once, each in the place of an older one. */
const mostMetOnce = 8192;

/** A small memory of what was worked out of a text; the same outputs come again with each step of a session. */
export class Remembered<T> {
  readonly #known = new Map<number, { text: string; made: T }>();
  #size = 0;
  readonly #make: (text: string) => T;
  readonly #metOnce: Int32Array | undefined;

  /**
   * @param keptFrom 2: what comes once is not kept. Texts that were kept for nothing live until the next full garbage
   * collection, and the short ones before it copy them: that costs more than to work them out a second time.
   */
  constructor(make: (text: string) => T, keptFrom: 1 | 2 = 1) {
    this.#make = make;
    this.#metOnce = keptFrom === 2 ? new Int32Array(mostMetOnce) : undefined;
  }

  get(text: string): T {
    const key = sampleOf(text);
    const known = this.#known.get(key);
    if (known?.text === text) return known.made;
    const made = this.#make(text);
    if (text.length > longest || this.#isNew(key)) return made;
    // Two texts with one number: the later one takes the place.
    if (known !== undefined) this.#forget(key, known.text);
    this.#size += text.length;
    this.#known.set(key, { text, made });
    if (this.#size > mostCharacters || this.#known.size > mostTexts) this.#shrink();
    return made;
  }

  #isNew(key: number): boolean {
    const met = this.#metOnce;
    const place = key % mostMetOnce;
    if (met === undefined || met[place] === key) return false;
    met[place] = key;
    return true;
  }

  /** The oldest go, a few more than must, so that it does not happen with each text. */
  #shrink(): void {
    for (const [oldest, { text }] of this.#known) {
      if (this.#size <= 0.9 * mostCharacters && this.#known.size <= 0.9 * mostTexts) break;
      this.#forget(oldest, text);
    }
  }

  #forget(key: number, text: string): void {
    this.#known.delete(key);
    this.#size -= text.length;
  }
}
