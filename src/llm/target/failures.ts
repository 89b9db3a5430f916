import { AppError } from '#base/errors.ts';

export type TargetFailure =
  | 'target_forbidden'
  | 'target_unreachable'
  | 'target_timeout'
  | 'target_unauthorized'
  | 'target_not_found'
  | 'target_rejected'
  | 'target_overloaded'
  | 'target_broken'
  | 'target_unreadable'
  | 'target_budget_spent';

interface Details {
  readonly cause?: unknown;
  /** Whether a retry may succeed. */
  readonly retryable?: boolean;
  /** The target's Retry-After. */
  readonly retryAfterMs?: number | undefined;
  /** The body parameter that the target does not support, if its error names it. */
  readonly rejected?: string | undefined;
  /** What the target wrote, cut; for who reads the result of a test, never for logs. */
  readonly said?: string | undefined;
}

const statusOf: Readonly<Record<TargetFailure, number>> = {
  target_forbidden: 422,
  target_unreachable: 502,
  target_timeout: 504,
  target_unauthorized: 502,
  target_not_found: 502,
  target_rejected: 502,
  target_overloaded: 502,
  target_broken: 502,
  target_unreadable: 502,
  target_budget_spent: 429,
};

/** Configuration errors, with which every request fails: a test should stop at once. */
const setupFailures: ReadonlySet<TargetFailure> = new Set([
  'target_forbidden',
  'target_unauthorized',
  'target_not_found',
]);

/**
 * A model or agent under test gave no answer. This is not a test result: tests must count it
 * as not assessed.
 */
export class TargetError extends AppError {
  override readonly name = 'TargetError';
  declare readonly code: TargetFailure;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly rejected: string | undefined;
  readonly said: string | undefined;
  /** Requests that were sent before giving up. */
  requests = 0;

  constructor(code: TargetFailure, detail: string, details: Details = {}) {
    const { cause, retryable = false, retryAfterMs, rejected, said } = details;
    super(statusOf[code], code, detail, cause === undefined ? {} : { cause });
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.rejected = rejected;
    this.said = said;
  }

  /** URL, key or model name are wrong: all requests fail until the configuration is fixed. */
  get isSetup(): boolean {
    return setupFailures.has(this.code);
  }
}
