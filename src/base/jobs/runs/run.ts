/** The types of runs: states, records, and the interface for the executing code. */
import type { Queries } from '../../db/database.ts';

export type RunStatus = 'queued' | 'running' | 'paused' | 'waiting' | RunEnd;
/** Final states; only a failed run can be resumed. */
export type RunEnd = 'completed' | 'failed' | 'cancelled';

export interface RunOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/** The runs of one user, of a whole tenant, or (if omitted) of all. */
export interface RunScope {
  readonly tenantId?: string | undefined;
  readonly userId?: string | undefined;
}

export interface RunProgress {
  /** Completed units, of any kind. */
  readonly done: number;
  /** Undefined while unknown. */
  readonly total?: number | undefined;
  /** The current step, as text or a state of the service. */
  readonly step?: string | undefined;
}

export interface RunError {
  /**
   * `failed`: reported by the run itself. `error`: it threw. `timed_out`: it exceeded its kind's timeout. `crashed`: the
   * process executing it died too often.
   */
  readonly code: 'failed' | 'error' | 'timed_out' | 'crashed';
  /** A message for the user who started it. */
  readonly message: string;
}

/** A run as lists show it. */
export interface RunSummary extends RunOwner {
  readonly id: string;
  readonly kind: string;
  readonly subject: string | null;
  readonly status: RunStatus;
  readonly progress: RunProgress;
  /** What a waiting run needs, as a code of its kind. */
  readonly waitingFor: string | null;
  readonly error: RunError | null;
  /** How often the process executing it crashed. */
  readonly crashes: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

export interface RunRecord<Input, Result> extends RunSummary {
  readonly input: Input;
  /** Null until it is completed. */
  readonly result: Result | null;
}

/** Interface for the executing code. */
export interface Run<Input, Checkpoint> extends RunOwner {
  readonly id: string;
  readonly subject: string | null;
  readonly input: Input;
  /** The last saved checkpoint, of any process. */
  readonly checkpoint: Checkpoint | undefined;
  /** Aborted when the run is paused, cancelled or timed out, its claim is lost, or the process stops. */
  readonly signal: AbortSignal;
  /** Reports progress. Saved at most four times a second, in the background. */
  readonly progress: (progress: RunProgress) => void;
  /**
   * Saves a checkpoint in the caller's transaction. The transaction commits only if this process
   * still holds the claim: otherwise this throws and the transaction is rolled back.
   */
  readonly save: (tx: Queries, saved: { checkpoint?: Checkpoint; progress?: RunProgress }) => Promise<void>;
}

/** How an execution ends. `write` runs in the same transaction and is rolled back if the claim is lost. */
export type Outcome<Result> = (
  | { readonly completed: Result }
  /** A message for the user who started it. */
  | { readonly failed: string }
  /** It continues from its checkpoint when resumed; the code says what it needs. */
  | { readonly waiting: string }
) & { readonly write?: (tx: Queries) => Promise<void> };

/** Why an execution is interrupted; the reason of its signal. */
export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted';
  readonly why: 'paused' | 'cancelled' | 'timed_out' | 'claim_lost' | 'stopping';

  constructor(why: RunInterrupted['why']) {
    super(`The run was interrupted: ${why}.`);
    this.why = why;
  }
}

/** Why a run with this status must stop here; undefined: this process no longer holds the claim. */
export const interruptionBy = (status: string | undefined): RunInterrupted['why'] =>
  status === 'paused' || status === 'cancelled' ? status : 'claim_lost';
