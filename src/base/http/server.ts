import type { IncomingMessage } from 'node:http';
import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { PlatformConfig } from '../config/platform.ts';
import { AppError, badRequest } from '../errors.ts';
import { deepestJson, nestsTooDeep } from '../json-depth.ts';
import type { Logger } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { RequestTrace, Tracing } from '../tracing/tracing.ts';
import { sendError } from './errors.ts';
import { createConnections, type Connections } from './connections.ts';
import { limitBodyTime } from './body-time.ts';
import { acceptForms } from './forms.ts';
import { formOverheadBytes } from './read-form.ts';
import { requestId } from './request-id.ts';
import { acceptLines } from './lines.ts';

/** The server of one service, for rooms that may not import fastify. */
export type HttpApp = FastifyInstance;
export type HttpRequest = FastifyRequest;
export type HttpReply = FastifyReply;

export interface HttpSettings {
  /** The service's name, as in its logs and metrics. */
  service: string;
  log: Logger;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  /** The largest request body. */
  bodyLimitBytes: number;
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[];
  /** The largest form including files; if omitted, forms are refused. */
  uploadLimitBytes?: number;
  /** The largest body that is forwarded to other servers. */
  proxiedLimitBytes?: number;
  /** Rewrites a request's URL before routing. */
  rewriteUrl?: (url: string) => string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on each connection is closed after its next response; new ones are still accepted. */
    endConnectionsWithAnswers(): void;
    /** Requests that still arrive, for the code that ends the server. */
    readonly arrivals: Pick<Connections, 'asked' | 'isAwaited'>;
  }
  interface FastifyContextConfig {
    /** The operation's name in its contract. */
    operation?: string;
    /** The body is streamed, without a time limit. */
    streamsIn?: boolean;
    /** The body is a form. */
    takesForm?: boolean;
  }
  interface FastifyRequest {
    /** The request's span, where requests are traced. */
    trace?: RequestTrace | undefined;
  }
}

/** Server settings from the configuration. */
export const serverSettings = ({
  limits,
  trustedProxies,
}: Pick<PlatformConfig, 'limits' | 'trustedProxies'>) => ({
  bodyLimitBytes: limits.bodyBytes,
  trustedProxies,
});

/** Responses are for one caller: no sniffing, framing or caching. */
const apiHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

/** An HTTP server with our limits, errors, log lines and headers, and no routes yet. */
export function createHttpServer(settings: HttpSettings): FastifyInstance {
  const { service, log, metrics, tracing, rewriteUrl = (url: string) => url } = settings;
  // Its fields contain no secrets, and redaction costs more than the rest of the line.
  const requestLog = log.child({}, { redact: [] });
  const app = fastify({
    loggerInstance: log,
    bodyLimit: settings.bodyLimitBytes,
    trustProxy: settings.trustedProxies === undefined ? false : [...settings.trustedProxies],
    genReqId: (request) => requestId(request.headers['x-request-id']),
    // The hook below writes one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs more than the log line; callers pass the request id instead.
    childLoggerFactory: (logger) => logger,
    // Set below for each request whose body is not a stream.
    requestTimeout: 0,
    // On close, idle connections end at once; requests in flight and those arriving on open connections are
    // answered first.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Of each step of starting and of closing: a service may wait for running calls as long as `shutdown.timeout_ms` says.
    pluginTimeout: 0,
    rewriteUrl: ({ url = '/' }: IncomingMessage) => rewriteUrl(url),
    routerOptions: { maxParamLength: 200 },
    onProtoPoisoning: 'error',
    // For example, a URL that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply);
    },
  }) as unknown as FastifyInstance;

  app.removeContentTypeParser('text/plain');
  // Many clients send a content type without a body: an empty body counts as none.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else if (nestsTooDeep(body as string))
      done(badRequest(`The request body is nested deeper than ${deepestJson} levels; reduce the nesting.`));
    else void parseJson(request, body as string, done);
  });
  if (settings.uploadLimitBytes !== undefined) acceptForms(app, settings.uploadLimitBytes);
  acceptLines(app);
  limitBodyTime(app);

  const { bodyLimitBytes, uploadLimitBytes = 0, proxiedLimitBytes = 0 } = settings;
  const largestBodyBytes = Math.max(bodyLimitBytes, uploadLimitBytes + formOverheadBytes, proxiedLimitBytes);
  const connections = createConnections(app.server, { largestBodyBytes });
  app.decorate('arrivals', connections);
  app.decorate('endConnectionsWithAnswers', () => connections.endWithAnswers());
  app.addHook('preClose', (done) => {
    connections.endAll();
    done();
  });
  app.decorateRequest('trace', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request;
    if (tracing !== undefined) request.trace = tracing.request({ service, method, headers });
    void reply.headers({ ...apiHeaders, 'x-request-id': request.id });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config?.operation ?? 'none';
    const seconds = reply.elapsedTime / 1000;
    request.trace?.end({ operation, status: reply.statusCode });
    metrics?.observeRequest({ operation, method: request.method, status: reply.statusCode, seconds });
    requestLog.info(
      {
        request_id: request.id,
        ...(request.trace && { trace_id: request.trace.traceId }),
        method: request.method,
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: round(reply.elapsedTime),
      },
      'request',
    );
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendError(
      new AppError(
        404,
        'not_found',
        `There is nothing at ${pathOf(request.url)}. The paths are listed at /docs.`,
      ),
      request,
      reply,
    ),
  );
  return app;
}

/** A path for logs and messages: without its query (which may carry secrets), and not endless. */
const pathOf = (url: string) => url.split('?', 1)[0]?.slice(0, 200) ?? '';

const round = (ms: number) => Math.round(ms * 100) / 100;
