/** Adam with the weights' decay apart from the gradient (Kingma and Ba 2015; Loshchilov and Hutter 2019). */

const firstDecay = 0.9;
const secondDecay = 0.999;
const tiny = 1e-8;

export interface AdamOptions {
  rate: number;
  /** Share of each weight that is taken off at a rate of 1. */
  decay: number;
}

/** Moments of one array of parameters. */
export class Adam {
  readonly #at: Float64Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;

  constructor(at: Float64Array) {
    this.#at = at;
    this.#first = new Float64Array(at.length);
    this.#second = new Float64Array(at.length);
  }

  /**
   * One step, the `step`th from 1. With `from` and `to` only for those parameters: rows that a batch has not read keep
   * their moments.
   */
  step(
    gradient: Float64Array,
    step: number,
    { rate, decay }: AdamOptions,
    from = 0,
    to = gradient.length,
  ): void {
    const [at, first, second] = [this.#at, this.#first, this.#second];
    const firstScale = 1 / (1 - firstDecay ** step);
    const secondScale = 1 / (1 - secondDecay ** step);
    for (let i = from; i < to; i++) {
      const g = gradient[i] ?? 0;
      const m = firstDecay * (first[i] ?? 0) + (1 - firstDecay) * g;
      const v = secondDecay * (second[i] ?? 0) + (1 - secondDecay) * g * g;
      first[i] = m;
      second[i] = v;
      const value = (at[i] ?? 0) * (1 - rate * decay);
      at[i] = value - (rate * m * firstScale) / (Math.sqrt(v * secondScale) + tiny);
    }
  }
}
