import { AppError } from '#base/errors.ts';

export type LanguageModelFailure = 'llm_unavailable' | 'llm_timeout' | 'llm_refused' | 'llm_malformed';

/**
 * A language model that gave no usable answer. What the server wrote is never part of it: servers repeat keys and
 * prompts in their messages.
 */
export class LanguageModelError extends AppError {
  override readonly name = 'LanguageModelError';
  declare readonly code: LanguageModelFailure;
  /** Whether the same request may fare better. */
  readonly retryable: boolean;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** The parameter that the server does not take, where it said so. */
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

/** 502: not reached, overloaded, or it refuses what we are (key, model, parameter). */
export const llmUnavailable = (
  detail: string,
  options: {
    cause?: unknown;
    retryable?: boolean;
    retryAfterMs?: number | undefined;
    rejected?: string | undefined;
  } = {},
) => new LanguageModelError(502, 'llm_unavailable', detail, options);

/** 504: no answer within the time given. */
export const llmTimeout = (detail: string) =>
  new LanguageModelError(504, 'llm_timeout', detail, { retryable: true });

/** 502: it answered that it will not. */
export const llmRefused = (detail: string) => new LanguageModelError(502, 'llm_refused', detail);

/** 502: it answered something that cannot be read as what was asked for. */
export const llmMalformed = (detail: string, options: { cause?: unknown; retryable?: boolean } = {}) =>
  new LanguageModelError(502, 'llm_malformed', detail, options);
