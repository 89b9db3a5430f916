/** Passes a request on to the process in which its session lives, and the answer back as it comes. */
import { request as requestHttp, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { AppError } from '#base/errors.ts';

export const passHeader = 'x-bulwark-passed-on';

export interface PassedOn {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Of the other process and this endpoint. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly pass: string;
  readonly requestId: string;
}

/** What the other process decides by; what speaks of this connection stays here. */
const passedHeaders = [
  'accept',
  'authorization',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-api-key',
] as const;

const connectMs = 3000;

const gone = (cause: unknown) =>
  new AppError(404, 'no_session', 'The session’s process is gone. Begin again with `initialize`.', { cause });

/** It may have done what was asked: nobody asks it again unasked. */
const brokenOff = (cause: unknown) =>
  new AppError(502, 'broken_off', 'The session’s process ended before it had answered.', { cause });

/**
 * Resolves when the answer has begun.
 * @throws AppError 404 where the other process cannot be reached: the client begins anew. 502 where it ended meanwhile.
 */
export function passOn(passed: PassedOn, begin: () => ServerResponse): Promise<void> {
  const { method, url, headers, pass, requestId } = passed;
  const body = method === 'POST' ? JSON.stringify(passed.body) : undefined;
  const own = Object.fromEntries(
    passedHeaders.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
  );
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const asked = send(url, {
      method,
      headers: {
        ...own,
        [passHeader]: pass,
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
      // The other process ended in the middle: so does the answer, and the client comes back.
      answer.once('close', () => {
        if (!answer.complete) response.destroy();
      });
      response.once('close', () => asked.destroy());
      resolve();
    });
    asked.end(body);
  });
}
