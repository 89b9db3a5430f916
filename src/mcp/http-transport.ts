/** Client transport for Streamable HTTP, for both protocol eras. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import {
  readLimited,
  type Outbound,
  type OutboundAnswer,
  type OutboundRequest,
  type OutboundText,
} from '#base/net/outbound.ts';
import { readEvents } from '#base/events/read-events.ts';
import { encodeHeaderValue } from './header-values.ts';
import { asMessage, isResponse, parseJson, RpcError, type RequestId, type RpcMessage } from './json-rpc.ts';
import { namedBy, type Era } from './protocol.ts';
import { readChallenge } from './oauth/challenge.ts';
import type { Credentials, Delivery, Transport, TransportEvents } from './transport.ts';

export interface HttpTransportSettings {
  readonly url: string;
  readonly outbound: Outbound;
  /** Undefined for servers without authentication. */
  readonly credentials?: Credentials | undefined;
  /** Maximum size of a received message. */
  readonly limitBytes: number;
}

/** The server lost our session: the request was not executed and can be retried in a new session. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost';
}

const maxResumptions = 5;
const defaultRetryMs = 1000;
const longestRetryMs = 30_000;
/** Maximum time a first call waits for the server's own stream to open. */
const streamOpenMs = 1000;
const streamPauseMs = 1000;

/** Short responses are read at once. */
type Answer = OutboundAnswer | OutboundText;

const textOf = (answer: Answer, limitBytes: number): string | Promise<string> =>
  'text' in answer ? answer.text : readLimited(answer.body, limitBytes);

function discard(answer: Answer): void {
  if ('body' in answer) answer.body.destroy();
}

const isStream = ({ headers }: Answer) =>
  String(headers['content-type'] ?? '')
    .toLowerCase()
    .startsWith('text/event-stream');

function parseMessages(text: string): RpcMessage[] {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    const what = cause instanceof RangeError ? 'JSON that nests too deep' : 'something that is not JSON';
    throw new AppError(502, 'upstream_garbage', `The MCP server answered ${what}.`, { cause });
  }
  return (Array.isArray(value) ? value : [value]).flatMap((each: unknown) => asMessage(each) ?? []);
}

/** Whether credentials were renewed, so that the message can be retried. Otherwise throws what the user must do. */
export async function hasOthers(
  credentials: Credentials | undefined,
  answer: Answer,
  sent: Readonly<Record<string, string>>,
  isLast: boolean,
): Promise<boolean> {
  const { status, headers } = answer;
  if (credentials === undefined || (status !== 401 && status !== 403)) return false;
  discard(answer);
  const others = await credentials.refused(readChallenge(status, headers['www-authenticate']), sent, isLast);
  return others && !isLast;
}

/** Converts an error response to an error; a JSON-RPC error in its body takes precedence. */
async function refusal(answer: Answer, limitBytes: number): Promise<Error> {
  const { status } = answer;
  const text = await Promise.resolve(textOf(answer, limitBytes)).catch(() => '');
  if (status === 401 || status === 403)
    return new AppError(
      502,
      'upstream_unauthorized',
      `The MCP server rejected the credentials (status ${status}).`,
    );
  try {
    for (const message of parseMessages(text))
      if (isResponse(message) && 'error' in message)
        return new RpcError(message.error.code, message.error.message, message.error.data, {
          cause: new AppError(502, 'upstream_refused', `The MCP server answered ${status}.`),
        });
  } catch {
    // Not JSON: the status is all we know.
  }
  return new AppError(502, 'upstream_refused', `The MCP server answered ${status}.`, {
    cause: new Error(text.slice(0, 300)),
  });
}

/** Sends messages by POST; messages on a response's stream belong to its request. */
export class HttpTransport implements Transport {
  readonly #settings: HttpTransportSettings;
  readonly #ended = new AbortController();
  #events: TransportEvents | undefined;
  #version: string | undefined;
  #era: Era | undefined;
  #sessionId: string | undefined;
  hasAnswered = false;

