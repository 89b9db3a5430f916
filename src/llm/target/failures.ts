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
  /** Whether the same request may fare better in a moment. */
  readonly retryable?: boolean;
  /** How long the target asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
  /** The parameter of the body that the target does not take, where it said so. */
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

/** With these every other request would fail as well: a test that meets one of them at its start had better stop. */
const setupFailures: ReadonlySet<TargetFailure> = new Set([
  'target_forbidden',
  'target_unauthorized',
  'target_not_found',
]);

/**
 * A model or agent under test that gave no answer. It is never a verdict on what was asked: whoever tests counts it
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

  /** Address, key or name are wrong: no other request will fare better until a person mends them. */
  get isSetup(): boolean {
    return setupFailures.has(this.code);
  }
}
