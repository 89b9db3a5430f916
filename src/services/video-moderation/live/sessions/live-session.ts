/** One session that runs in this process: from its pictures to its events, and its end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queries } from '#base/db/database.ts';
import { AppError, conflict } from '#base/errors.ts';
import type { Logger } from '#base/log/log.ts';
import { coverageOf } from '#engine/video/coverage.ts';
import type { Decoder } from '../../decoding/decoder.ts';
import type { Settings } from '../../deployments/settings.ts';
import type { DecoderRun } from '../coding/decoder-run.ts';
import type { LiveOutputs } from '../coding/live-decoder.ts';
import { UnitFeed } from '../coding/unit-feed.ts';
import type { CodecSettings, Unit } from '../coding/unit.ts';
import { LiveJudge, type JudgeSettings } from '../judging/live-judge.ts';
import { sampledPerSecond } from '../judging/samples.ts';
import { decoderLost, expired, failureOf, lostFor, undecodable, type Ending } from './endings.ts';
import type { EventWriter } from './event-writer.ts';
import type { Intake, Puller, SegmentFeed } from './intake.ts';
import { openSegmentFeed } from './segment-feed.ts';
import type { IngestState, StoredStream, StreamCounts } from './store.ts';
import { clipEvent, errorEvent, frameEvent, summaryEvent, type StreamProblem } from './view.ts';

export interface LiveSessionDeps {
  readonly decoder: Decoder;
  readonly log: Logger;
  readonly idleMs: number;
  readonly frameBytes: number;
  /** Saves what has changed. */
  readonly save: (session: LiveSession) => void;
  /** Saves the end, in the transaction of the last event. @returns whether the session had not ended before */
  readonly saveEnd: (session: LiveSession, end: Ending, tx: Queries) => Promise<boolean>;
  /** The end is saved. */
  readonly onEnded: (session: LiveSession) => void;
}

/** Without pictures for so long, a sender that is connected counts as stalled. */
const stalledMs = 3000;
/** What is being judged when a session ends may take so long. */
const lastPicturesMs = 10_000;

/** Writing the last events, while the database may be away. */
const lastEventsMs = 15_000;

const outputsOf = (settings: Settings, fps: number, hasWords: boolean): LiveOutputs => ({
  fps: Math.max(fps, sampledPerSecond),
  withFlow: settings.detectors.flash.enabled || settings.detectors.heuristics.enabled,
  largeEverySeconds: hasWords ? settings.detectors.text.every_seconds : undefined,
});

export class LiveSession implements Intake {
  readonly stream: StoredStream;
  readonly startedAt = new Date();
  readonly writer: EventWriter;
  onKeyWanted: (() => void) | undefined;
  readonly #deps: LiveSessionDeps;
  readonly #judge: LiveJudge;
  readonly #ids: readonly string[];
  readonly #outputs: LiveOutputs;
  readonly #feed: UnitFeed;
  readonly #ended = new AbortController();
  readonly #runs = new Set<DecoderRun>();
  #state: IngestState = 'waiting';
  #isAttended = false;
  #isPulled = false;
  #lastInputMs = performance.now();
  #firstInputMs: number | undefined;
  #lastPictureMs: number | undefined;
  #seconds = 0;
  #ending: Promise<void> | undefined;