  get hasSession(): boolean {
    return this.#sessionId !== undefined;
  }

  constructor(settings: HttpTransportSettings) {
    this.#settings = settings;
  }

  open(handlers: TransportEvents): Promise<void> {
    this.#events = handlers;
    return Promise.resolve();
  }

  send(message: RpcMessage, delivery: Delivery): Promise<void> {
    return this.#post(message, delivery);
  }

  agreed(agreedVersion: string | undefined, agreedEra: Era | undefined): void {
    this.#version = agreedVersion;
    this.#era = agreedEra;
  }

  async listen(): Promise<void> {
    const open = new Promise<void>((resolve) => {
      // If the server has no such stream or is unreachable, the next call notices.
      this.#hear(resolve).then(resolve, () => resolve());
    });
    // The server may send its first requests on this stream; they are lost if it is not open yet. Some servers send the
    // response headers only with the first event, so the wait is limited.
    await Promise.race([open, sleep(streamOpenMs, undefined, { ref: false })]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { outbound, url } = this.#settings;
    if (this.#ended.signal.aborted) return;
    if (this.#sessionId !== undefined) {
      const goodbye = async () => {
        const { body } = await outbound.request(url, {
          method: 'DELETE',
          headers: await this.#headersOf(),
          signal: AbortSignal.timeout(2000),
        });
        body.destroy();
      };
      await goodbye().catch(() => undefined);
    }
    this.#ended.abort(new AppError(503, 'closed', 'The connection to the MCP server was closed.'));
    this.#events?.closed(this.#ended.signal.reason as Error);
  }

  async #headersOf(more?: Readonly<Record<string, string>>) {
    return this.#headersWith(await this.#settings.credentials?.headers(), more);
  }

  #headersWith(
    credentials: Readonly<Record<string, string>> | undefined,
    more?: Readonly<Record<string, string>>,
  ): Record<string, string> {
    return {
      ...credentials,
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
      ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
      ...more,
    };
  }

  #modernHeaders(message: RpcMessage): Record<string, string> {
    if (this.#era !== 'modern' || !('method' in message)) return {};
    const name = message.params?.[namedBy.get(message.method) ?? ''];
    return {
      'mcp-method': message.method,
      ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
    };
  }

