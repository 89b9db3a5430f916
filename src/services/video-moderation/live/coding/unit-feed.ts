/** Coded pictures of one session into its decoder: dropped where it is too slow, started again where it breaks. */
import { AppError } from '#base/errors.ts';
import { DecoderRun, type RunSettings } from './decoder-run.ts';
import { matroskaHead, matroskaPicture } from './matroska-writer.ts';
import { Timeline } from './timeline.ts';
import { isStandalone, rawBytes, type CodecSettings, type Unit } from './unit.ts';

export interface FeedSettings extends Pick<RunSettings, 'decoder' | 'outputs' | 'onPicture'> {
  /** The decoder has ended and will be started again. */
  readonly onDecoderLost: () => void;
  /** It cannot be started, or ends again and again. */
  readonly onFailure: (error: AppError) => void;
  /** A key frame is needed to go on: senders that can be asked for one are. */
  readonly onKeyWanted: () => void;
}

/** What may wait for the decoder; beyond, pictures are dropped. */
const mostWaitingBytes = 8 * 1024 * 1024;
const mostWaitingPictures = 64;
/** Raw pictures are large: two may wait, whatever their size. */
const leastWaitingPictures = 2;
/** Ends of the decoder within a minute after which a stream counts as one that cannot be decoded. */
const mostLosses = 5;
const lossWindowMs = 60_000;

const sameSettings = (a: CodecSettings, b: CodecSettings): boolean =>
  a.codec === b.codec &&
  a.width === b.width &&
  a.height === b.height &&
  (a.description === undefined || b.description?.equals(a.description) === true);

export class UnitFeed {
  readonly #of: FeedSettings;
  readonly #timeline = new Timeline();
  #settings: CodecSettings | undefined;
  /** Set while the decoder is being started. */
  #starting: Promise<void> | undefined;
  #run: DecoderRun | undefined;
  #waiting: { readonly unit: Unit; readonly ms: number }[] = [];
  #waitingBytes = 0;
  #needsKey = true;
  #isFull = false;
  #baseMs = 0;
  #accepted = 0;
  #dropped = 0;
  #losses: number[] = [];
  #isClosed = false;

  constructor(of: FeedSettings) {
    this.#of = of;
  }

