import { refusalOf } from '#base/contract/client.ts';
import type { StreamEvent } from '#base/events/event.ts';
import { readEvents } from '#base/events/read-events.ts';

interface Settings {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly onEvent: (event: StreamEvent) => void;
}

const pauseMs = 2_000;
const limitBytes = 16 * 1024 * 1024;

/**
 * Server-sent events over `fetch`, which can send a bearer token, unlike the browser's EventSource. Reconnects with
 * the id of the last event when the stream ends or breaks, until `signal` aborts.
 * @throws the error of the first connection, if it is refused
 */
export async function events(url: string, { fetch: send, signal, onEvent }: Settings): Promise<void> {
  let lastId: string | undefined;
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      };
      const response = await send(url, { headers, signal });
      for await (const event of eventsOf(response)) {
        lastId = event.id ?? lastId;
        onEvent(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (attempt === 0) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/**
 * The events of one response.
 * @throws AppError if the response is an error, or if one event is too long
 */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.ok || response.body === null) throw await refusalOf(response);
  for await (const event of readEvents(chunksOf(response.body), limitBytes))
    if (event.data !== '') yield event;
}

/** Not every browser supports async iteration over a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // When the reader stops, the request is cancelled.
    await reader.cancel().catch(() => undefined);
  }
}
