import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import { AppError } from '#base/errors.ts';

/** Shortens and cleans text of another server for our error messages. */
const word = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200);

/** The OAuth error code, such as `invalid_grant`. */
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

/** Converts an error of the OAuth library to an AppError; AppErrors are returned unchanged. */
export const authorizationError = (what: string, error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError(502, 'authorization_failed', `${what} (${reasonOf(error)}).`, { cause: error });
