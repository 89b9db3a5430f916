/** Operations over WebSockets (RFC 6455), with the same authentication and validation as HTTP operations. */
import websocket from '@fastify/websocket';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { checkInput } from '../contract/check.ts';
import type { Checked, Operation } from '../contract/operation.ts';
import { AppError, forbidden } from '../errors.ts';
import type { MountOptions } from '../http/mount.ts';
import type { HttpRequest } from '../http/server.ts';
import { Socket, type SocketOptions } from './socket.ts';

/** Input of a handler; the socket is closed when the handler returns. */
export interface SocketInput<O extends Operation, Caller> extends Pick<Checked<O>, 'params' | 'query'> {
  readonly caller: O['access'] extends 'public' ? Caller | undefined : Caller;
  readonly socket: Socket;
  readonly requestId: string;
}

/** What is known of a caller before the upgrade. */
export interface SocketRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
}

export interface SocketMountOptions<Caller> extends Pick<MountOptions<Caller>, 'authenticate'> {
  readonly limits: SocketOptions;
  /** Tried before `authenticate`: a token of this socket alone, in the URL for callers who cannot set headers. */
  readonly authenticateByToken?: (request: SocketRequest) => Promise<Caller | undefined>;
  /** Origins of pages that may connect, besides this server's own. */
  readonly allowedOrigins?: readonly string[];
  readonly onError: (error: unknown) => void;
}

/** Upper limit for all sockets of a server; each socket has its own lower limit. */
const serverLimitBytes = 64 * 1024 * 1024;

/** Call once per server, before mounting sockets. */
export function acceptSockets(app: FastifyInstance): void {
  void app.register(websocket, {
    options: { maxPayload: serverLimitBytes, perMessageDeflate: false, clientTracking: true },
    // Unclean closes are not our errors; handlers report their own.
    errorHandler: (_error, socket) => socket.terminate(),
    preClose(done) {
      for (const client of this.websocketServer.clients) client.close(1001, 'The service is shutting down.');
      // Disconnect clients that do not respond with a close frame.
      const late = setTimeout(() => {
        for (const client of this.websocketServer.clients) client.terminate();
      }, 1000);
      this.websocketServer.close(() => clearTimeout(late));
      done();
    },
  });
}

/** Browsers let any site open a WebSocket with the user's cookies; programs send no Origin. */
function refuseOtherOrigins({ headers }: HttpRequest, allowed: readonly string[]): void {
  const { origin, host } = headers;
  if (origin === undefined || allowed.includes(origin)) return;
  if (!URL.canParse(origin) || new URL(origin).host !== host)
    throw forbidden('Pages of this origin may not connect. Allowed are pages of this server.');
}

/**
 * Adds the WebSocket of an operation (`GET`). Unauthorized callers get an HTTP error status before the upgrade;
 * a plain request gets 426.
 */
export function mountSocket<O extends Operation, Caller>(
  app: FastifyInstance,
  operation: O,
  handler: (input: SocketInput<O, Caller>) => Promise<void>,
  options: SocketMountOptions<Caller>,
): void {
  const { authenticate, authenticateByToken, allowedOrigins = [], limits, onError } = options;
  const url = operation.path.replace(/\{(\w+)\}/g, ':$1');
  // Registered as a plugin, so that it loads after the WebSocket plugin.
  void app.register((inside, _, done) => {
    if (!inside.hasRequestDecorator('caller')) inside.decorateRequest('caller');
    inside.route({
      method: 'GET',
      url,
      config: { operation: `${operation.method} ${operation.path}` },
      onRequest: async (request) => {
        refuseOtherOrigins(request, allowedOrigins);
        const fields = (of: unknown) => of as Readonly<Record<string, unknown>>;
        const byToken = await authenticateByToken?.({
          query: fields(request.query),
          params: fields(request.params),
          headers: request.headers,
        });
        request.caller = byToken ?? (await authenticate(operation, request.headers));
      },
      preHandler: async (request) => {
        checked(operation, request);
      },
      handler: () => {
        throw new AppError(426, 'upgrade_required', 'Connect here by WebSocket.', {
          headers: { upgrade: 'websocket' },
        });
      },
      wsHandler: (raw, request) => {
        const socket = new Socket(raw, limits);
        const caller = request.caller as SocketInput<O, Caller>['caller'];
        handler({ ...checked(operation, request), caller, socket, requestId: request.id }).then(
          () => socket.close(1000),
          (error: unknown) => {
            if (socket.signal.aborted) return;
            if (!(error instanceof AppError)) onError(error);
            const [code, reason] =
              error instanceof AppError
                ? [closeCodeOf(error), error.detail]
                : [1011, 'Internal error; the service’s log has details.'];
            socket.close(code, reason);
          },
        );
      },
    });
    done();
  });
}

/** 4000 plus the HTTP status for client errors; 1011 for internal errors. */
const closeCodeOf = ({ status }: AppError): number => (status < 500 ? 4000 + status : 1011);

function checked<O extends Operation>(
  operation: O,
  request: HttpRequest,
): Pick<Checked<O>, 'params' | 'query'> {
  const { params, query } = operation;
  return {
    params: params === undefined ? undefined : checkInput(params, request.params, 'path'),
    query: query === undefined ? undefined : checkInput(query, request.query, 'query'),
  } as Pick<Checked<O>, 'params' | 'query'>;
}
