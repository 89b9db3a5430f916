/**
 * Reads what our own decoder writes: NUT with raw pictures in one or several streams, which keeps the time of each picture
 * and has no picture wait for the next one (specification: git.ffmpeg.org/nut). Only what ffmpeg’s muxer writes is
 * understood, and nothing here reads files of others.
 */
import type { Readable } from 'node:stream';
import { ByteSource } from './byte-source.ts';

export interface RawPicture {
  /** From 0, in the order of the outputs. */
  readonly stream: number;
  readonly seconds: number;
  readonly bytes: Buffer;
}

const fileMark = 'nut/multimedia container\0';
const startCodes = {
  main: 0x4e4d7a561f5f04adn,
  stream: 0x4e5311405bf2f9dbn,
  syncpoint: 0x4e4be4adeeca4569n,
} as const;
/** First byte of every start code; no frame begins with it. */
const startByte = 0x4e;
const flag = {
  codedPts: 8,
  streamId: 16,
  sizeMsb: 32,
  checksum: 64,
  reserved: 128,
  headerIndex: 1024,
  matchTime: 2048,
  coded: 4096,
  invalid: 8192,
} as const;
/** No picture of ours is larger. */
const mostBytes = 64 * 1024 * 1024;

const broken = (what: string) => new Error(`The decoder wrote ${what}.`);

/** A number of seven bits a byte; undefined at the end. */
async function readNumber(source: ByteSource): Promise<number | undefined> {
  for (let value = 0; ;) {
    const byte = (await source.take(1))?.[0];
    if (byte === undefined) return undefined;
    value = value * 128 + (byte & 127);
    if (byte < 128) return value;
  }
}

