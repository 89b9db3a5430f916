/** A readable form of a text, with the way back. The two arrays have one entry per code unit of `text`. */
export interface Mapped {
  text: string;
  /** Code-unit range of the original that each unit of `text` came from; neither array ever decreases. */
  starts: Int32Array;
  ends: Int32Array;
}

/** Builds a mapped text unit by unit; ranges must come in rising order. */
export class MappedWriter {
  units: Uint16Array;
  starts: Int32Array;
  ends: Int32Array;
  length = 0;

  constructor(size: number) {
    this.units = new Uint16Array(size);
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
  }

  put(unit: number, start: number, end: number): void {
    if (this.length === this.units.length) this.#grow();
    this.units[this.length] = unit;
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.length++;
  }

  putText(text: string, start: number, end: number): void {
    for (let i = 0; i < text.length; i++) this.put(text.charCodeAt(i), start, end);
  }

  #grow(): void {
    const size = this.units.length * 2 + 64;
    const [units, starts, ends] = [this.units, this.starts, this.ends];
    this.units = new Uint16Array(size);
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
    this.units.set(units);
    this.starts.set(starts);
    this.ends.set(ends);
  }

  finish(): Mapped {
    const { length } = this;
    const bytes = Buffer.from(this.units.buffer, 0, length * 2);
    return {
      text: bytes.toString('utf16le'),
      starts: this.starts.subarray(0, length),
      ends: this.ends.subarray(0, length),
    };
  }
}

/** The same text with its ranges read through `outer`: what `inner` was made from is `outer.text`. */
export function throughMap(inner: Mapped, outer: Mapped): Mapped {
  const last = outer.text.length - 1;
  const starts = inner.starts.map((start) => outer.starts[Math.min(start, last)] ?? 0);
  const ends = inner.ends.map((end) => outer.ends[Math.min(Math.max(0, end - 1), last)] ?? 0);
  return { text: inner.text, starts, ends };
}
