import type { RunSummary } from '../jobs/runs/run.ts';
import { EventStream } from './event-stream.ts';

/** A reader connects again after this, so that access that has ended is noticed. */
const lifeMs = 15 * 60_000;

/**
 * A run's progress as server-sent events: one now and one with each change, until the run ends.
 * @param view of the run at that moment, as the operation that reads it answers; what it throws ends the stream
 */
export function watchedRun(
  changes: (signal: AbortSignal) => AsyncIterable<RunSummary>,
  view: () => Promise<object>,
): EventStream {
  const events = new EventStream({ lifeMs });
  const gone = new AbortController();
  events.once('close', () => gone.abort());
  const follow = async () => {
    for await (const _change of changes(gone.signal)) events.merge('progress', await view());
  };
  void follow()
    .catch(() => undefined)
    .finally(() => events.finish());
  return events;
}
