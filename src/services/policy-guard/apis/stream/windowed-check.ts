/** Judges a text that arrives in pieces, window by window. Independent of protocols and guards: the judge is passed in. */

export interface CheckBounds {
  /** Characters that are judged together. */
  readonly window: number;
  /** Characters from one judgement to the next. */
  readonly step: number;
  /** Characters that stay back until as many behind them are judged. */
  readonly holdBack: number;
}

/** Judges one window; undefined where nothing is flagged. */
export type JudgeWindow<Flag> = (text: string, isBeginning: boolean) => Promise<Flag | undefined>;

const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * Judges at each `step` characters, wherever the pieces end: what is flagged, and where, does not depend on them. Its
 * cost is linear in the text's length, and it keeps `window` + two steps of the text.
 */
export class WindowedCheck<Flag> {
  readonly #bounds: CheckBounds;
  readonly #judge: JudgeWindow<Flag>;
  #text = '';
  /** Offset of the first character of `#text`. */
  #from = 0;
  #judged = 0;
  #passed = 0;

  constructor(bounds: CheckBounds, judge: JudgeWindow<Flag>) {
    this.#bounds = bounds;
    this.#judge = judge;
  }

  /** All that was received, in UTF-16 code units. */
  get received(): number {
    return this.#from + this.#text.length;
  }

  /** Up to where the text is judged. */
  get judged(): number {
    return this.#judged;
  }

  /** Up to where the text may be shown. */
  get passed(): number {
    return this.#passed;
  }

  /** Takes a piece, and judges the steps that it completes; `onPass` is called after each. */
  async append(piece: string, onPass: () => void | Promise<void>): Promise<Flag | undefined> {
    this.#text += piece;
    const { step } = this.#bounds;
    // Windows are aligned to the text's beginning, so that a flush in between does not move them.
    for (let to = this.#next(step); to <= this.received; to = this.#next(step)) {
      const flag = await this.#judgeTo(to);
      if (flag !== undefined) return flag;
      this.#release(to - this.#bounds.holdBack);
      await onPass();
    }
    return undefined;
  }

  /** Judges what is there; what stays back stays. */
  async flush(): Promise<Flag | undefined> {
    if (this.received === this.#judged) return undefined;
    const flag = await this.#judgeTo(this.received);
    if (flag === undefined) this.#release(this.received - this.#bounds.holdBack);
    return flag;
  }

  /** Judges the rest, and lets it all pass. */
  async end(): Promise<Flag | undefined> {
    const flag = await this.flush();
    if (flag === undefined) this.#passed = this.received;
    return flag;
  }

  #next(step: number): number {
    return (Math.floor(this.#judged / step) + 1) * step;
  }

  async #judgeTo(to: number): Promise<Flag | undefined> {
    const { window, step } = this.#bounds;
    for (const length of new Set([window + step, 2 * step])) {
      const from = Math.max(0, to - length);
      const flag = await this.#judge(this.#text.slice(from - this.#from, to - this.#from), from === 0);
      if (flag !== undefined) return flag;
      // All of it was judged at once.
      if (from === 0 && length <= window + step && to <= 2 * step) break;
    }
    this.#judged = to;
    const keepFrom = Math.max(0, to - window - 2 * step);
    if (keepFrom > this.#from) {
      this.#text = this.#text.slice(keepFrom - this.#from);
      this.#from = keepFrom;
    }
    return undefined;
  }

  #release(to: number): void {
    const splits = isLow(this.#text.charCodeAt(to - this.#from));
    this.#passed = Math.max(this.#passed, splits ? to - 1 : to);
  }
}
