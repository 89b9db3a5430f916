/** Messages of RTMP over a socket (Adobe’s RTMP specification 1.0), in bounded memory. */
import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { AppError } from '#base/errors.ts';
import { ByteSource } from '../../../decoding/byte-source.ts';
import { readAmf, writeAmf, type AmfValue } from './amf.ts';

export const messageTypes = {
  chunkSize: 1,
  acknowledgement: 3,
  control: 4,
  windowSize: 5,
  bandwidth: 6,
  audio: 8,
  video: 9,
  extendedCommand: 17,
  command: 20,
} as const;

export interface RtmpMessage {
  readonly type: number;
  readonly streamId: number;
  readonly timestampMs: number;
  readonly data: Buffer;
}

export interface RtmpCommand {
  readonly name: string;
  readonly transaction: number;
  readonly values: readonly AmfValue[];
}

const handshakeBytes = 1536;
const version = 3;
const ourChunkSize = 4096;
const largestChunk = 16 * 1024 * 1024;
const mostChannels = 64;
const windowBytes = 2_500_000;
const extended = 0xffffff;

/** What a chunk takes over from the one before on its channel. */
interface Channel {
  timestampMs: number;
  deltaMs: number;
  length: number;
  type: number;
  streamId: number;
  isExtended: boolean;
  parts: Buffer[];
  received: number;
}

const broken = (what: string) => new AppError(400, 'bad_frame', `RTMP: ${what}.`);

export class RtmpConnection {
  readonly #socket: Duplex;
  readonly #source: ByteSource;
  readonly #mostBytes: number;
  readonly #channels = new Map<number, Channel>();
  #chunkSize = 128;
  #acknowledged = 0;

  /** @param mostBytes of one message */
  constructor(socket: Duplex, mostBytes: number) {
    this.#socket = socket;
    this.#source = new ByteSource(socket);
    this.#mostBytes = mostBytes;
  }

  /** The handshake of the side that was connected to. */
  async accept(): Promise<void> {
    const first = await this.#source.take(1 + handshakeBytes);
    if (first === undefined || first[0] !== version) throw broken('the handshake is not that of RTMP');
    const theirs = Buffer.from(first.subarray(1));
    this.#socket.write(Buffer.concat([Buffer.of(version), this.#ownHandshake(), theirs]));
    await this.#source.take(handshakeBytes);
  }

  /** The handshake of the side that connects. */
  async begin(): Promise<void> {
    this.#socket.write(Buffer.concat([Buffer.of(version), this.#ownHandshake()]));
    const first = await this.#source.take(1 + handshakeBytes);
    if (first === undefined || first[0] !== version) throw broken('the server does not speak RTMP');
    this.#socket.write(Buffer.from(first.subarray(1)));
    await this.#source.take(handshakeBytes);
  }

  /** The next message; undefined when the other side has gone. @throws AppError 400 */
  async next(): Promise<RtmpMessage | undefined> {
    for (;;) {
      const message = await this.#chunk();
      if (message === 'gone') return undefined;
      if (message === undefined) continue;
      this.#acknowledge();
      if (message.type !== messageTypes.chunkSize) return message;
      const size = message.data.length < 4 ? 0 : message.data.readUInt32BE(0);
      if (size < 1 || size > largestChunk) throw broken(`a chunk size of ${size}`);
      this.#chunkSize = size;
    }
  }

  send(type: number, data: Buffer, { streamId = 0, channel = 3 } = {}): void {
    const head = Buffer.alloc(12);
    head.writeUInt8(channel, 0);
    head.writeUIntBE(data.length, 4, 3);
    head.writeUInt8(type, 7);
    head.writeUInt32LE(streamId, 8);
    const parts: Buffer[] = [head];
    for (let at = 0; at < data.length || at === 0; at += ourChunkSize) {
      if (at > 0) parts.push(Buffer.of(0xc0 | channel));
      parts.push(data.subarray(at, at + ourChunkSize));
    }
    this.#socket.write(Buffer.concat(parts));
  }

