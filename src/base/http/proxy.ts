import { PassThrough, Readable } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { callerGone, readRest, sendError, tooLarge } from './errors.ts';

export interface ProxySettings {
  /** With a leading and without a trailing slash; removed before the request is forwarded. */
  prefix: string;
  /** The prefix is part of the upstream's own paths: it is not removed. */
  keepsPrefix?: boolean;
  /** Name of the upstream service, for error messages. */
  name: string;
  /** Its URL, evaluated for each request. */
  upstream: () => string;
  /** The largest body that any upstream service accepts; larger ones are refused here. */
  largestBodyBytes: number;
  /**
   * Authorizes a request, by the path that the upstream service will see.
   * @throws AppError
   */
  admit?: (path: string, request: FastifyRequest) => Promise<void>;
}

/** Forwards every request below the prefix, streaming both bodies, including event streams. */
export function addProxy(app: FastifyInstance, settings: ProxySettings): void {
  const { prefix, keepsPrefix = false, name, upstream, largestBodyBytes, admit } = settings;
  const prepare = async (request: FastifyRequest) => {
    await admit?.(pathBehind(prefix, request.raw.url ?? ''), request);
    if (Number(request.headers['content-length']) > largestBodyBytes) throw tooLarge(largestBodyBytes);
    if (request.body instanceof Readable) request.body = detached(request);
  };
  const proxy: FastifyPluginCallback = (inside, _, done) => {
    // Bodies are forwarded unparsed.
    inside.removeAllContentTypeParsers();
    inside.addHook('preHandler', prepare);
    void inside.register(httpProxy, {
      prefix,
      rewritePrefix: keepsPrefix ? prefix : '',
      upstream: '',
      disableRequestLogging: true,
      // The upstream service limits the time of the body.
      config: { streamsIn: true },
      // The upstream service limits its own response time; an event stream has no end of its own.
      undici: { bodyTimeout: 0, headersTimeout: 130_000, connections: 256 },
      replyOptions: {
        onResponse: (request, reply, response) => {
          // A service may respond before it has read the whole body.
          if (!request.raw.complete) readRest(request as FastifyRequest, reply as FastifyReply);
          reply.send((response as unknown as { stream: Readable }).stream);
        },
        getUpstream: upstream,
        rewriteRequestHeaders: (request, { expect: _answeredHere, ...headers }) => ({
          ...headers,
          'x-request-id': request.id,
          'x-forwarded-for': request.ip,
        }),
        onError: (reply, { error }) => {
          // The types allow HTTP/2, which our servers do not use.
          const request = reply.request as FastifyRequest;
          const told = request.raw.socket.destroyed
            ? callerGone(error)
            : new AppError(502, 'upstream_failed', `The service ${name} does not answer.`, { cause: error });
          sendError(told, request, reply as FastifyReply);
        },
      },
    });
    done();
  };
  void app.register(proxy);
}

/** The normalized path: decoded, without dot segments, doubled slashes, query and fragment. */
function pathBehind(prefix: string, url: string): string {
  const path = new URL(`http://service${url.slice(prefix.length)}`).pathname.replaceAll(/\/{2,}/g, '/');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The body as a separate stream: if the upstream stops reading and its stream is destroyed, the client's connection
 * stays open, so that the response arrives.
 */
function detached({ raw }: FastifyRequest): Readable {
  const body = new PassThrough();
  // After unpiping, which pauses it.
  body.once('close', () => setImmediate(() => raw.resume()));
  body.on('error', () => {});
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('The client is gone.'));
  });
  return raw.pipe(body);
}
