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

/** The field that the sentence names first. */
const fieldIn = (detail: string) => /'([a-z_]+)/.exec(detail)?.[1] ?? null;

/** An error as OpenAI's clients read it: they choose their own error class by the status. */
export const openAiErrorBody: ErrorBodyOf = (error, requestId) => ({
  error: {
    message: error.status === 500 ? `${error.detail} (${requestId})` : error.detail,
    type: typeOf(error.status),
    param: error.status === 404 || error.status === 409 ? 'model' : fieldIn(error.detail),
    code: codes[error.status] ?? null,
  },
});
