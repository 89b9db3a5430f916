/** Reads a stream that is published in files: loads the list again and again, and hands on each part once. */
import { createDecipheriv } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Intake, Puller, SegmentFeed } from '../../sessions/intake.ts';
import { reconnecting } from '../reconnect.ts';
import { fetchBytes, type BytesRequest } from './fetch-bytes.ts';
import type { FilePart, LoadSegments, Segment } from './segment.ts';

const mostSegmentBytes = 64 * 1024 * 1024;
const mostKeyBytes = 1024;
const tsSyncByte = 0x47;
/** Segments in a row that cannot be had. */
const mostMissing = 5;
/** How far a stream that is not live may be read ahead. */
const aheadSeconds = 2;

const samePart = (a: FilePart | undefined, b: FilePart | undefined): boolean =>
  a?.url === b?.url && a?.range?.offset === b?.range?.offset;

/** @param load reads the list; it may remember what it found at first */
export function segmentPuller(outbound: Outbound, load: LoadSegments): Puller {
  const reader = new SegmentReader(outbound, load);
  return reconnecting((intake) => reader.read(intake));
}

class SegmentReader {
  readonly #outbound: Outbound;
  readonly #load: LoadSegments;
  #last: Segment | undefined;
  #feed: SegmentFeed | undefined;
  #init: FilePart | undefined;
  #key: { readonly url: string; readonly bytes: Buffer } | undefined;
  #missing = 0;
  #fedSeconds = 0;
  #startedMs = performance.now();

  constructor(outbound: Outbound, load: LoadSegments) {
    this.#outbound = outbound;
    this.#load = load;
  }

  /** @returns true when the stream has finished */
  async read(intake: Intake): Promise<boolean> {
    this.#startedMs = performance.now();
    this.#fedSeconds = 0;
    for (;;) {
      const begun = performance.now();
      const { segments, isFinished, reloadMs } = await this.#load(intake.signal);
      intake.connected();
      for (const segment of this.#newOf(segments, isFinished)) await this.#take(intake, segment, isFinished);
      if (isFinished) {
        await this.#feed?.end();
        return true;
      }
      const pauseMs = Math.max(0, reloadMs - (performance.now() - begun));
      await sleep(pauseMs, undefined, { signal: intake.signal });
    }
  }

  /** Of a live stream, at first only the newest one. */
  #newOf(segments: readonly Segment[], isFinished: boolean): readonly Segment[] {
    const last = this.#last;
    if (last !== undefined) return segments.filter(({ position }) => position > last.position);
    return isFinished ? segments : segments.slice(-1);
  }

  async #take(intake: Intake, segment: Segment, isFinished: boolean): Promise<void> {
    const { signal } = intake;
    const before = this.#last;
    this.#last = segment;
    let bytes: Buffer;
    try {
      bytes = await this.#fetch(segment, signal);
      this.#missing = 0;
    } catch (error) {
      if (!(error instanceof AppError) || error.status === 422) throw error;
      this.#missing += 1;
      // One that is gone is a gap; several are a source that is gone.
      if (this.#missing >= mostMissing) throw error;
      await this.#endFeed();
      return;
    }
    if (isFinished) await this.#pace(signal);
    this.#fedSeconds += segment.seconds;
    const follows = before !== undefined && !segment.isDiscontinuous && samePart(segment.init, this.#init);
    if (!follows) await this.#endFeed();
    await this.#write(intake, segment, bytes);
  }

  async #write(intake: Intake, segment: Segment, bytes: Buffer): Promise<void> {
    if (this.#feed === undefined) {
      this.#feed = await intake.openSegments(formatOf(segment, bytes));
      this.#init = segment.init;
      if (segment.init !== undefined) {
        const init = { ...segment, ...segment.init, range: segment.init.range };
        await this.#feed.write(await this.#fetch(init, intake.signal));
      }
    }
    try {
      await this.#feed.write(bytes);
    } catch (error) {
      this.#feed = undefined;
      throw error;
    }
  }

  async #endFeed(): Promise<void> {
    const feed = this.#feed;
    this.#feed = undefined;
    await feed?.end();
  }

  /** A recording is judged as if it were shown: not faster. */
  async #pace(signal: AbortSignal): Promise<void> {
    const aheadMs = (this.#fedSeconds - aheadSeconds) * 1000 - (performance.now() - this.#startedMs);
    if (aheadMs > 0) await sleep(aheadMs, undefined, { signal });
  }

  async #fetch(segment: Segment, signal: AbortSignal): Promise<Buffer> {
    const { url, range, encryption } = segment;
    const bytes = await this.#bytes({ url, range, mostBytes: mostSegmentBytes }, signal);
    if (encryption === undefined) return bytes;
    const key = await this.#keyOf(encryption.keyUrl, signal);
    try {
      const cipher = createDecipheriv('aes-128-cbc', key, encryption.iv);
      return Buffer.concat([cipher.update(bytes), cipher.final()]);
    } catch (cause) {
      throw new AppError(422, 'decode_failed', 'A segment cannot be decrypted with its key.', { cause });
    }
  }

  async #keyOf(url: string, signal: AbortSignal): Promise<Buffer> {
    if (this.#key?.url === url) return this.#key.bytes;
    const bytes = await this.#bytes({ url, mostBytes: mostKeyBytes }, signal);
    this.#key = { url, bytes };
    return bytes;
  }

  async #bytes(request: BytesRequest, signal: AbortSignal): Promise<Buffer> {
    return (await fetchBytes(this.#outbound, request, signal)).bytes;
  }
}

/** @throws AppError 422 for what is neither MPEG-TS nor fragmented MP4 */
function formatOf({ init }: Segment, bytes: Buffer): 'mpegts' | 'mov' {
  if (init !== undefined) return 'mov';
  if (bytes[0] === tsSyncByte) return 'mpegts';
  if (['styp', 'ftyp', 'moof', 'sidx'].includes(bytes.toString('latin1', 4, 8))) return 'mov';
  throw new AppError(422, 'decode_failed', 'The segments are neither MPEG-TS nor fragmented MP4.');
}
