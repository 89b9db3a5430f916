/** The format of server-sent events (WHATWG HTML §9.2). */

/** One event on the wire. */
export interface StreamEvent {
  /** A reconnecting reader sends the last id it received. */
  readonly id?: string | undefined;
  /** Default: `message`. */
  readonly event: string;
  /** Usually JSON. */
  readonly data: string;
  /** Reconnection delay. */
  readonly retryMs?: number | undefined;
}

/** Formats an event. Line breaks are allowed in the data; one in the name or id would start a new field and is refused. */
export function formatEvent({ id, event, data, retryMs }: StreamEvent): string {
  if (/[\r\n\0]/.test(`${id ?? ''}${event}`))
    throw new TypeError('An event’s id and name must not contain line breaks.');
  const lines = /[\r\n]/.test(data) ? data.split(/\r\n|\n|\r/).join('\ndata: ') : data;
  return (
    (retryMs === undefined ? '' : `retry: ${retryMs}\n`) +
    (id === undefined ? '' : `id: ${id}\n`) +
    `event: ${event}\ndata: ${lines}\n\n`
  );
}
