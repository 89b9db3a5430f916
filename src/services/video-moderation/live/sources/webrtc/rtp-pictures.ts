/** From RTP packets to coded pictures: H.264 (RFC 6184, non-interleaved) and VP8 (RFC 7741), with packets in any order. */

export interface RtpPacket {
  readonly sequence: number;
  /** Of 90 kHz. */
  readonly timestamp: number;
  /** Whether it is the last one of its picture. */
  readonly isLast: boolean;
  readonly payload: Buffer;
}

export interface RtpPicture {
  /** H.264 as a byte stream with start codes, or a VP8 frame. */
  readonly data: Buffer;
  readonly timestampMs: number;
}

const sequences = 65_536;
const ticksPerMs = 90;
const mostWaiting = 256;
/** How long a packet may be missing: it may be sent again. */
const patienceMs = 150;
const mostPictureBytes = 8 * 1024 * 1024;

const startCode = Buffer.of(0, 0, 0, 1);
const h264Types = { aggregate: 24, fragment: 28 } as const;

/** How far b is after a, for numbers that begin again. */
const distance = (a: number, b: number): number => {
  const ahead = (b - a + sequences) % sequences;
  return ahead < sequences / 2 ? ahead : ahead - sequences;
};

export class RtpPictures {
  readonly #codec: 'h264' | 'vp8';
  readonly #onPicture: (picture: RtpPicture) => void;
  /** A picture is incomplete: those that follow may need it. */
  readonly #onLost: () => void;
  readonly #waiting = new Map<number, RtpPacket>();
  #next: number | undefined;
  #waitsSince: number | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;
  #timestamp: number | undefined;
  #isBroken = false;
  #firstTicks: number | undefined;
  #ticks = 0;

  constructor(codec: 'h264' | 'vp8', onPicture: (picture: RtpPicture) => void, onLost: () => void) {
    this.#codec = codec;
    this.#onPicture = onPicture;
    this.#onLost = onLost;
  }

  take(packet: RtpPacket, nowMs = performance.now()): void {
    this.#next ??= packet.sequence;
    // Too late, or a second time.
    if (distance(this.#next, packet.sequence) < 0) return;
    this.#waiting.set(packet.sequence, packet);
    this.#deliver(nowMs);
    if (this.#waiting.size === 0) {
      this.#waitsSince = undefined;
      return;
    }
    this.#waitsSince ??= nowMs;
    if (nowMs - this.#waitsSince < patienceMs && this.#waiting.size < mostWaiting) return;
    this.#skip();
    this.#waitsSince = undefined;
    this.#deliver(nowMs);
  }

  #deliver(nowMs: number): void {
    for (let next = this.#next ?? 0; ; next = (next + 1) % sequences) {
      const packet = this.#waiting.get(next);
      if (packet === undefined) return;
      this.#waiting.delete(next);
      this.#next = (next + 1) % sequences;
      this.#waitsSince = nowMs;
      this.#add(packet);
    }
  }

  /** Goes on after packets that will not come. */
  #skip(): void {
    const from = this.#next ?? 0;
    const ahead = [...this.#waiting.keys()].map((sequence) => distance(from, sequence));
    this.#next = (from + Math.min(...ahead)) % sequences;
    this.#isBroken = true;
  }

  #add(packet: RtpPacket): void {
    // The end of the picture before was lost.
    if (this.#timestamp !== undefined && this.#timestamp !== packet.timestamp) this.#lose();
    this.#timestamp = packet.timestamp;
    if (this.#codec === 'h264') this.#addH264(packet.payload);
    else this.#addVp8(packet.payload);
    if (!packet.isLast) return;
    if (this.#isBroken || this.#parts.length === 0) this.#lose();
    else this.#onPicture({ data: Buffer.concat(this.#parts), timestampMs: this.#timeOf(packet.timestamp) });
    this.#begin();
  }

  #lose(): void {
    this.#begin();
    this.#onLost();
  }

  #begin(): void {
    this.#parts = [];
    this.#bytes = 0;
    this.#timestamp = undefined;
    this.#isBroken = false;
  }

  #push(...parts: readonly Buffer[]): void {
    for (const part of parts) this.#bytes += part.length;
    if (this.#bytes > mostPictureBytes) this.#isBroken = true;
    else this.#parts.push(...parts);
  }

  #addH264(payload: Buffer): void {
    const first = payload[0];
    if (first === undefined) return;
    const type = first & 31;
    if (type === h264Types.aggregate) this.#addAggregate(payload.subarray(1));
    else if (type === h264Types.fragment) this.#addFragment(first, payload);
    else if (type >= 1 && type < h264Types.aggregate) this.#push(startCode, payload);
    else this.#isBroken = true;
  }

  #addAggregate(payload: Buffer): void {
    for (let at = 0; at + 2 <= payload.length;) {
      const size = payload.readUInt16BE(at);
      if (size === 0 || at + 2 + size > payload.length) {
        this.#isBroken = true;
        return;
      }
      this.#push(startCode, payload.subarray(at + 2, at + 2 + size));
      at += 2 + size;
    }
  }

  #addFragment(indicator: number, payload: Buffer): void {
    const head = payload[1];
    if (head === undefined) return;
    const isFirst = (head & 0x80) !== 0;
    if (isFirst) this.#push(startCode, Buffer.of((indicator & 0xe0) | (head & 31)));
    else if (this.#parts.length === 0) this.#isBroken = true;
    this.#push(payload.subarray(2));
  }

  #addVp8(payload: Buffer): void {
    const first = payload[0];
    if (first === undefined) return;
    const isStart = (first & 0x10) !== 0 && (first & 7) === 0;
    const from = descriptorBytes(payload);
    if (this.#parts.length === 0 && !isStart) this.#isBroken = true;
    if (from < payload.length) this.#push(payload.subarray(from));
  }

  /** Times begin again every 13 hours. */
  #timeOf(timestamp: number): number {
    if (this.#firstTicks === undefined) {
      this.#firstTicks = timestamp;
      this.#ticks = timestamp;
    }
    const range = 2 ** 32;
    const step = (((timestamp - (this.#ticks % range)) % range) + range) % range;
    this.#ticks += step < range / 2 ? step : step - range;
    return (this.#ticks - this.#firstTicks) / ticksPerMs;
  }
}

/** The VP8 payload descriptor before the frame’s bytes. */
function descriptorBytes(payload: Buffer): number {
  const first = payload[0] ?? 0;
  if ((first & 0x80) === 0) return 1;
  const extension = payload[1] ?? 0;
  let at = 2;
  // The picture’s number is of one or two bytes.
  if (extension & 0x80) at += (payload[at] ?? 0) & 0x80 ? 2 : 1;
  if (extension & 0x40) at += 1;
  if (extension & 0x30) at += 1;
  return at;
}

/** Whether a VP8 frame needs none before it (RFC 6386 §9.1). */
export const isVp8Key = (frame: Buffer): boolean => ((frame[0] ?? 1) & 1) === 0;