  /** Whether the stream contained the response of the request. */
  #deliver(messages: readonly RpcMessage[], related: RequestId | undefined): boolean {
    for (const message of messages) this.#events?.message(message, related);
    return messages.some((message) => isResponse(message) && message.id === related);
  }

  /** Reads one stream. Returns whether it contained the response, and the event id to resume from. */
  async #readStream(answer: OutboundAnswer, related: RequestId | undefined) {
    const seen = { answered: false, lastId: undefined as string | undefined, retryMs: defaultRetryMs };
    try {
      for await (const event of readEvents(answer.body, this.#settings.limitBytes)) {
        seen.lastId = event.id ?? seen.lastId;
        seen.retryMs = event.retryMs ?? seen.retryMs;
        if (event.data !== '' && this.#deliver(parseMessages(event.data), related)) seen.answered = true;
        if (seen.answered) break;
      }
    } catch (error) {
      if (error instanceof RpcError || error instanceof AppError) throw error;
      // The stream broke off: it can be resumed if it had an event id.
    } finally {
      answer.body.destroy();
    }
    return seen;
  }

  async #get(lastId: string | undefined, signal: AbortSignal) {
    const { outbound, url } = this.#settings;
    return outbound.request(url, {
      headers: await this.#headersOf({
        accept: 'text/event-stream',
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      }),
      signal,
      idleTimeoutMs: 0,
      isStream: true,
    });
  }

  async #followStream(first: OutboundAnswer, id: RequestId, signal: AbortSignal) {
    let seen = await this.#readStream(first, id);
    for (let left = maxResumptions; !seen.answered && seen.lastId !== undefined && left > 0; left -= 1) {
      await sleep(Math.min(seen.retryMs, longestRetryMs), undefined, { signal });
      const again = await this.#get(seen.lastId, signal);
      if (again.status !== 200 || !isStream(again)) {
        again.body.destroy();
        break;
      }
      const { lastId } = seen;
      seen = await this.#readStream(again, id);
      seen.lastId ??= lastId;
    }
    if (!seen.answered)
      throw new AppError(
        502,
        'upstream_broke_off',
        'The MCP server closed its response before it was complete.',
      );
  }

  /** Synchronous for an answer that is read already. */
  #receive(answer: Answer, message: RpcMessage, signal: AbortSignal): void | Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id === undefined || answer.status === 202) {
      discard(answer);
      if (id !== undefined)
        throw new AppError(
          502,
          'upstream_garbage',
          'The MCP server accepted the request but sent no response.',
        );
      return undefined;
    }
    if ('body' in answer && isStream(answer)) return this.#followStream(answer, id, signal);
    const text = textOf(answer, this.#settings.limitBytes);
    return typeof text === 'string' ? this.#take(text, id) : text.then((read) => this.#take(read, id));
  }

  #take(text: string, id: RequestId): void {
    const messages = parseMessages(text);
    if (!messages.some((each) => isResponse(each)))
      throw new AppError(
        502,
        'upstream_garbage',
        'The MCP server answered something that is no JSON-RPC response.',
      );
    for (const each of messages) this.#events?.message(each, id);
  }

  #assertSession(answer: Answer, sent: Readonly<Record<string, string>>) {
    if (answer.status !== 404 || this.#sessionId === undefined || sent['mcp-session-id'] !== this.#sessionId)
      return;
    discard(answer);
    const lost = new SessionLost('The MCP server no longer knows our session.');
    this.#events?.closed(lost);
    throw lost;
  }

  #exchange(
    message: RpcMessage,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { outbound, url, limitBytes } = this.#settings;
    const isCall = 'method' in message;
    const request: OutboundRequest = {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      signal,
      // The caller's timeout applies.
      headTimeoutMs: 0,
      idleTimeoutMs: 0,
      isStream: isCall && message.method === 'subscriptions/listen',
      maxRedirects: 3,
      staysAtOrigin: true,
    };
    // Responses to notifications are ignored.
    return isCall && 'id' in message
      ? outbound.exchange(url, request, limitBytes)
      : outbound.request(url, request);
  }

  async #post(message: RpcMessage, delivery: Delivery, isSecond = false): Promise<void> {
    const { limitBytes, credentials } = this.#settings;
    const { signal, headers } = delivery;
    const sent = this.#headersWith(credentials && (await credentials.headers()), {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...this.#modernHeaders(message),
      ...headers,
    });
    // Requests have their own signal, which is aborted when the connection closes.
    const until = signal ?? this.#ended.signal;
    const answer = await this.#exchange(message, sent, until);
    this.hasAnswered = true;
    this.#assertSession(answer, sent);
    if (answer.status < 200 || answer.status >= 300) {
      if (!(await hasOthers(credentials, answer, sent, isSecond))) throw await refusal(answer, limitBytes);
      await this.#post(message, delivery, true);
      return;
    }
    const minted = answer.headers['mcp-session-id'];
    if (this.#sessionId === undefined && this.#era !== 'modern' && typeof minted === 'string')
      this.#sessionId = minted;
    await this.#receive(answer, message, until);
  }

  /** Reads the server's own stream for as long as the server offers one. */
  async #hear(onOpen: () => void) {
    let lastId: string | undefined;
    while (!this.#ended.signal.aborted) {
      const answer = await this.#get(lastId, this.#ended.signal);
      onOpen();
      if (answer.status !== 200 || !isStream(answer)) {
        answer.body.destroy();
        return;
      }
      const seen = await this.#readStream(answer, undefined);
      lastId = seen.lastId ?? lastId;
      await sleep(Math.max(streamPauseMs, Math.min(seen.retryMs, longestRetryMs)), undefined, {
        signal: this.#ended.signal,
      });
    }
  }
}