  constructor(
    deps: LiveSessionDeps,
    stream: StoredStream,
    writer: EventWriter,
    judging: Omit<JudgeSettings, 'sink' | 'fps' | 'clipSeconds' | 'isBursty'>,
  ) {
    const { streamId, settings } = stream;
    this.#deps = deps;
    this.stream = stream;
    this.writer = writer;
    this.#ids = judging.settings.categories.map(({ id }) => id);
    this.#outputs = outputsOf(judging.settings, settings.fps, judging.words !== undefined);
    this.#judge = new LiveJudge({
      ...judging,
      fps: settings.fps,
      clipSeconds: settings.clipSeconds,
      isBursty: settings.transport === 'hls' || settings.transport === 'dash',
      sink: {
        frame: (frame) => writer.write(frameEvent(streamId, frame)),
        clip: (clip) => writer.write(clipEvent(streamId, clip)),
      },
    });
    this.#feed = new UnitFeed({
      decoder: deps.decoder,
      outputs: this.#outputs,
      onPicture: (picture, arrivedMs) => this.#take(picture, arrivedMs),
      onDecoderLost: () => this.#tell(decoderLost),
      onFailure: ({ detail }) => void this.finish(undecodable(detail)),
      onKeyWanted: () => this.onKeyWanted?.(),
    });
  }

  get mostBytes(): number {
    return this.#deps.frameBytes;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get state(): IngestState {
    return this.#state;
  }

  get accepted(): number {
    return this.#feed.accepted;
  }

  get dropped(): number {
    return this.#feed.dropped;
  }

  /** The process of the decoder; for tests of what happens when it dies. */
  get decoderPid(): number | undefined {
    return this.#feed.pid ?? [...this.#runs][0]?.pid;
  }

  get counts(): StreamCounts {
    return {
      framesAnalyzed: this.#judge.framesAnalyzed,
      clipsAnalyzed: this.#judge.clipsAnalyzed,
      framesDropped: this.#framesDropped,
      coverage: coverageOf(this.#ids, this.#judge.covering),
    };
  }

  /**
   * A sender has come; there is one at a time.
   * @throws AppError 409 while another one is connected, or the session has ended
   */
  attend(): Disposable {
    if (this.#ending !== undefined) throw conflict('The session has ended.');
    if (this.#isAttended) throw conflict('Another sender is connected to this session.');
    this.#isAttended = true;
    // The clock of the new sender is another one.
    this.#feed.restartClock();
    this.#lastInputMs = performance.now();
    return {
      [Symbol.dispose]: () => {
        this.#isAttended = false;
        this.onKeyWanted = undefined;
        if (this.#ending === undefined) this.#setState('stalled');
      },
    };
  }

  connected(): void {
    if (this.#state !== 'reconnecting') return;
    this.#lastInputMs = performance.now();
    this.#setState('stalled');
  }

  configure(settings: CodecSettings): void {
    this.#feed.configure(settings);
  }

  push(unit: Unit): boolean {
    if (this.#ending !== undefined) return false;
    this.#received();
    return this.#feed.push(unit);
  }

  async openSegments(format: 'mpegts' | 'mov'): Promise<SegmentFeed> {
    return openSegmentFeed({
      decoder: this.#deps.decoder,
      outputs: this.#outputs,
      format,
      // What follows comes after what was.
      baseMs: this.#seconds * 1000,
      onPicture: (picture, arrivedMs) => this.#take(picture, arrivedMs),
      runs: this.#runs,
      signal: this.signal,
      onBytes: () => this.#received(),
    });
  }

  reconnecting(problem: StreamProblem): void {
    if (this.#ending !== undefined) return;
    if (this.#state !== 'reconnecting') this.#tell(problem);
    this.#setState('reconnecting');
  }

  /** Runs a source that is pulled; the session ends with it. */
  pull(puller: Puller): void {
    this.#isPulled = true;
    const run = async () => {
      try {
        await puller.run(this);
        await this.finish({ status: 'ended', reason: 'source_ended' });
      } catch (error) {
        if (this.signal.aborted || this.#ending !== undefined) return;
        const known = error instanceof AppError ? error : undefined;
        if (known === undefined) this.#deps.log.error({ err: error }, 'a live source has failed');
        await this.finish(failureOf(known));
      }
    };
    void run();
  }

  /** Once a second: what has become of a session from which nothing is heard. */
  tick(): void {
    if (this.#ending !== undefined) return;
    const now = performance.now();
    const silentMs = now - this.#lastInputMs;
    if (this.#state === 'receiving' && silentMs > stalledMs && !this.#isPulled) this.#setState('stalled');
    if (Date.now() >= this.stream.expiresAt.getTime()) void this.finish(expired);
    else if (silentMs > this.#deps.idleMs) void this.finish(this.#silentEnd());
    else if (this.#isUndecodable(now)) void this.finish(undecodable('No picture could be decoded.'));
  }

  /** Ends the session, once; resolves when its summary is written. */
  finish(ending: Ending): Promise<void> {
    return (this.#ending ??= this.#finish(ending));
  }

  #finish = async (ending: Ending): Promise<void> => {
    const { streamId } = this.stream;
    const giveUp = setTimeout(() => this.#giveUp(), lastPicturesMs);
    // First what has come is judged to its end; the sender is told afterwards.
    await Promise.allSettled([this.#feed.end(), ...[...this.#runs].map((run) => run.end())]);
    const summary = await this.#judge.end();
    clearTimeout(giveUp);
    this.#judge.stop();
    this.#ended.abort(new AppError(409, 'ended', 'The session has ended.'));
    if (ending.problem !== undefined) this.#tell(ending.problem);
    const framesDropped = this.#framesDropped;
    const { saveEnd, onEnded } = this.#deps;
    const last = summaryEvent(streamId, { ...summary, framesDropped }, ending.reason);
    const written = this.writer.writeLast(last, (tx) => saveEnd(this, ending, tx)).then(() => onEnded(this));
    // Whoever waits for the end does not wait for a database that is away; the writer does.
    const late = new AbortController();
    await Promise.race([
      written,
      sleep(lastEventsMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
  };

  #giveUp(): void {
    this.#judge.stop();
    void this.#feed.stop();
    for (const run of this.#runs) void run.stop();
  }

  get #framesDropped(): number {
    return this.#judge.framesDropped + this.#feed.dropped + this.writer.dropped;
  }

  #silentEnd(): Ending {
    const isLost = this.#state === 'reconnecting' || (this.#isPulled && this.#lastPictureMs === undefined);
    return isLost ? lostFor(this.#deps.idleMs / 1000) : { status: 'ended', reason: 'idle' };
  }

  /** Bytes come, and no pictures. */
  #isUndecodable(now: number): boolean {
    const since = this.#lastPictureMs ?? this.#firstInputMs;
    return (
      this.#state === 'receiving' &&
      since !== undefined &&
      now - since > this.#deps.idleMs &&
      now - this.#lastInputMs < stalledMs
    );
  }

  #received(): void {
    this.#lastInputMs = performance.now();
    this.#firstInputMs ??= this.#lastInputMs;
    this.#setState('receiving');
  }

  #take(picture: Parameters<LiveJudge['take']>[0], arrivedMs: number): void {
    this.#lastPictureMs = performance.now();
    this.#seconds = Math.max(this.#seconds, picture.seconds);
    this.#judge.take(picture, arrivedMs);
  }

  #tell(problem: StreamProblem): void {
    this.writer.write(errorEvent(this.stream.streamId, this.#seconds, problem));
  }

  #setState(state: IngestState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#deps.save(this);
  }
}
