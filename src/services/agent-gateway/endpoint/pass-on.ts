/** Forwards a request to the process that holds its session or its waiting call, and streams the response back. */
import { request as requestHttp, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { AppError } from '#base/errors.ts';

export const passHeader = 'x-bulwark-passed-on';
/** The id of the session or call because of which the request was forwarded; the pass is valid for it alone. */
export const passedForHeader = 'x-bulwark-passed-for';

export interface PassedOn {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Endpoint URL at the other process. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly pass: string;
  readonly passedFor: string;
  readonly requestId: string;
}

/** Headers that the other process needs; those about this connection are not forwarded. */
const passedHeaders = [
  'accept',
  'authorization',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-api-key',
] as const;
/** Arguments that clients repeat in headers. */
const paramPrefix = 'mcp-param-';

const connectMs = 3000;

const gone = (cause: unknown) =>
  new AppError(404, 'no_session', 'The session’s process is gone. Begin again with `initialize`.', { cause });

/** The request may have been executed, so it must not be retried automatically. */
const brokenOff = (cause: unknown) =>
  new AppError(502, 'broken_off', 'The session’s process ended before it had answered.', { cause });

/**
 * Resolves when the response has begun.
 * @throws AppError 404 if the other process is unreachable, so that the client starts a new session; 502 if it ended
 * before it responded.
 */
export function passOn(passed: PassedOn, begin: () => ServerResponse): Promise<void> {
  const { method, url, headers, pass, passedFor, requestId } = passed;
  const body = method === 'POST' ? JSON.stringify(passed.body) : undefined;
  const names = [...passedHeaders, ...Object.keys(headers).filter((name) => name.startsWith(paramPrefix))];
  const own = Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const asked = send(url, {
      method,
      headers: {
        ...own,
        [passHeader]: pass,
        [passedForHeader]: passedFor,
        'x-request-id': requestId,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      },
      agent: false,
    });
    const late = setTimeout(() => asked.destroy(new Error('no connection in time')), connectMs);
    let isConnected = false;
    asked.once('socket', (socket) =>
      socket.once('connect', () => {
        isConnected = true;
        clearTimeout(late);
      }),
    );
    asked.once('error', (error) => {
      clearTimeout(late);
      reject(isConnected ? brokenOff(error) : gone(error));
    });
    asked.once('response', (answer) => {
      clearTimeout(late);
      const response = begin();
      const { connection: _, 'keep-alive': _ours, 'transfer-encoding': _chunks, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      response.flushHeaders();
      answer.pipe(response);
      // The other process ended while responding: the response is cut off and the client reconnects.
      answer.once('close', () => {
        if (!answer.complete) response.destroy();
      });
      response.once('close', () => asked.destroy());
      resolve();
    });
    asked.end(body);
  });
}
