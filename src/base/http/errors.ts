import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** Makes an error's body; most operations answer {@link detailBody}. */
export type ErrorBodyOf = (error: AppError, requestId: string) => unknown;

export const detailBody = (error: AppError, requestId: string) =>
  error.status === 500 ? { detail: error.detail, request_id: requestId } : { detail: error.detail };

/** 413: for a body beyond the limit of the service. */
export const tooLarge = (cause?: unknown): AppError =>
  new AppError(
    413,
    'too_large',
    'The request body is larger than this service takes; see limits.body_bytes.',
    {
      cause,
    },
  );

/** What Fastify itself refuses, in our words. */
const fastifyErrors: Record<string, (error: Error) => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (cause) => tooLarge(cause),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) =>
    new AppError(
      415,
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
      {
        cause,
      },
    ),
  FST_ERR_BAD_URL: (cause) =>
    new AppError(400, 'bad_request', 'The address of the request cannot be decoded.', { cause }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (cause) =>
    new AppError(400, 'bad_request', 'The body is not as long as its Content-Length says.', { cause }),
};

const clientFault = (error: { statusCode?: unknown; message?: unknown }): AppError | undefined => {
  const status = error.statusCode;
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  // A SyntaxError of the JSON parser, or the guard against `__proto__` keys: both arrive as 400.
  return status === 400
    ? new AppError(
        400,
        'not_json',
        'The request body is not valid JSON, or has a key "__proto__", which is not taken.',
        {
          cause: error,
        },
      )
    : new AppError(status, 'bad_request', String(error.message), { cause: error });
};

/** Any thrown value as an AppError; what is not meant for the caller becomes a plain 500. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const known = error as { code?: unknown; statusCode?: unknown; message?: unknown };
  const translate = fastifyErrors[String(known.code)];
  if (translate !== undefined) return translate(error as Error);
  return (
    clientFault(known) ??
    new AppError(500, 'internal', 'The service failed. Its log has more under this request id.', {
      cause: error,
    })
  );
}

/** Answers an error in the form of its operation, and logs it when it is the service's fault. */
export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyOf: ErrorBodyOf = detailBody,
): FastifyReply {
  const error = toAppError(thrown);
  if (!request.raw.complete) readRest(request, reply);
  // A 503 without a cause is a state that was chosen, such as stopped.
  if (error.status >= 500 && !(error.status === 503 && error.cause === undefined))
    request.log.error({ request_id: request.id, err: error.cause ?? error, code: error.code }, error.detail);
  return reply
    .code(error.status)
    .headers(error.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(bodyOf(error, request.id)));
}

/**
 * A connection that is closed while its client still sends is reset, and the answer lost with it: the rest of the body is
 * read and thrown away, for as long as any body may take.
 */
export function readRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  const { socket } = raw;
  // What the server calls once the answer is written, where the connection is to end with it.
  socket.destroySoon = () => {
    const close = () => socket.destroy();
    if (raw.complete) {
      Socket.prototype.destroySoon.call(socket);
      return;
    }
    // Ours is said; the client's end is waited for.
    socket.end();
    raw.once('end', close).once('close', close).resume();
  };
}
