/** Server-sent events as they are written and read (WHATWG HTML §9.2). */

/** One event on the wire. */
export interface StreamEvent {
  /** A reader that comes back says the last one that it has. */
  readonly id?: string | undefined;
  /** `message` where the writer names none. */
  readonly event: string;
  /** Mostly JSON. */
  readonly data: string;
  /** How soon to come back after a break. */
  readonly retryMs?: number | undefined;
}

/** An event as bytes of a stream. A line break in the data is written as the format has it; one in a name or an id would begin a field of its own and is refused. */
export function formatEvent({ id, event, data, retryMs }: StreamEvent): string {
  if (/[\r\n\0]/.test(`${id ?? ''}${event}`))
    throw new TypeError('An event’s id and name are one line each.');
  const lines = /[\r\n]/.test(data) ? data.split(/\r\n|\n|\r/).join('\ndata: ') : data;
  return (
    (retryMs === undefined ? '' : `retry: ${retryMs}\n`) +
    (id === undefined ? '' : `id: ${id}\n`) +
    `event: ${event}\ndata: ${lines}\n\n`
  );
}
