/** Parses server-sent events, also in a browser (WHATWG HTML §9.2.6). */
import { AppError } from '../errors.ts';
import type { StreamEvent } from './event.ts';

interface Pending {
  event: string;
  data: string[];
  id: string | undefined;
  retryMs: number | undefined;
}

const encoder = new TextEncoder();

const empty = (): Pending => ({ event: 'message', data: [], id: undefined, retryMs: undefined });

function take(pending: Pending, line: string): void {
  if (line.startsWith(':')) return;
  const colon = line.indexOf(':');
  const field = colon < 0 ? line : line.slice(0, colon);
  const raw = colon < 0 ? '' : line.slice(colon + 1);
  const value = raw.startsWith(' ') ? raw.slice(1) : raw;
  if (field === 'data') pending.data.push(value);
  else if (field === 'event') pending.event = value;
  else if (field === 'id' && !value.includes('\0')) pending.id = value;
  else if (field === 'retry' && /^\d+$/.test(value)) pending.retryMs = Number(value);
}

/**
 * Yields the events of a stream. Events with neither data nor id nor retry are skipped.
 * @throws AppError 502 `too_large` when one event is longer than `limitBytes`.
 */
export async function* readEvents(
  stream: AsyncIterable<Uint8Array>,
  limitBytes: number,
): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  // Parts of the incomplete line, joined only once, so that a long line in small chunks costs linear time.
  let parts: string[] = [];
  let half = '';
  let size = 0;
  let pending = empty();
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limitBytes)
      throw new AppError(502, 'too_large', `The server sent an event of more than ${limitBytes} bytes.`);
    const text = half + decoder.decode(chunk, { stream: true });
    // A lone CR at the end may be half of a CRLF: it waits for the next chunk.
    half = text.endsWith('\r') ? '\r' : '';
    const [first = '', ...others] = text.slice(0, text.length - half.length).split(/\r\n|\n|\r/);
    parts.push(first);
    const rest = others.pop();
    if (rest === undefined) continue;
    const lines = [parts.join(''), ...others];
    parts = [rest];
    for (const line of lines) {
      if (line !== '') {
        take(pending, line);
        continue;
      }
      if (pending.data.length > 0 || pending.id !== undefined || pending.retryMs !== undefined)
        yield { ...pending, data: pending.data.join('\n') };
      pending = empty();
      size = encoder.encode(rest).length;
    }
  }
}
