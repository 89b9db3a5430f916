import { refusalOf } from '#base/contract/client.ts';

export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

interface Settings {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly onEvent: (event: StreamEvent) => void;
}

const pauseMs = 2_000;

/**
 * Server-sent events over `fetch`, which can carry a bearer token as the browser's own EventSource cannot. Connects
 * again where the stream ends or breaks, with the id of the last event, until `signal` aborts.
 * @throws what the first connection is refused with
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
 * The events of one answer.
 * @throws AppError where it is a refusal
 */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.ok || response.body === null) throw await refusalOf(response);
  for await (const block of blocks(response.body)) {
    const fields = fieldsOf(block);
    const data = fields.get('data');
    if (data !== undefined) yield { id: fields.get('id'), event: fields.get('event') ?? 'message', data };
  }
}

/** What stands between empty lines. */
async function* blocks(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value;
    const parts = rest.split(/\r?\n\r?\n/);
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return fields;
}
