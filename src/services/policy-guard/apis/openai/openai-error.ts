import type { AppError } from '#base/errors.ts';
import type { ErrorBodyOf } from '#base/http/errors.ts';

const types: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

const codes: Record<number, string> = {
  401: 'invalid_api_key',
  404: 'model_not_found',
  409: 'model_disabled',
  429: 'rate_limit_exceeded',
};

const typeOf = (status: number) =>
  types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');

/** The field at fault: the one that the sentence names; a value that is not taken and names none is the input. */
const paramOf = ({ status, detail }: AppError): string | null =>
  status === 404 || status === 409
    ? 'model'
    : (/^'(\w+)\b/.exec(detail)?.[1] ?? (status === 422 ? 'input' : null));

/** An error as OpenAI's clients read it: they choose their own error class by the status. */
export const openAiErrorBody: ErrorBodyOf = (error, requestId) => ({
  error: {
    message: error.status === 500 ? `${error.detail} (${requestId})` : error.detail,
    type: typeOf(error.status),
    param: paramOf(error),
    code: codes[error.status] ?? null,
  },
});
