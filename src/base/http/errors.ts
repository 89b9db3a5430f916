import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequests } from '../contract/operation.ts';
import { AppError } from '../errors.ts';

/** Creates an error's body; most operations use {@link detailBody}. */
export type ErrorBodyOf = (error: AppError, requestId: string) => unknown;

export const detailBody = (error: AppError, requestId: string) =>
  error.status === 500 ? { detail: error.detail, request_id: requestId } : { detail: error.detail };

const mebibytes = (bytes: number) => `${Number((bytes / 1024 / 1024).toPrecision(3))} MiB`;

/** 413: the body exceeds the limit of the service. */
export const tooLarge = (limitBytes: number, cause?: unknown): AppError =>
  new AppError(
    413,
    'too_large',
    `The request body is larger than ${mebibytes(limitBytes)}, which is the most that this service accepts.`,
    { cause },
  );

/** 415, with what the operation takes. */
export const unsupportedType = (takesForm: boolean, cause?: unknown): AppError =>
  new AppError(
    415,
    'unsupported_media_type',
    takesForm
      ? 'Send the body as a form, with Content-Type: multipart/form-data.'
      : 'Send the body as JSON, with Content-Type: application/json.',
    { cause },
  );

/** Fastify's own errors with our messages. */
const fastifyErrors: Record<string, (error: Error, request: FastifyRequest | undefined) => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (cause, request) => tooLarge(request?.routeOptions.bodyLimit ?? 0, cause),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause, request) =>
    unsupportedType(request?.routeOptions.config.takesForm === true, cause),
  FST_ERR_MAX_PARAM_LENGTH: (cause) =>
    new AppError(404, 'not_found', 'There is nothing here: an id in the path is too long.', { cause }),
  FST_ERR_BAD_URL: (cause) =>
    new AppError(400, 'bad_request', 'The request URL cannot be decoded.', { cause }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (cause) =>
    new AppError(400, 'bad_request', 'The body’s length does not match its Content-Length.', { cause }),
};

const clientFault = (error: { statusCode?: unknown; message?: unknown }): AppError | undefined => {
  const status = error.statusCode;
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  // A SyntaxError of the JSON parser, or the guard against `__proto__` keys: both arrive as 400.
  return status === 400
    ? new AppError(
        400,
        'not_json',
        'The request body is not valid JSON, or has a key "__proto__", which is not accepted.',
        {
          cause: error,
        },
      )
    : new AppError(status, 'bad_request', String(error.message), { cause: error });
};

/** 499, as proxies call it: the caller hung up before the answer. Nobody reads it, and nothing is wrong here. */
export const callerGone = (cause?: unknown): AppError =>
  new AppError(499, 'caller_gone', 'The caller closed the connection before the answer.', { cause });

/** What streams end with when one of their sides gives up. */
const givenUp: readonly unknown[] = ['UND_ERR_ABORTED', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'];

/** Any thrown value as an AppError; internal errors become a generic 500. */
function toAppError(error: unknown, request?: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const known = error as { code?: unknown; statusCode?: unknown; message?: unknown };
  const translate = fastifyErrors[String(known.code)];
  if (translate !== undefined) return translate(error as Error, request);
  return (
    clientFault(known) ??
    new AppError(500, 'internal', 'Internal error. The service’s log has details under this request id.', {
      cause: error,
    })
  );
}

const toldAs400: readonly number[] = badRequests;

/** The same error with status 400 where it is a bad request of another status. */
export function badRequestError(thrown: unknown, request: FastifyRequest): AppError {
  const error = toAppError(thrown, request);
  return toldAs400.includes(error.status)
    ? new AppError(400, error.code, error.detail, { cause: error.cause })
    : error;
}

/** Sends an error in the format of its operation; logs it if it is a server error. */
export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyOf: ErrorBodyOf = detailBody,
): FastifyReply {
  const isOver = request.raw.socket.destroyed && givenUp.includes((thrown as { code?: unknown }).code);
  const error = isOver ? callerGone(thrown) : toAppError(thrown, request);
  if (!request.raw.complete) readRest(request, reply);
  // A 503 without a cause is intentional, such as shutting down.
  if (error.status >= 500 && !(error.status === 503 && error.cause === undefined))
    request.log.error({ request_id: request.id, err: error.cause ?? error, code: error.code }, error.detail);
  return reply
    .code(error.status)
    .headers(error.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(bodyOf(error, request.id)));
}

/**
 * Closing a connection while the client still sends resets it and loses the response: the rest of the body is
 * read and discarded, with the usual body timeout.
 */
export function readRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  const { socket } = raw;
  // Called by Node after the response if the connection is to be closed.
  socket.destroySoon = () => {
    const close = () => socket.destroy();
    if (raw.complete) {
      Socket.prototype.destroySoon.call(socket);
      return;
    }
    // Half-close: wait for the client to finish.
    socket.end();
    raw.once('end', close).once('close', close).resume();
  };
}
