import type { Asked, Verdict } from './verdict.ts';

/** What is noted of a verdict beside it. */
export interface VerdictFacts {
  readonly fromCache: boolean;
  readonly asked: Asked;
  /** As judged. */
  readonly text: string;
  /** Number of earlier turns sent with it. */
  readonly messages: number;
}

/** Counts and logs a verdict; no verdict waits for it. */
export type RecordVerdict = (verdict: Verdict, facts: VerdictFacts) => void;
