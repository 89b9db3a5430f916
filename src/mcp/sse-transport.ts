/** HTTP+SSE transport of revision 2024-11-05: one event stream for received messages, and an endpoint for POST. */
import { AppError } from '#base/errors.ts';
import { readEvents } from '#base/events/read-events.ts';
import { requestOfBroken } from './broken-response.ts';
import { hasOthers, type HttpTransportSettings } from './http-transport.ts';
import { asMessage, parseJson, type RpcMessage } from './json-rpc.ts';
import type { OutboundAnswer } from '#base/net/outbound.ts';
import type { Delivery, Transport, TransportEvents } from './transport.ts';

const endCharacters = 1024;
const openTimeoutMs = 10_000;

/** The stream is opened at once and carries all messages of the server. */
export class SseTransport implements Transport {
  readonly #deps: HttpTransportSettings;
  readonly #ended = new AbortController();
  #postTo: string | undefined;
  #finish: ((reason: Error) => void) | undefined;

  constructor(deps: HttpTransportSettings) {
    this.#deps = deps;
  }

  async open(events: TransportEvents): Promise<void> {
    const { limitBytes } = this.#deps;
    this.#finish = (reason) => {
      this.#finish = undefined;
      events.closed(reason);
    };
    const answer = await this.#openStream();
    if (answer.status !== 200) {
      answer.body.destroy();
      throw new AppError(
        502,
        'upstream_refused',
        `The MCP server answered ${answer.status} to the event stream.`,
      );
    }
    const opened = Promise.withResolvers<string>();
    const read = async () => {
      for await (const { event, data } of readEvents(answer.body, limitBytes)) {
        if (event === 'endpoint') opened.resolve(data);
        else if (event === 'message') take(data, events);
      }
      throw gone();
    };
    read().catch((cause: unknown) => {
      opened.reject(gone(cause));
      this.#finish?.(gone(cause));
    });
    const timer = setTimeout(
      () =>
        opened.reject(
          new AppError(504, 'timed_out', 'The MCP server named no endpoint on its event stream.'),
        ),
      openTimeoutMs,
    );
    const endpoint = await opened.promise.finally(() => clearTimeout(timer));
    const target = URL.canParse(endpoint, answer.url) ? new URL(endpoint, answer.url) : undefined;
    // A stream that names an endpoint of another host is an attack.
    if (target?.origin !== new URL(answer.url).origin)
      throw new AppError(502, 'upstream_garbage', 'The MCP server named an endpoint of another origin.');
    this.#postTo = target.href;
  }

  send(message: RpcMessage, delivery: Delivery): Promise<void> {
    return this.#post(message, delivery);
  }

  agreed(): void {
    // The transport does not send the protocol version.
  }

  listen(): Promise<void> {
    return Promise.resolve();
  }

  [Symbol.asyncDispose]() {
    const reason = new AppError(503, 'closed', 'The connection to the MCP server was closed.');
    this.#ended.abort(reason);
    this.#finish?.(reason);
    return Promise.resolve();
  }

  async #openStream(isSecond = false): Promise<OutboundAnswer> {
    const { credentials, outbound, url } = this.#deps;
    const headers = { ...(await credentials?.headers()), accept: 'text/event-stream' };
    const answer = await outbound.request(url, {
      headers,
      signal: this.#ended.signal,
      idleTimeoutMs: 0,
      isStream: true,
      maxRedirects: 3,
      staysAtOrigin: true,
    });
    return (await hasOthers(credentials, answer, headers, isSecond)) ? this.#openStream(true) : answer;
  }

  async #post(message: RpcMessage, delivery: Delivery, isSecond = false): Promise<void> {
    const { credentials, outbound } = this.#deps;
    if (this.#postTo === undefined) throw gone();
    const headers = {
      ...(await credentials?.headers()),
      ...delivery.headers,
      'content-type': 'application/json',
    };
    const answer = await outbound.request(this.#postTo, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      signal: this.#ended.signal,
    });
    answer.body.destroy();
    const { status } = answer;
    if (status >= 200 && status < 300) return;
    if (await hasOthers(credentials, answer, headers, isSecond)) await this.#post(message, delivery, true);
    else throw new AppError(502, 'upstream_refused', `The MCP server answered ${status}.`);
  }
}

/** A message that cannot be read fails its own call. */
function take(data: string, events: TransportEvents): void {
  let message: RpcMessage | undefined;
  try {
    message = asMessage(parseJson(data));
  } catch (cause) {
    const id = requestOfBroken(data.slice(0, endCharacters), data.slice(-endCharacters));
    const reason = 'The MCP server wrote a message that cannot be read.';
    if (id !== undefined) events.broken(id, new AppError(502, 'upstream_garbage', reason, { cause }));
    return;
  }
  if (message !== undefined) events.message(message, undefined);
}

const gone = (cause?: unknown) =>
  new AppError(502, 'upstream_broke_off', 'The MCP server ended its event stream.', { cause });
