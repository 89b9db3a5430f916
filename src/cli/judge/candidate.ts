/** A model that may become the judge, and what became of it. */
import type { ModelAddress, ModelJudged } from './measure.ts';

export interface Candidate extends ModelAddress {
  readonly kind: string;
  readonly isConfigured: boolean;
}

/** What became of a candidate. */
export interface Tried {
  readonly candidate: Candidate;
  readonly judged: ModelJudged | undefined;
  /** Why it was not measured. */
  readonly error: string | undefined;
}
