import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { sendError } from './errors.ts';

export interface ProxySettings {
  /** Begins with a slash, without one at its end; it is cut off before the request goes on. */
  prefix: string;
  /** What answers, named in the message when it does not. */
  name: string;
  /** Its address, asked for with each request. */
  upstream: () => string;
}

/** Passes every request below the prefix on, body and answer as streams, long event streams too. */
export function addProxy(app: FastifyInstance, { prefix, name, upstream }: ProxySettings): void {
  const proxy: FastifyPluginCallback = (inside, _, done) => {
    // Bodies are passed on as they come; those who read them are on the other side.
    inside.removeAllContentTypeParsers();
    void inside.register(httpProxy, {
      prefix,
      rewritePrefix: '',
      upstream: '',
      disableRequestLogging: true,
      // Who reads the body says how long it may take to come.
      config: { streamsIn: true },
      // The last word on how long an answer may take is the service's own; an event stream never ends by itself.
      undici: { bodyTimeout: 0, headersTimeout: 130_000, connections: 256 },
      replyOptions: {
        getUpstream: upstream,
        rewriteRequestHeaders: (request, headers) => ({
          ...headers,
          'x-request-id': request.id,
          'x-forwarded-for': request.ip,
        }),
        onError: (reply, { error }) => {
          const gone = new AppError(502, 'upstream_failed', `The service ${name} does not answer.`, {
            cause: error,
          });
          // The types leave HTTP/2 open, which no server of ours speaks.
          sendError(gone, reply.request as FastifyRequest, reply as FastifyReply);
        },
      },
    });
    done();
  };
  void app.register(proxy);
}