  /** Our chunks are larger than those of the start; the other side must know before. */
  announce(): void {
    this.send(messageTypes.windowSize, u32(windowBytes), { channel: 2 });
    this.send(messageTypes.chunkSize, u32(ourChunkSize), { channel: 2 });
  }

  command(name: string, transaction: number, values: readonly AmfValue[], streamId = 0): void {
    this.send(messageTypes.command, writeAmf(name, transaction, ...values), { streamId });
  }

  #ownHandshake(): Buffer {
    const bytes = randomBytes(handshakeBytes);
    bytes.fill(0, 0, 8);
    return bytes;
  }

  #acknowledge(): void {
    const { taken } = this.#source;
    if (taken - this.#acknowledged < windowBytes / 2) return;
    this.#acknowledged = taken;
    this.send(messageTypes.acknowledgement, u32(taken % 2 ** 32), { channel: 2 });
  }

  /** One chunk; a message where it completes one. */
  async #chunk(): Promise<RtmpMessage | 'gone' | undefined> {
    const first = (await this.#source.take(1))?.[0];
    if (first === undefined) return 'gone';
    const channel = await this.#channelOf(first & 0x3f);
    if (channel === undefined) return 'gone';
    const format = first >> 6;
    if (!(await this.#readHead(channel, format))) return 'gone';
    const part = await this.#source.take(Math.min(this.#chunkSize, channel.length - channel.received));
    if (part === undefined) return 'gone';
    channel.parts.push(part);
    channel.received += part.length;
    if (channel.received < channel.length) return undefined;
    const { type, streamId, timestampMs } = channel;
    const data = channel.parts.length === 1 ? part : Buffer.concat(channel.parts);
    channel.parts = [];
    channel.received = 0;
    return { type, streamId, timestampMs, data };
  }

  async #channelOf(short: number): Promise<Channel | undefined> {
    let id = short;
    if (short < 2) {
      const more = await this.#source.take(short + 1);
      if (more === undefined) return undefined;
      id = 64 + more.readUIntLE(0, short + 1);
    }
    const known = this.#channels.get(id);
    if (known !== undefined) return known;
    if (this.#channels.size >= mostChannels) throw broken('too many channels');
    const made: Channel = {
      timestampMs: 0,
      deltaMs: 0,
      length: 0,
      type: 0,
      streamId: 0,
      isExtended: false,
      parts: [],
      received: 0,
    };
    this.#channels.set(id, made);
    return made;
  }

  /** @returns false where the other side has gone */
  async #readHead(channel: Channel, format: number): Promise<boolean> {
    const bytes = await this.#source.take([11, 7, 3, 0][format] ?? 0);
    if (bytes === undefined) return false;
    if (format < 3) channel.isExtended = bytes.readUIntBE(0, 3) === extended;
    if (format < 2) {
      channel.length = bytes.readUIntBE(3, 3);
      channel.type = bytes.readUInt8(6);
      if (channel.length > this.#mostBytes) throw broken(`a message of ${channel.length} bytes`);
    }
    if (format === 0) channel.streamId = bytes.readUInt32LE(7);
    let time = format < 3 ? bytes.readUIntBE(0, 3) : channel.deltaMs;
    if (channel.isExtended) {
      const long = await this.#source.take(4);
      if (long === undefined) return false;
      time = long.readUInt32BE(0);
    }
    // Later chunks of one message repeat the time, and do not count.
    if (channel.received > 0) return true;
    if (format === 0) {
      channel.timestampMs = time;
      channel.deltaMs = 0;
    } else {
      channel.deltaMs = time;
      channel.timestampMs += time;
    }
    return true;
  }
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A command message as its name, number and values. @throws AppError 400 */
export function readCommand({ type, data }: RtmpMessage): RtmpCommand | undefined {
  if (type !== messageTypes.command && type !== messageTypes.extendedCommand) return undefined;
  try {
    const [name, transaction, ...values] = readAmf(type === messageTypes.command ? data : data.subarray(1));
    if (typeof name !== 'string') throw new RangeError('A command has no name.');
    return { name, transaction: typeof transaction === 'number' ? transaction : 0, values };
  } catch (cause) {
    throw new AppError(400, 'bad_frame', (cause as Error).message, { cause });
  }
}
