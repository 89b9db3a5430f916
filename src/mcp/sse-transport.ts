/** HTTP with server-sent events as of 2024-11-05: one stream of messages, and an address to post to. */
import { AppError } from '#base/errors.ts';
import { readEvents } from './event-stream.ts';
import type { HttpTransportSettings } from './http-transport.ts';
import { asMessage } from './json-rpc.ts';
import type { Transport } from './transport.ts';

const openTimeoutMs = 10_000;

/** The stream is opened at once; it carries every message of the server. */
export function sseTransport({ url, outbound, headers, limitBytes }: HttpTransportSettings): Transport {
  const ended = new AbortController();
  let postTo: string | undefined;
  let finish: ((reason: Error) => void) | undefined;
  const gone = (cause?: unknown) =>
    new AppError(502, 'upstream_broke_off', 'The MCP server ended its event stream.', { cause });

  return {
    async open(events) {
      finish = (reason) => {
        finish = undefined;
        events.closed(reason);
      };
      const answer = await outbound.request(url, {
        headers: { ...(await headers()), accept: 'text/event-stream' },
        signal: ended.signal,
        idleTimeoutMs: 0,
        maxRedirects: 3,
      });
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
          else if (event === 'message') {
            const message = asMessage(JSON.parse(data));
            if (message !== undefined) events.message(message, undefined);
          }
        }
        throw gone();
      };
      read().catch((cause: unknown) => {
        opened.reject(gone(cause));
        finish?.(gone(cause));
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
      // A stream that sends our messages, and their credentials, to another host is an attack.
      if (target?.origin !== new URL(answer.url).origin)
        throw new AppError(502, 'upstream_garbage', 'The MCP server named an endpoint of another origin.');
      postTo = target.href;
    },
    async send(message, delivery) {
      if (postTo === undefined) throw gone();
      const { status, body } = await outbound.request(postTo, {
        method: 'POST',
        headers: { ...(await headers()), ...delivery.headers, 'content-type': 'application/json' },
        body: JSON.stringify(message),
        signal: ended.signal,
      });
      body.destroy();
      if (status < 200 || status >= 300)
        throw new AppError(502, 'upstream_refused', `The MCP server answered ${status}.`);
    },
    agreed: () => undefined,
    listen: () => undefined,
    [Symbol.asyncDispose]() {
      const reason = new AppError(503, 'closed', 'The connection to the MCP server was closed.');
      ended.abort(reason);
      finish?.(reason);
      return Promise.resolve();
    },
  };
}
