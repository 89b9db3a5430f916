import type { Logger } from '../log/log.ts';
import { EventStream } from './event-stream.ts';

/** A reader connects again after this, so that access that has ended is noticed. */
const lifeMs = 15 * 60_000;

/**
 * The events that `follow` writes; the stream ends with it. `gone` is aborted when the reader has left.
 * @param what what is followed, for the log
 */
export function followed(
  log: Logger,
  what: string,
  follow: (events: EventStream, gone: AbortSignal) => Promise<void>,
): EventStream {
  const events = new EventStream({ lifeMs });
  const gone = new AbortController();
  events.once('close', () => gone.abort());
  void follow(events, gone.signal)
    .catch((err: unknown) => {
      if (!gone.signal.aborted) log.warn({ err }, `the progress of ${what} could not be followed`);
    })
    .finally(() => events.finish());
  return events;
}
