import type { Readable } from 'node:stream';

/** Bytes of a stream on demand; while none are wanted, its sender waits. */
export class ByteSource {
  readonly #iterator: AsyncIterator<Buffer>;
  #chunks: Buffer[] = [];
  #size = 0;
  #taken = 0;

  constructor(stream: Readable) {
    this.#iterator = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** Bytes that were taken so far. */
  get taken(): number {
    return this.#taken;
  }

  /** @returns undefined where the stream has ended before */
  async take(size: number): Promise<Buffer | undefined> {
    while (this.#size < size) {
      const { value, done } = await this.#iterator.next();
      if (done === true) return undefined;
      this.#chunks.push(value);
      this.#size += value.length;
    }
    const all =
      this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#size);
    this.#chunks = all.length > size ? [all.subarray(size)] : [];
    this.#size -= size;
    this.#taken += size;
    return all.subarray(0, size);
  }
}
