/** What a session is to whoever brings it pictures. */
import type { CodecSettings, Unit } from '../coding/unit.ts';
import type { StreamProblem } from './view.ts';

/** Parts of a stream as it is published in files: bytes in the order of time. */
export interface SegmentFeed {
  /** Resolves when there is room for the next one. */
  write(bytes: Uint8Array): Promise<void>;
  /** The next parts are not continuous with those so far. Resolves when these have been decoded. */
  end(): Promise<void>;
}

export interface Intake {
  /** The largest picture, in bytes. */
  readonly mostBytes: number;
  /** Aborted when the session has ended. */
  readonly signal: AbortSignal;
  readonly accepted: number;
  readonly dropped: number;
  /** How the pictures that follow are coded. */
  configure(settings: CodecSettings): void;
  /**
   * @returns whether it was accepted; else it was dropped and counted
   * @throws AppError 400 for a raw picture of the wrong size
   */
  push(unit: Unit): boolean;
  /** Called where a key frame is needed to go on. */
  onKeyWanted: (() => void) | undefined;
  openSegments(format: 'mpegts' | 'mov'): Promise<SegmentFeed>;
  /** The source cannot be reached at the moment, and is tried again. */
  reconnecting(problem: StreamProblem): void;
  /** The source is there, and sends nothing yet. */
  connected(): void;
}

/** Pulls a source until its end, reconnecting as long as the session lives. */
export interface Puller {
  /**
   * @returns when the source has finished
   * @throws AppError where it can never be read: 422 for forbidden addresses and what is not understood
   */
  run(intake: Intake): Promise<void>;
}
