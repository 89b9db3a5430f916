/** One run of a decoder within a session: its pictures get the session’s times, and the moments when they arrived. */
import type { DecodedPicture } from '../../decoding/decode.ts';
import type { Decoder } from '../../decoding/decoder.ts';
import { startLiveDecoder, type LiveDecoder, type LiveOutputs, type PipedFormat } from './live-decoder.ts';

export interface RunSettings {
  readonly decoder: Decoder;
  readonly outputs: LiveOutputs;
  readonly format: PipedFormat;
  /** The session’s time of its first picture. */
  readonly baseMs: number;
  readonly onPicture: (picture: DecodedPicture, arrivedMs: number) => void;
  /** When it has ended otherwise than by {@link DecoderRun.end} or {@link DecoderRun.stop}. */
  readonly onFailure: () => void;
}

const mostArrivals = 4096;

export class DecoderRun {
  readonly #of: RunSettings;
  readonly #decoder: LiveDecoder;
  readonly #reading: Promise<void>;
  /** When what belongs to each time has arrived, in the order of time. */
  #arrivals: { readonly ms: number; readonly arrivedMs: number }[] = [];
  #lastArrivedMs = performance.now();
  #isEnding = false;

  private constructor(of: RunSettings, decoder: LiveDecoder) {
    this.#of = of;
    this.#decoder = decoder;
    this.#reading = this.#read();
  }

  /** @throws AppError 503 where ffmpeg is missing */
  static async start(of: RunSettings): Promise<DecoderRun> {
    return new DecoderRun(of, await startLiveDecoder(of.decoder, of.format, of.outputs));
  }

  get pid(): number {
    return this.#decoder.pid;
  }

  /** Bytes that the decoder has not taken yet. */
  get waitingBytes(): number {
    return this.#decoder.waitingBytes;
  }

  /**
   * @param ms the session’s time of what is written; undefined where only the decoder knows
   * @returns false where the decoder has not taken what came before
   */
  write(bytes: readonly Uint8Array[], arrivedMs: number, ms?: number): boolean {
    this.#lastArrivedMs = arrivedMs;
    if (ms !== undefined) {
      this.#arrivals.push({ ms, arrivedMs });
      if (this.#arrivals.length > mostArrivals) this.#arrivals.shift();
    }
    let isTaken = true;
    for (const part of bytes) isTaken = this.#decoder.write(part);
    return isTaken;
  }

  onceReady(listener: () => void): void {
    this.#decoder.onceReady(listener);
  }

  /** No more comes; resolves when everything has been decoded. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#decoder.end();
    await this.#reading;
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    await this.#decoder.stop();
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { baseMs, onPicture, onFailure } = this.#of;
    try {
      await this.#decoder.pictures((picture) => {
        const ms = picture.seconds * 1000 + baseMs;
        onPicture({ ...picture, seconds: ms / 1000 }, this.#arrivedAt(ms));
      });
    } catch {
      // What a broken decoder writes is as good as its end.
    }
    if (this.#isEnding) return;
    await this.#decoder.stop();
    onFailure();
  }

  /** When the picture of this time has arrived. */
  #arrivedAt(ms: number): number {
    const at = this.#arrivals.findLastIndex((each) => each.ms <= ms + 1);
    const found = this.#arrivals[at];
    // The three outputs are not in step with each other: some of the past is kept.
    if (at > 1024) this.#arrivals = this.#arrivals.slice(at - 1024);
    return found?.arrivedMs ?? this.#lastArrivedMs;
  }
}
