import { PassThrough, Readable } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { readRest, sendError, tooLarge } from './errors.ts';

export interface ProxySettings {
  /** Begins with a slash, without one at its end; it is cut off before the request goes on. */
  prefix: string;
  /** What answers, named in the message when it does not. */
  name: string;
  /** Its address, asked for with each request. */
  upstream: () => string;
  /** The largest body that any service behind it takes; a larger one is refused here. */
  largestBodyBytes: number;
  /**
   * Whether a request may go on, by the path that the service will see.
   * @throws AppError
   */
  admit?: (path: string, request: FastifyRequest) => Promise<void>;
}

/** Passes every request below the prefix on, body and answer as streams, long event streams too. */
export function addProxy(app: FastifyInstance, settings: ProxySettings): void {
  const { prefix, name, upstream, largestBodyBytes, admit } = settings;
  const prepare = async (request: FastifyRequest) => {
    await admit?.(pathBehind(prefix, request.raw.url ?? ''), request);
    if (Number(request.headers['content-length']) > largestBodyBytes) throw tooLarge();
    if (request.body instanceof Readable) request.body = detached(request);
  };
  const proxy: FastifyPluginCallback = (inside, _, done) => {
    // Bodies are passed on as they come; those who read them are on the other side.
    inside.removeAllContentTypeParsers();
    inside.addHook('preHandler', prepare);
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
        onResponse: (request, reply, response) => {
          // A service may answer before it has read all.
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

/** As the service behind may read it: decoded, without dots, doubled slashes, query and fragment. */
function pathBehind(prefix: string, url: string): string {
  const path = new URL(`http://service${url.slice(prefix.length)}`).pathname.replaceAll(/\/{2,}/g, '/');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The body as a stream of its own: where the service behind stops reading and its stream is destroyed, the connection of
 * the client stays, so that the answer arrives.
 */
function detached({ raw }: FastifyRequest): Readable {
  const body = new PassThrough();
  // After the pipe has let go of it, which pauses it.
  body.once('close', () => setImmediate(() => raw.resume()));
  body.on('error', () => {});
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new Error('The client is gone.'));
  });
  return raw.pipe(body);
}
