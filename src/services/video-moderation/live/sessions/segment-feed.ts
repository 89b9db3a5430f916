/** A decoder for parts of a stream that is published in files. */
import { AppError } from '#base/errors.ts';
import { DecoderRun, type RunSettings } from '../coding/decoder-run.ts';
import type { SegmentFeed } from './intake.ts';

export interface SegmentFeedSettings extends Omit<RunSettings, 'onFailure'> {
  /** Those of the session; this one is among them until it ends. */
  readonly runs: Set<DecoderRun>;
  /** Of the session. */
  readonly signal: AbortSignal;
  readonly onBytes: () => void;
}

/** @throws AppError 503 where ffmpeg is missing */
export async function openSegmentFeed(settings: SegmentFeedSettings): Promise<SegmentFeed> {
  const { runs, signal, onBytes } = settings;
  const failed = new AbortController();
  const run = await DecoderRun.start({
    ...settings,
    onFailure: () => {
      runs.delete(run);
      failed.abort(new AppError(422, 'decode_failed', 'The pictures cannot be decoded.'));
    },
  });
  runs.add(run);
  const untilReady = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ready = () => resolve();
    const signals = [failed.signal, signal];
    run.onceReady(ready);
    for (const each of signals) each.addEventListener('abort', ready);
    await promise;
    for (const each of signals) each.removeEventListener('abort', ready);
  };
  return {
    async write(bytes) {
      failed.signal.throwIfAborted();
      onBytes();
      if (run.write([bytes], performance.now())) return;
      await untilReady();
      failed.signal.throwIfAborted();
    },
    async end() {
      await run.end();
      runs.delete(run);
    },
  };
}
