import { AppError } from '#base/errors.ts';
import { EventStream } from '#base/events/event-stream.ts';
import type { Logger } from '#base/log/log.ts';
import type { Progress } from './extraction.ts';

/** Reports work as server-sent events: its progress, then its result. Events are few, so all of them may be buffered. */
export function progressEvents(
  work: (onProgress: (progress: Progress) => void) => Promise<object>,
  log: Logger,
): EventStream {
  const events = new EventStream();
  const send = (event: 'progress' | 'result' | 'error', data: object) => events.offer({ event, data });
  const fail = (error: unknown) => {
    if (error instanceof AppError) return send('error', { status: error.status, detail: error.detail });
    log.error({ err: error }, 'a document could not be read');
    send('error', { status: 500, detail: 'Something went wrong inside.' });
  };
  void work((progress) => send('progress', progress))
    .then((result) => send('result', result), fail)
    .finally(() => events.finish());
  return events;
}
