/**
 * Reads what our own decoder writes: Matroska with raw pictures on several tracks, which keeps the time of each picture
 * (RFC 9559). Only what ffmpeg’s muxer writes is understood, and nothing here reads files of others.
 */
import type { Readable } from 'node:stream';

export interface RawPicture {
  /** From 1, in the order of the outputs. */
  readonly track: number;
  readonly seconds: number;
  readonly bytes: Buffer;
}

const ids = {
  cluster: 0x1f43b675,
  segment: 0x18538067,
  timecode: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
};
/** Elements whose content is read; others are skipped. */
const containers: ReadonlySet<number> = new Set([ids.cluster, ids.segment, ids.blockGroup]);
const wanted: ReadonlySet<number> = new Set([ids.timecode, ids.simpleBlock, ids.block]);
const millisecond = 1e-3;
/** No picture of ours is larger. */
const mostBytes = 64 * 1024 * 1024;

/** Bytes of a stream on demand. */
class Source {
  readonly #iterator: AsyncIterator<Buffer>;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(stream: Readable) {
    this.#iterator = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
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
    return all.subarray(0, size);
  }

  async skip(size: number): Promise<boolean> {
    for (let left = size; left > 0;) {
      const part = Math.min(left, 1024 * 1024);
      if ((await this.take(part)) === undefined) return false;
      left -= part;
    }
    return true;
  }

  /** An element’s id, with its marker bits, or its size without them; undefined at the end. */
  async variable(keepsMarker: boolean): Promise<number | undefined> {
    const first = (await this.take(1))?.[0];
    if (first === undefined) return undefined;
    const length = Math.clz32(first) - 23;
    const rest = length > 1 ? await this.take(length - 1) : Buffer.alloc(0);
    if (rest === undefined) return undefined;
    let value = keepsMarker ? first : first & (0xff >> length);
    let isUnknown = !keepsMarker && value === 0xff >> length;
    for (const byte of rest) {
      value = value * 256 + byte;
      isUnknown &&= byte === 0xff;
    }
    return isUnknown ? Infinity : value;
  }
}

const unsigned = (bytes: Buffer): number => bytes.reduce((value, byte) => value * 256 + byte, 0);

/** An element whose content is read, or that contains others; undefined at the end of the stream. */
async function nextElement(source: Source): Promise<{ id: number; content: Buffer | undefined } | undefined> {
  const id = await source.variable(true);
  const size = id === undefined ? undefined : await source.variable(false);
  if (id === undefined || size === undefined) return undefined;
  if (containers.has(id)) return { id, content: undefined };
  if (!wanted.has(id)) return (await source.skip(size)) ? { id, content: undefined } : undefined;
  if (size > mostBytes) throw new Error(`The decoder wrote an element of ${size} bytes.`);
  const content = await source.take(size);
  return content === undefined ? undefined : { id, content };
}

/** Yields pictures as they arrive; ends with the stream, also in the middle of one. */
export async function* readMatroska(stream: Readable): AsyncGenerator<RawPicture, void, undefined> {
  const source = new Source(stream);
  let clusterMs = 0;
  for (let found = await nextElement(source); found !== undefined; found = await nextElement(source)) {
    const { id, content } = found;
    if (content === undefined) continue;
    if (id === ids.timecode) {
      clusterMs = unsigned(content);
      continue;
    }
    // Track numbers below 128 are one byte; then the time within the cluster, and flags.
    const track = content.readUInt8(0) & 0x7f;
    yield { track, seconds: (clusterMs + content.readInt16BE(1)) * millisecond, bytes: content.subarray(4) };
  }
}
