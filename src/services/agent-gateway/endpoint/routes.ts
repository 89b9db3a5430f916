/** The MCP endpoint of each gateway, over HTTP. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '#base/db/database.ts';
import { AppError, notFound, unavailable } from '#base/errors.ts';
import { detailBody, sendError } from '#base/http/errors.ts';
import { withRequestId } from '#base/http/request-id.ts';
import type { HttpApp, HttpReply, HttpRequest } from '#base/http/server.ts';
import { readTraceparent } from '#base/tracing/traceparent.ts';
import type { Caller } from '#identity/caller.ts';
import {
  asMessage,
  failure,
  fieldsOf,
  isFields,
  isRequest,
  rpcCodes,
  type RpcMessage,
} from '#mcp/json-rpc.ts';
import { metaOf } from '#mcp/protocol.ts';
import { findGateway } from '../registry/gateways/store.ts';
import type { AuthenticateClient } from './authenticate.ts';
import type { LegacyEndpoint, LegacyRequest } from './legacy.ts';
import type { LiveGateway } from './live-gateway.ts';
import type { LiveGateways } from './live-gateways.ts';
import { isModern, type ModernEndpoint } from './modern.ts';
import { headerText } from './header-text.ts';
import { passedForHeader, passHeader, passOn, type PassedOn } from './pass-on.ts';
import type { Peers } from './peers.ts';
import { replyStream } from './reply-stream.ts';
import { requireScopes } from './step-up.ts';
import { continuedCall } from './suspended.ts';

export interface EndpointDeps {
  readonly db: Database;
  readonly live: LiveGateways;
  readonly authenticate: AuthenticateClient;
  /** URL of the protected resource metadata of the gateway. */
  readonly metadataUrl: (gatewayId: string) => string;
  readonly legacy: LegacyEndpoint;
  readonly modern: ModernEndpoint;
  readonly peers: Peers;
  /** Counts the request for the caller's rate limit. */
  readonly count: (caller: Caller) => Promise<unknown> | undefined;
}

/**
 * Copies the trace context from the HTTP headers to `_meta`, from where it is forwarded to servers, unless `_meta`
 * already has one.
 */
function withTrace(message: RpcMessage, { traceparent, tracestate }: IncomingHttpHeaders): RpcMessage {
  if (!isRequest(message) || typeof traceparent !== 'string') return message;
  const meta = metaOf(message.params);
  if (readTraceparent(traceparent) === undefined || meta['traceparent'] !== undefined) return message;
  const _meta = { ...meta, traceparent, ...(typeof tracestate === 'string' && { tracestate }) };
  return { ...message, params: { ...message.params, _meta } };
}

/** The waiting call that the request of a modern client continues. */
const continuedBy = (body: unknown): string | undefined =>
  isFields(body) ? continuedCall(fieldsOf(body['params'])) : undefined;

type Params = { gateway_id: string };

interface Incoming {
  readonly method: string;
  readonly params: unknown;
  readonly headers: IncomingHttpHeaders;
  caller?: unknown;
}

const takesEvents = ({ accept }: IncomingHttpHeaders): boolean =>
  String(accept ?? '').includes('text/event-stream');

const path = '/api/gateways/:gateway_id/mcp';

/** An HTTP error before the message is parsed, as a JSON-RPC error. */
function refusalCode({ status, code }: AppError): number {
  if (status >= 500) return rpcCodes.internalError;
  return code === 'not_json' ? rpcCodes.parseError : rpcCodes.invalidRequest;
}

