import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import type { Added, Sums } from './added.ts';

/** Who the agent acts for, as the caller of the engine has checked it; never read from the trace. */
export interface KnownUser {
  readonly id: string;
  readonly roles: readonly string[];
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** A yes that a person gave by an operation of ours, under an identity that was checked. */
export interface CheckedApproval {
  readonly by: string;
  readonly roles: readonly string[];
}

/** How often something was done before this call, over all sessions. */
export interface CountQuery {
  readonly tool: string;
  readonly acts: readonly string[];
  /** Values that name the one it is counted for; empty: for anybody. */
  readonly keys: readonly string[];
  readonly window: 'hour' | 'day' | 'week' | 'month' | 'year';
}

/** A call that was counted before, as a reason names it. */
export interface EarlierCall {
  /** Of its log entry, where that is known. */
  readonly id?: string | undefined;
  readonly at: Date;
  /** What it added. */
  readonly amount?: number | undefined;
}

export interface CountBefore {
  readonly count: number;
  readonly latest?: EarlierCall | undefined;
}

/** What was added up before this call, over all sessions. */
export interface SumQuery extends CountQuery {
  readonly added: Added;
}

export interface SumBefore {
  /** Of those that name the same ones. */
  readonly sums: Sums;
  /** Of calls that name nobody, which count with all others. */
  readonly ofNobody?: Sums | undefined;
  /** The latest call that added to each sum. */
  readonly latest?: ReadonlyMap<string, EarlierCall> | undefined;
  /** Of so many calls it is not known what they added. */
  readonly unknown: number;
}

/** What is known of a call besides its trace. */
export interface CallContext {
  readonly user?: KnownUser | undefined;
  readonly approvals?: readonly CheckedApproval[] | undefined;
  /** From the durable log; undefined where it cannot say, and then the session alone is counted. */
  readonly countBefore?: ((query: CountQuery) => CountBefore | undefined) | undefined;
  /** As `countBefore`, of sums. */
  readonly sumBefore?: ((query: SumQuery) => SumBefore | undefined) | undefined;
}

/** The call that is judged, with its trace and what is known besides. */
export interface JudgedCall extends CallContext {
  readonly context: EvaluationContext;
}
