import { AppError } from '#base/errors.ts';
import { EventStream } from '#base/events/event-stream.ts';
import type { Logger } from '#base/log/log.ts';
import type { Progress } from './extraction.ts';

/** Work as server-sent events: how far it is, then what came of it. There are few enough that all may wait to be read. */
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
