import type { Unread } from '#engine/actions/calls/reach.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import type { KnownUser } from '#engine/rules/matching/judged-call.ts';
import type { Caller } from '#identity/caller.ts';
import type { Approval } from '../approvals/approval.ts';
import type { LiveSet } from '../sets/live-sets.ts';
import type { BlockingConfig } from '../sets/policy-set.ts';
import type { Decision } from './decide.ts';

/** One question: an action in its session, and the set to judge it by. */
export interface Question {
  readonly steps: readonly TraceStep[];
  readonly sessionId: string;
  readonly gatewayId: string | undefined;
  readonly gatewayName: string | undefined;
  /** Whom the agent acts for, as the asking application says; undefined where it does not. */
  readonly user: KnownUser | undefined;
  /** The caller's id of the call. */
  readonly callId: string | undefined;
  readonly hold: 'always' | 'checked' | 'never';
  readonly policySetId: string;
  readonly fastMode: boolean;
  /** Judged like any other, but logged and counted nowhere, and told to nobody. */
  readonly isTrial?: boolean | undefined;
  readonly blockingConfig: BlockingConfig;
}

export interface Verdict extends Decision {
  readonly serviceStatus: 'ok' | 'degraded';
  readonly observation: string;
  readonly action: string;
  readonly facts: readonly string[];
  /** What of the action was not read. */
  readonly unread: readonly Unread[];
  /** Where nothing but a person's approval is missing. */
  readonly held?: Approval | undefined;
  /** Names of those who approved the call, where it is allowed for that. */
  readonly approvedBy: readonly string[];
  /** The approval that it is allowed for. */
  readonly usedApprovalId?: string | undefined;
}

/** A question with its answer. */
export interface Evaluation {
  /** Of its log entry. */
  readonly callId: string;
  readonly question: Question;
  readonly verdict: Verdict;
  readonly caller: Caller;
  readonly liveSet: LiveSet;
  readonly at: Date;
  readonly latencyMs: number;
}
