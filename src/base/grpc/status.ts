/** Maps errors to gRPC statuses. */
import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import { AppError } from '../errors.ts';

/** The gRPC code for each HTTP status of our operations. */
const codes: Readonly<Record<number, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  409: status.FAILED_PRECONDITION,
  413: status.RESOURCE_EXHAUSTED,
  422: status.INVALID_ARGUMENT,
  429: status.RESOURCE_EXHAUSTED,
  500: status.INTERNAL,
  502: status.UNAVAILABLE,
  503: status.UNAVAILABLE,
  504: status.DEADLINE_EXCEEDED,
};

/** HTTP status and the name of its gRPC code, for the reference. */
export const grpcCodeNames = (): [httpStatus: number, code: string][] =>
  Object.entries(codes).map(([http, code]) => [Number(http), status[code] ?? 'UNKNOWN']);

/** Any thrown value as an AppError; internal errors become a generic 500. */
export const toAppError = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError(500, 'internal', 'Internal error. The service’s log has details under this request id.', {
        cause: error,
      });

/** Converts an error to a gRPC status: message as details, headers and request id as trailers. */
export function toStatus(error: AppError, requestId: string): StatusObject {
  const metadata = new Metadata();
  metadata.set('x-request-id', requestId);
  for (const [name, value] of Object.entries(error.headers)) metadata.set(name.toLowerCase(), value);
  return { code: codes[error.status] ?? status.UNKNOWN, details: error.detail, metadata };
}
