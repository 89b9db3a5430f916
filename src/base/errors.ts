/**
 * An error to report to the caller, with the HTTP status it maps to.
 * `detail` is a message for people: it names the field and what to do.
 */
export class AppError extends Error {
  override readonly name: string = 'AppError';
  readonly status: number;
  /** A stable code for programs and logs, such as `not_found`. */
  readonly code: string;
  /** Extra response headers, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    detail: string,
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.code = code;
    this.headers = options.headers ?? {};
  }

  get detail(): string {
    return this.message;
  }
}

/** 400: a required field is missing, or the body cannot be read at all. */
export const badRequest = (detail: string, cause?: unknown) =>
  new AppError(400, 'bad_request', detail, { cause });

/** 422: a field has an invalid value. */
export const invalid = (detail: string, cause?: unknown) => new AppError(422, 'invalid', detail, { cause });

/** 403: the caller is authenticated but not allowed. */
export const forbidden = (detail: string) => new AppError(403, 'forbidden', detail);

/** 404: missing, or not visible to this caller; another tenant's resources look like missing ones. */
export const notFound = (what: string) => new AppError(404, 'not_found', `${what} was not found.`);

/** 409: a duplicate, or a change that the current state does not allow. */
export const conflict = (detail: string) => new AppError(409, 'conflict', detail);

/** 429: try again after `retryAfterSeconds`. */
export const tooManyRequests = (detail: string, retryAfterSeconds: number) =>
  new AppError(429, 'too_many_requests', detail, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });

/** 503: shutting down or overloaded. */
export const unavailable = (detail: string, cause?: unknown) =>
  new AppError(503, 'unavailable', detail, { cause, headers: { 'retry-after': '1' } });

/**
 * A startup failure that the operator can fix.
 * The program prints only the message, without a stack, and exits with status 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
