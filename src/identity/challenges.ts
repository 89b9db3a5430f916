import { AppError } from '#base/errors.ts';

/** Why a credential was refused, for programs: it stands in `WWW-Authenticate`. */
export type Challenge =
  | 'token_expired'
  | 'invalid_signature'
  | 'invalid_token'
  | 'missing_auth'
  | 'server_misconfigured';

/** 401, with the challenge that every service answers. */
export const unauthorized = (challenge: Challenge, detail: string, cause?: unknown) =>
  new AppError(401, challenge, detail, {
    cause,
    headers: { 'www-authenticate': `Bearer error="${challenge}"` },
  });
