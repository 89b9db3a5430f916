import { AppError } from '#base/errors.ts';

/** Machine-readable reason for a refused credential, sent in `WWW-Authenticate`. */
export type Challenge =
  | 'token_expired'
  | 'invalid_signature'
  | 'invalid_token'
  | 'missing_auth'
  | 'server_misconfigured';

/** 401 with the challenge header. */
export const unauthorized = (challenge: Challenge, detail: string, cause?: unknown) =>
  new AppError(401, challenge, detail, {
    cause,
    headers: { 'www-authenticate': `Bearer error="${challenge}"` },
  });
