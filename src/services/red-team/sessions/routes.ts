/** The MCP proxy over HTTP: streamable HTTP, and the older transport with server-sent events. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AppError, notFound } from '#base/errors.ts';
import { EventStream } from '#base/events/event-stream.ts';
import { detailBody, sendError } from '#base/http/errors.ts';
import type { HttpApp, HttpReply, HttpRequest } from '#base/http/server.ts';
import { failure, rpcCodes } from '#mcp/json-rpc.ts';
import { type AgentAuthentication, authenticateAgent } from './authenticate-agent.ts';
import type { McpProxy } from './mcp-proxy.ts';
import type { ProxyCaller } from './running-sessions.ts';

export interface ProxyRoutesDeps extends AgentAuthentication {
  readonly proxy: McpProxy;
}

interface Params {
  token?: string;
}

interface Stream {
  readonly events: EventStream;
  readonly caller: ProxyCaller;
}

const mostStreams = 2000;
const streamLifeMs = 4 * 3600_000;
const base = '/sandbox/mcp';

export class ProxyRoutes {
  readonly #deps: ProxyRoutesDeps;
  readonly #streams = new Map<string, Stream>();

  constructor(deps: ProxyRoutesDeps) {
    this.#deps = deps;
  }

  addTo(app: HttpApp): void {
    // Authenticates before the body is read, so that unauthenticated requests use no memory.
    const onRequest = async (request: HttpRequest & { caller?: unknown }) => {
      const { token } = request.params as Params;
      request.caller = await authenticateAgent(this.#deps, request.headers, token);
    };
    const errorHandler = (thrown: unknown, request: HttpRequest, reply: HttpReply) =>
      sendError(thrown, request, reply, (error, requestId) => ({
        ...failure(null, { code: codeOf(error), message: error.detail }),
        ...detailBody(error, requestId),
      }));
    const common = { onRequest, errorHandler: errorHandler as never };
    for (const prefix of [base, `${base}/s/:token`]) {
      for (const method of ['POST', 'GET', 'DELETE'] as const)
        app.route({
          ...common,
          method,
          url: prefix,
          config: { operation: `sandbox_mcp_${method.toLowerCase()}` },
          handler: (request, reply) => this.#streamable(request as never, reply as never),
        });
      app.route({
        ...common,
        method: 'GET',
        url: `${prefix}/sse`,
        config: { operation: 'sandbox_mcp_sse' },
        handler: (request, reply) => this.#openStream(request as never, reply as never),
      });
    }
    app.route({
      ...common,
      method: 'POST',
      url: `${base}/messages/:stream`,
      config: { operation: 'sandbox_mcp_message' },
      handler: (request, reply) => this.#message(request as never, reply as never),
    });
  }

  async #streamable(request: HttpRequest, reply: HttpReply): Promise<unknown> {
    const response = await this.#ask(request, request.method, request.body, callerOf(request));
    reply.code(response.status);
    response.headers.forEach((value, name) => {
      if (name !== 'content-length') reply.header(name, value);
    });
    return reply.send(response.body ? Readable.fromWeb(response.body as ReadableStream) : '');
  }

  /** Begins a stream of the older transport; its first event names the address for messages. */
  #openStream(request: HttpRequest, reply: HttpReply): unknown {
    if (this.#streams.size >= mostStreams)
      throw new AppError(
        503,
        'unavailable',
        'Too many streams are open. Use streamable HTTP, or try again later.',
      );
    const id = randomBytes(18).toString('base64url');
    const events = new EventStream({ lifeMs: streamLifeMs });
    this.#streams.set(id, { events, caller: callerOf(request) });
    events.once('close', () => this.#streams.delete(id));
    events.offer({ event: 'endpoint', data: `${base}/messages/${id}` });
    return reply
      .headers({
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      })
      .send(events);
  }

  /** A message of the older transport: answered on its stream. */
  async #message(request: HttpRequest, reply: HttpReply): Promise<unknown> {
    const { stream: id } = request.params as { stream: string };
    const stream = this.#streams.get(id);
    const { tenantId, userId } = callerOf(request);
    if (stream?.caller.tenantId !== tenantId || stream.caller.userId !== userId) throw notFound('The stream');
    const response = await this.#ask(request, 'POST', request.body, stream.caller);
    for (const message of await messagesOf(response))
      stream.events.offer({ event: 'message', data: message });
    return reply.code(202).send('Accepted');
  }

  #ask(request: HttpRequest, method: string, body: unknown, caller: ProxyCaller): Promise<Response> {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string' && passedHeaders.test(name)) headers.set(name, value);
    headers.set('accept', 'application/json, text/event-stream');
    const ends = new AbortController();
    request.raw.once('close', () => {
      if (!request.raw.complete) ends.abort();
    });
    const asked = new Request('http://sandbox/mcp', {
      method,
      headers,
      signal: ends.signal,
      ...(method === 'POST' && { body: JSON.stringify(body ?? null) }),
    });
    return this.#deps.proxy.fetch(asked, body, caller);
  }
}

const passedHeaders = /^(content-type|mcp-.*|last-event-id)$/;

const callerOf = (request: HttpRequest) => (request as { caller?: unknown }).caller as ProxyCaller;

/** An HTTP error before a message is read, as a JSON-RPC error. */
function codeOf({ status, code }: AppError): number {
  if (status >= 500) return rpcCodes.internalError;
  return code === 'not_json' ? rpcCodes.parseError : rpcCodes.invalidRequest;
}

/** The JSON-RPC messages of an answer, whether it is JSON or a stream of events. */
async function messagesOf(response: Response): Promise<string[]> {
  const text = await response.text();
  if (text === '') return [];
  if (!response.headers.get('content-type')?.includes('text/event-stream')) return [text];
  return text
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n'),
    )
    .filter(Boolean);
}
