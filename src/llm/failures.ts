import { AppError } from '#base/errors.ts';

export type LanguageModelFailure = 'llm_unavailable' | 'llm_timeout' | 'llm_refused' | 'llm_malformed';

/**
 * The language model gave no usable answer. Never contains the server's output: servers repeat keys and
 * prompts in their messages.
 */
export class LanguageModelError extends AppError {
  override readonly name = 'LanguageModelError';
  declare readonly code: LanguageModelFailure;
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
  /** The server's Retry-After. */
  readonly retryAfterMs: number | undefined;
  /** The parameter that the server does not support, if its error names it. */
  readonly rejected: string | undefined;

  constructor(
    status: number,
    code: LanguageModelFailure,
    detail: string,
    options: {
      cause?: unknown;
      retryable?: boolean;
      retryAfterMs?: number | undefined;
      rejected?: string | undefined;
    } = {},
  ) {
    const { cause, retryable = false, retryAfterMs, rejected } = options;
    super(status, code, detail, {
      ...(cause === undefined ? {} : { cause }),
      ...(retryAfterMs === undefined
        ? {}
        : { headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } }),
    });
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.rejected = rejected;
  }
}

/** 502: unreachable, overloaded, or it rejects our key, model or a parameter. */
export const llmUnavailable = (
  detail: string,
  options: {
    cause?: unknown;
    retryable?: boolean;
    retryAfterMs?: number | undefined;
    rejected?: string | undefined;
  } = {},
) => new LanguageModelError(502, 'llm_unavailable', detail, options);

/** 504: no response in time. */
export const llmTimeout = (detail: string) =>
  new LanguageModelError(504, 'llm_timeout', detail, { retryable: true });

/** 502: the model refused. */
export const llmRefused = (detail: string) => new LanguageModelError(502, 'llm_refused', detail);

/** 502: the reply has the wrong format. */
export const llmMalformed = (detail: string, options: { cause?: unknown; retryable?: boolean } = {}) =>
  new LanguageModelError(502, 'llm_malformed', detail, options);
