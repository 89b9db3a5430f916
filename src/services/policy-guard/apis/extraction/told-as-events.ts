import { Readable } from 'node:stream';
import { AppError } from '#base/errors.ts';
import type { Logger } from '#base/log/log.ts';
import type { Progress } from './extraction.ts';

/** Work as server-sent events: how far it is, then what came of it. There are few enough that all may wait to be read. */
export function toldAsEvents(
  work: (onProgress: (progress: Progress) => void) => Promise<object>,
  log: Logger,
): Readable {
  const events = new Readable({ read: () => undefined });
  const say = (event: 'progress' | 'result' | 'error', data: object) => {
    if (!events.destroyed) events.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const fail = (error: unknown) => {
    if (error instanceof AppError) return say('error', { status: error.status, detail: error.detail });
    log.error({ err: error }, 'a document could not be read');
    say('error', { status: 500, detail: 'Something went wrong inside.' });
  };
  void work((progress) => say('progress', progress))
    .then((result) => say('result', result), fail)
    .finally(() => events.push(null));
  return events;
}