/** Numbers within a header. */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(): number {
    for (let value = 0; ;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw broken('a header that ends too early');
      this.#at += 1;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  }

  signed(): number {
    const value = this.next() + 1;
    return value % 2 === 1 ? -(value - 1) / 2 : value / 2;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  take(bytes: number): Buffer {
    this.#at += bytes;
    return this.#bytes.subarray(this.#at - bytes, this.#at);
  }
}

/** What the first byte of a frame stands for. */
interface FrameCode {
  readonly flags: number;
  readonly stream: number;
  readonly sizeFactor: number;
  readonly sizeRest: number;
  readonly ptsStep: number;
  readonly reserved: number;
  readonly header: number;
}

interface Main {
  readonly timeBases: readonly number[];
  readonly codes: readonly FrameCode[];
  readonly headers: readonly Buffer[];
}

function readMain(fields: Fields): Main {
  const version = fields.next();
  if (version > 3) fields.next();
  fields.next();
  fields.next();
  const timeBases = Array.from({ length: fields.next() }, () => fields.next() / fields.next());
  const codes = readCodes(fields);
  const headers = [
    Buffer.alloc(0),
    ...Array.from({ length: fields.next() }, () => fields.take(fields.next())),
  ];
  return { timeBases, codes, headers };
}

/** One entry of the table: as many fields as it says, those left out as in the entry before or zero. */
function readEntry(fields: Fields, before: Omit<FrameCode, 'flags' | 'sizeRest' | 'reserved'>) {
  const flags = fields.next();
  const given = fields.next();
  const read = <T>(index: number, take: () => T, preset: T): T => (given > index ? take() : preset);
  const next = () => fields.next();
  const ptsStep = read(0, () => fields.signed(), before.ptsStep);
  const sizeFactor = read(1, next, before.sizeFactor);
  const stream = read(2, next, before.stream);
  const sizeRest = read(3, next, 0);
  const reserved = read(4, next, 0);
  const count = read(5, next, sizeFactor - sizeRest);
  read(6, () => fields.signed(), 0);
  const header = read(7, next, before.header);
  for (let i = 8; i < given; i += 1) next();
  return { code: { flags, stream, sizeFactor, sizeRest, ptsStep, reserved, header }, count };
}

function readCodes(fields: Fields): FrameCode[] {
  const codes: FrameCode[] = [];
  let before = { stream: 0, sizeFactor: 1, ptsStep: 0, header: 0 };
  while (codes.length < 256) {
    const { code, count } = readEntry(fields, before);
    before = code;
    for (let i = 0; i < count && codes.length < 256; i += 1) {
      // The byte that begins start codes is passed over.
      if (codes.length === startByte) codes.push({ ...code, flags: flag.invalid });
      codes.push({ ...code, sizeRest: code.sizeRest + i });
    }
  }
  return codes;
}

interface StreamState {
  readonly timeBase: number;
  /** Bits of a time that is given in relation to the one before. */
  readonly ptsBits: number;
  lastPts: number;
}

class NutReader {
  readonly #source: ByteSource;
  #main: Main | undefined;
  readonly #streams = new Map<number, StreamState>();

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The next picture; undefined at the end of the stream, also in the middle of one. */
  async next(): Promise<RawPicture | undefined> {
    for (;;) {
      const first = (await this.#source.take(1))?.[0];
      if (first === undefined) return undefined;
      if (first !== startByte) return this.#frame(first);
      if (!(await this.#packet())) return undefined;
    }
  }

  /** A header, or what can be left out. @returns false at the end */
  async #packet(): Promise<boolean> {
    const rest = await this.#source.take(7);
    const size = rest === undefined ? undefined : await readNumber(this.#source);
    if (rest === undefined || size === undefined) return false;
    if (size > mostBytes) throw broken(`a header of ${size} bytes`);
    // Long headers have a checksum of their own.
    if (size > 4096) await this.#source.take(4);
    const content = await this.#source.take(size);
    if (content === undefined) return false;
    const fields = new Fields(content);
    const code = (BigInt(startByte) << 56n) | BigInt(`0x${rest.toString('hex')}`);
    if (code === startCodes.main) this.#main = readMain(fields);
    else if (code === startCodes.stream) this.#readStream(fields);
    else if (code === startCodes.syncpoint) this.#synchronise(fields.next());
    return true;
  }

  #readStream(fields: Fields): void {
    const id = fields.next();
    fields.next();
    fields.skip(fields.next());
    const timeBase = this.#main?.timeBases[fields.next()];
    if (timeBase === undefined) throw broken('a stream without a time base');
    this.#streams.set(id, { timeBase, ptsBits: fields.next(), lastPts: 0 });
  }

  /** A syncpoint gives the time for all streams. */
  #synchronise(key: number): void {
    const bases = this.#main?.timeBases ?? [];
    const seconds = Math.floor(key / bases.length) * (bases[key % bases.length] ?? 0);
    for (const state of this.#streams.values())
      // Times are exact to less than a part of 10¹⁰: what is a hair below a whole number is one.
      state.lastPts = Math.floor(seconds / state.timeBase + 1e-6);
  }

  async #frame(byte: number): Promise<RawPicture | undefined> {
    const code = this.#main?.codes[byte];
    if (code === undefined || code.flags & flag.invalid) throw broken('an unknown frame');
    const flags = code.flags ^ (await this.#given(code.flags & flag.coded, 0));
    const stream = await this.#given(flags & flag.streamId, code.stream);
    const state = this.#streams.get(stream);
    if (state === undefined) throw broken('a frame of an unknown stream');
    state.lastPts = ptsOf(state, await this.#given(flags & flag.codedPts, undefined), code.ptsStep);
    const bytes = await this.#content(code, flags);
    return bytes && { stream, seconds: state.lastPts * state.timeBase, bytes };
  }

  /** The bytes of a frame, after its fields. */
  async #content(code: FrameCode, flags: number): Promise<Buffer | undefined> {
    const size = code.sizeRest + (await this.#given(flags & flag.sizeMsb, 0)) * code.sizeFactor;
    await this.#given(flags & flag.matchTime, 0);
    const header = this.#main?.headers[await this.#given(flags & flag.headerIndex, code.header)];
    const reserved = await this.#given(flags & flag.reserved, code.reserved);
    for (let i = 0; i < reserved; i += 1) await readNumber(this.#source);
    if (flags & flag.checksum) await this.#source.take(4);
    if (size > mostBytes || header === undefined) throw broken(`a frame of ${size} bytes`);
    const rest = await this.#source.take(size - header.length);
    return rest && (header.length === 0 ? rest : Buffer.concat([header, rest]));
  }

  /** A number where the flag says so, else the preset. */
  async #given<T>(isGiven: number, preset: T): Promise<number | T> {
    if (isGiven === 0) return preset;
    return (await readNumber(this.#source)) ?? preset;
  }
}

/** A time as a step, as its low bits, or in full. */
function ptsOf({ lastPts, ptsBits }: StreamState, coded: number | undefined, step: number): number {
  if (coded === undefined) return lastPts + step;
  const range = 2 ** ptsBits;
  if (coded >= range) return coded - range;
  const from = lastPts - Math.floor((range - 1) / 2);
  return from + ((((coded - from) % range) + range) % range);
}

/** Yields pictures as they arrive; ends with the stream, also in the middle of one. */
export async function* readNut(stream: Readable): AsyncGenerator<RawPicture, void, undefined> {
  const source = new ByteSource(stream);
  const mark = await source.take(fileMark.length);
  if (mark === undefined) return;
  if (mark.toString('latin1') !== fileMark) throw broken('something else than NUT');
  const reader = new NutReader(source);
  for (let found = await reader.next(); found !== undefined; found = await reader.next()) yield found;
}
