import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import { AppError } from '#base/errors.ts';

/** Another server's word, fit for a sentence of ours. */
const word = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200);

/** The error's name as the authorization server gave it, such as `invalid_grant`. */
export const oauthErrorOf = (error: unknown): string | undefined =>
  error instanceof ResponseBodyError || error instanceof AuthorizationResponseError
    ? error.error
    : error instanceof Error && error.cause !== undefined
      ? oauthErrorOf(error.cause)
      : undefined;

function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const { error_description: description } = error;
    return description === undefined ? word(error.error) : `${word(error.error)}: ${word(description)}`;
  }
  return error instanceof Error ? word(error.message) : 'it failed';
}

/** An error of the OAuth library as one of ours; those of ours stay as they are. */
export const authorizationError = (what: string, error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError(502, 'authorization_failed', `${what} (${reasonOf(error)}).`, { cause: error });
