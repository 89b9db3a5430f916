const firstDecay = 0.9;
const secondDecay = 0.999;
const tiny = 1e-8;

/** Adam with decoupled weight decay (Loshchilov and Hutter 2019) over one block of parameters. */
export class Adam {
  readonly values: Float32Array;
  readonly gradient: Float32Array;
  readonly #first: Float32Array;
  readonly #second: Float32Array;
  readonly #decay: number;
  #steps = 0;

  constructor(values: Float32Array, decay: number) {
    this.values = values;
    this.gradient = new Float32Array(values.length);
    this.#first = new Float32Array(values.length);
    this.#second = new Float32Array(values.length);
    this.#decay = decay;
  }

  add(at: number, value: number): void {
    this.gradient[at] = (this.gradient[at] ?? 0) + value;
  }

  /** One step by the mean of the accumulated gradients, which are then reset. */
  step(rate: number, examples: number): void {
    this.#steps++;
    const { values, gradient } = this;
    const [first, second] = [this.#first, this.#second];
    const scale = rate * (Math.sqrt(1 - secondDecay ** this.#steps) / (1 - firstDecay ** this.#steps));
    const keep = 1 - rate * this.#decay;
    for (let i = 0; i < values.length; i++) {
      const g = (gradient[i] ?? 0) / examples;
      const m = firstDecay * (first[i] ?? 0) + (1 - firstDecay) * g;
      const v = secondDecay * (second[i] ?? 0) + (1 - secondDecay) * g * g;
      first[i] = m;
      second[i] = v;
      values[i] = (values[i] ?? 0) * keep - (scale * m) / (Math.sqrt(v) + tiny);
    }
    gradient.fill(0);
  }
}

/** Adam for a table of which only a few rows occur in a batch: rows that do not occur are not changed. */
export class LazyAdam {
  readonly #values: Float32Array;
  readonly #width: number;
  readonly #first: Float32Array;
  readonly #second: Float32Array;
  /** Accumulated gradients of the rows that occurred, `width` numbers each. */
  gradient: Float32Array;
  readonly #slotOf: Int32Array;
  #met: number[] = [];
  #steps = 0;

  constructor(values: Float32Array, width: number) {
    this.#values = values;
    this.#width = width;
    this.#first = new Float32Array(values.length);
    this.#second = new Float32Array(values.length);
    this.gradient = new Float32Array(1024 * width);
    this.#slotOf = new Int32Array(values.length / width).fill(-1);
  }

  /** Offset in `gradient` of this row's numbers. */
  slot(row: number): number {
    const known = this.#slotOf[row] ?? -1;
    if (known >= 0) return known * this.#width;
    const slot = this.#met.length;
    this.#met.push(row);
    this.#slotOf[row] = slot;
    if ((slot + 1) * this.#width > this.gradient.length) {
      const larger = new Float32Array(this.gradient.length * 2);
      larger.set(this.gradient);
      this.gradient = larger;
    }
    return slot * this.#width;
  }

  step(rate: number, examples: number): void {
    this.#steps++;
    const scale = rate * (Math.sqrt(1 - secondDecay ** this.#steps) / (1 - firstDecay ** this.#steps));
    this.#met.forEach((row, slot) => {
      this.#slotOf[row] = -1;
      const base = row * this.#width;
      for (let k = 0; k < this.#width; k++) {
        const at = base + k;
        const g = (this.gradient[slot * this.#width + k] ?? 0) / examples;
        const m = firstDecay * (this.#first[at] ?? 0) + (1 - firstDecay) * g;
        const v = secondDecay * (this.#second[at] ?? 0) + (1 - secondDecay) * g * g;
        this.#first[at] = m;
        this.#second[at] = v;
        this.#values[at] = (this.#values[at] ?? 0) - (scale * m) / (Math.sqrt(v) + tiny);
      }
    });
    this.gradient.fill(0, 0, this.#met.length * this.#width);
    this.#met = [];
  }
}