  get accepted(): number {
    return this.#accepted;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** The process of the decoder; for tests. */
  get pid(): number | undefined {
    return this.#run?.pid;
  }

  /** From now on the sender’s clock is another one, as after a reconnect. */
  restartClock(): void {
    this.#timeline.restart();
    this.#needsKey = true;
  }

  /** What the pictures that follow are coded as. */
  configure(settings: CodecSettings): void {
    if (this.#settings !== undefined && sameSettings(settings, this.#settings)) return;
    this.#settings = settings;
    this.#needsKey = true;
    if (this.#run === undefined) return;
    const old = this.#run;
    // What waits is of the old kind.
    for (let left = this.#waiting.shift(); left !== undefined; left = this.#waiting.shift())
      this.#write(left);
    this.#run = undefined;
    // Its last pictures still come; those of the new one are later.
    this.#starting = old.end();
    void this.#starting.finally(() => (this.#starting = undefined)).then(() => this.#pump());
  }

  /**
   * @returns whether it was accepted; else it was dropped and counted
   * @throws AppError 400 for a raw picture of the wrong size
   */
  push(unit: Unit): boolean {
    const settings = this.#settings;
    if (settings === undefined || this.#isClosed) return false;
    const bytes = rawBytes(settings);
    if (bytes !== undefined && unit.data.length !== bytes)
      throw new AppError(
        400,
        'bad_frame',
        `A ${settings.codec} picture of ${settings.width} × ${settings.height} has ${bytes} bytes; this one has ${unit.data.length}.`,
      );
    if (this.#needsKey && !unit.isKey) {
      this.#dropped += 1;
      this.#of.onKeyWanted();
      return false;
    }
    this.#needsKey = false;
    this.#accepted += 1;
    this.#waiting.push({ unit, ms: this.#timeline.at(unit.timestampMs, unit.arrivedMs) });
    this.#waitingBytes += unit.data.length;
    this.#makeRoom(settings);
    this.#pump();
    return true;
  }

  /** Nothing more comes; resolves when everything has been decoded. */
  async end(): Promise<void> {
    this.#isClosed = true;
    await this.#starting;
    // What waits is written whatever the decoder has room for.
    this.#isFull = false;
    for (let left = this.#waiting.shift(); left !== undefined; left = this.#waiting.shift())
      this.#write(left);
    await this.#run?.end();
  }

  async stop(): Promise<void> {
    this.#isClosed = true;
    await this.#starting;
    await this.#run?.stop();
  }

  /** Oldest first; of a codec whose pictures need each other, everything up to the next key frame. */
  #makeRoom({ codec }: CodecSettings): void {
    if (isStandalone(codec)) {
      while (this.#isCrowded() && this.#waiting.length > leastWaitingPictures) this.#drop(1);
      return;
    }
    if (!this.#isCrowded()) return;
    const key = this.#waiting.findLastIndex(({ unit }) => unit.isKey);
    this.#drop(key > 0 ? key : this.#waiting.length);
    if (key <= 0) {
      this.#needsKey = true;
      this.#of.onKeyWanted();
    }
  }

  #isCrowded(): boolean {
    return this.#waitingBytes > mostWaitingBytes || this.#waiting.length > mostWaitingPictures;
  }

  #drop(count: number): void {
    for (const { unit } of this.#waiting.splice(0, count)) {
      this.#waitingBytes -= unit.data.length;
      this.#accepted -= 1;
      this.#dropped += 1;
    }
  }

  #pump(): void {
    if (this.#starting !== undefined) return;
    if (this.#run === undefined) {
      const [first] = this.#waiting;
      if (first !== undefined && !this.#isClosed) this.#start(first.ms);
      return;
    }
    while (!this.#isFull) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#write(next);
    }
  }

  #write({ unit, ms }: { unit: Unit; ms: number }): void {
    const run = this.#run;
    this.#waitingBytes -= unit.data.length;
    if (run === undefined) return;
    const bytes = matroskaPicture(unit, Math.max(0, ms - this.#baseMs));
    // At the end everything is written at once: one listener is enough.
    if (run.write(bytes, unit.arrivedMs, ms) || this.#isFull) return;
    this.#isFull = true;
    run.onceReady(() => {
      this.#isFull = false;
      this.#pump();
    });
  }

  #start(baseMs: number): void {
    const settings = this.#settings;
    if (settings === undefined) return;
    const { decoder, outputs, onPicture, onFailure } = this.#of;
    const start = async () => {
      const run = await DecoderRun.start({
        decoder,
        outputs,
        format: 'matroska',
        baseMs,
        onPicture,
        onFailure: () => this.#lost(run),
      });
      run.write([matroskaHead(settings)], performance.now());
      this.#baseMs = baseMs;
      this.#isFull = false;
      this.#run = run;
    };
    this.#starting = start()
      .catch((error: unknown) => {
        this.#isClosed = true;
        onFailure(error instanceof AppError ? error : new AppError(503, 'decode_failed', String(error)));
      })
      .finally(() => {
        this.#starting = undefined;
        if (this.#isClosed) return;
        this.#pump();
      });
  }

  #lost(run: DecoderRun): void {
    if (this.#run !== run) return;
    this.#run = undefined;
    this.#drop(this.#waiting.length);
    this.#needsKey = true;
    this.#of.onKeyWanted();
    const now = performance.now();
    this.#losses = [...this.#losses, now].filter((each) => now - each < lossWindowMs);
    if (this.#losses.length > mostLosses) {
      this.#isClosed = true;
      this.#of.onFailure(new AppError(422, 'decode_failed', 'The pictures cannot be decoded.'));
    } else this.#of.onDecoderLost();
  }
}