/** Adds the endpoint routes; errors are JSON-RPC errors. */
export function addEndpoint(app: HttpApp, deps: EndpointDeps): void {
  const { db, live, authenticate, metadataUrl, legacy, modern, peers, count } = deps;

  /** The gateway if it is running. */
  const getRunning = (gatewayId: string, caller: Caller): LiveGateway | Promise<LiveGateway> => {
    const found = live.find(gatewayId);
    if (!(found instanceof Promise) && found.gateway.tenantId === caller.tenantId) return found;
    return getCreated(gatewayId, caller, found);
  };

  const getCreated = async (
    gatewayId: string,
    caller: Caller,
    creating: ReturnType<LiveGateways['find']>,
  ): Promise<LiveGateway> => {
    const found = await creating;
    if (found !== undefined && found.gateway.tenantId === caller.tenantId) return found;
    const gateway = await findGateway(db, gatewayId);
    if (gateway?.tenantId !== caller.tenantId) throw notFound(`The gateway ${gatewayId}`);
    throw unavailable(
      `The gateway ${gateway.name} is stopped. Start it: POST /api/gateways/${gatewayId}/start.`,
    );
  };

  // Authenticates before the body is read, so that unauthenticated requests use no memory.
  const onRequest = async (request: Incoming) => {
    const { gateway_id: gatewayId } = request.params as Params;
    const caller = await authenticate(gatewayId, request.headers);
    request.caller = caller;
    const counting = isPassedOn(request.headers) ? undefined : count(caller);
    if (counting !== undefined) await counting;
  };
  const isPassedOn = (headers: IncomingHttpHeaders) =>
    headers[passHeader] !== undefined &&
    peers.isPassedOn(headerText(headers, passHeader), headerText(headers, passedForHeader) ?? '');

  /** Forwards the request if another process holds its session, or the call that it continues. Whether it was forwarded. */
  const wentOn = (
    method: PassedOn['method'],
    request: HttpRequest,
    reply: HttpReply,
  ): boolean | Promise<boolean> => {
    const heldId = headerText(request.headers, 'mcp-session-id') ?? continuedBy(request.body);
    return heldId !== undefined && !isPassedOn(request.headers) && goOn(method, heldId, request, reply);
  };

  const goOn = async (
    method: PassedOn['method'],
    heldId: string,
    request: HttpRequest,
    reply: HttpReply,
  ): Promise<boolean> => {
    const address = await peers.addressOf(heldId);
    if (address === undefined) return false;
    const { gateway_id: gatewayId } = request.params as Params;
    await passOn(
      {
        method,
        url: `${address}/api/gateways/${encodeURIComponent(gatewayId)}/mcp`,
        headers: request.headers,
        body: request.body,
        pass: peers.pass(heldId),
        passedFor: heldId,
        requestId: request.id,
      },
      () => {
        reply.hijack();
        return reply.raw;
      },
    );
    return true;
  };

  app.route<{ Params: Params }>({
    method: 'POST',
    url: path,
    config: { operation: 'mcp' },
    onRequest,
    errorHandler: (thrown: unknown, request, reply) => {
      const sent = request.body === undefined ? undefined : asMessage(request.body);
      const id = sent !== undefined && 'id' in sent ? sent.id : null;
      sendError(thrown, request, reply, (error, requestId) => ({
        ...failure(id, { code: refusalCode(error), message: error.detail }),
        ...detailBody(error, requestId),
      }));
    },
    handler: async (request, reply) => {
      const going = wentOn('POST', request, reply);
      if (going instanceof Promise && (await going)) return;
      const { headers, body } = request;
      const caller = request.caller as Caller;
      const getting = getRunning(request.params.gateway_id, caller);
      const running = getting instanceof Promise ? await getting : getting;
      requireScopes(caller, body, () => metadataUrl(request.params.gateway_id));
      const common = { response: reply.raw, takesEvents: takesEvents(headers) };
      const sent = reply.getHeaders();
      const single = Array.isArray(body) ? undefined : asMessage(body);
      const message = single && withTrace(single, headers);
      const answer = (): Promise<void> => {
        if (message !== undefined && isModern(message, headers)) {
          reply.hijack();
          return modern.answer(running, caller, message, headers, replyStream({ ...common, headers: sent }));
        }
        const asked: LegacyRequest = { live: running, caller, headers };
        return legacy.answer(asked, message ?? body, ({ sessionId, nextId, primed }) => {
          reply.hijack();
          const own = { ...sent, ...(sessionId !== undefined && { 'mcp-session-id': sessionId }) };
          return replyStream({ ...common, headers: own, nextId, ...(primed !== undefined && { primed }) });
        });
      };
      await withRequestId(request.id, () =>
        request.trace === undefined ? answer() : request.trace.run(answer),
      );
    },
  });

  app.route<{ Params: Params }>({
    method: 'GET',
    url: path,
    config: { operation: 'mcp_stream' },
    onRequest,
    handler: async (request, reply) => {
      const caller = request.caller as Caller;
      const { gateway_id: gatewayId } = request.params;
      if (takesEvents(request.headers)) {
        if (await wentOn('GET', request, reply)) return;
        const running = await getRunning(gatewayId, caller);
        if (request.headers['mcp-session-id'] === undefined)
          throw new AppError(
            405,
            'method_not_allowed',
            'A stream needs a session; begin with `initialize`, or POST.',
            {
              headers: { allow: 'POST, GET, DELETE' },
            },
          );
        const sent = reply.getHeaders();
        const asked: LegacyRequest = { live: running, caller, headers: request.headers };
        legacy.attach(asked, reply.raw, sent as Record<string, unknown>);
        reply.hijack();
        return;
      }
      const gateway = await findGateway(db, gatewayId);
      if (gateway?.tenantId !== caller.tenantId) throw notFound(`The gateway ${gatewayId}`);
      const status = !gateway.running ? 'stopped' : live.isStarting(gatewayId) ? 'starting' : 'running';
      const message =
        status === 'running'
          ? 'The MCP endpoint is ready. Send JSON-RPC messages with POST.'
          : `The gateway is ${status}.`;
      return reply.send({ gateway_id: gatewayId, name: gateway.name, status, message });
    },
  });

  app.route<{ Params: Params }>({
    method: 'DELETE',
    url: path,
    config: { operation: 'mcp_end' },
    onRequest,
    handler: async (request, reply) => {
      if (await wentOn('DELETE', request, reply)) return;
      const caller = request.caller as Caller;
      const running = await getRunning(request.params.gateway_id, caller);
      await legacy.end({ live: running, caller, headers: request.headers });
      return reply.code(204).send();
    },
  });
}
