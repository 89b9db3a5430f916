/** What a run is: its states, what is kept of it, and what the code that executes it is given. */
import type { Queries } from '../../db/database.ts';

export type RunStatus = 'queued' | 'running' | 'paused' | 'waiting' | RunEnd;
/** A run that has ended stays as it is, but for one that failed and is resumed. */
export type RunEnd = 'completed' | 'failed' | 'cancelled';

export interface RunOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/** Whose runs: of one user, of a whole tenant, or of all where it is left out. */
export interface RunScope {
  readonly tenantId?: string | undefined;
  readonly userId?: string | undefined;
}

export interface RunProgress {
  /** Units that are done, of whatever kind. */
  readonly done: number;
  /** Undefined while it is not known. */
  readonly total?: number | undefined;
  /** What is being done now, in words or as a state of the service's own. */
  readonly step?: string | undefined;
}

export interface RunError {
  /**
   * `failed`: the run itself said so. `error`: it threw. `timed_out`: it took longer than its kind may. `crashed`: the
   * processes that executed it ended too often.
   */
  readonly code: 'failed' | 'error' | 'timed_out' | 'crashed';
  /** A sentence for the one who started it. */
  readonly message: string;
}

/** A run as lists show it. */
export interface RunSummary extends RunOwner {
  readonly id: string;
  readonly kind: string;
  readonly subject: string | null;
  readonly status: RunStatus;
  readonly progress: RunProgress;
  /** What a waiting run needs, in a word of its kind. */
  readonly waitingFor: string | null;
  readonly error: RunError | null;
  /** How often the process that executed it has ended without a word. */
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

/** What the executing code is given. */
export interface Run<Input, Checkpoint> extends RunOwner {
  readonly id: string;
  readonly subject: string | null;
  readonly input: Input;
  /** What was saved last, by whichever process. */
  readonly checkpoint: Checkpoint | undefined;
  /** Aborted when the run is paused or cancelled, takes too long, has lost its claim, or the process stops. */
  readonly signal: AbortSignal;
  /** Shows how far it is. Written at most four times a second, and never waited for. */
  readonly progress: (progress: RunProgress) => void;
  /**
   * Saves within the caller's transaction how far it is. What else the transaction writes is written only if this process
   * still has the claim: otherwise this throws, and the transaction is undone.
   */
  readonly save: (tx: Queries, saved: { checkpoint?: Checkpoint; progress?: RunProgress }) => Promise<void>;
}

/** How an execution ends. `write` takes part in the transaction that says so, and is undone where the claim is lost. */
export type Outcome<Result> = (
  | { readonly completed: Result }
  /** A sentence for the one who started it. */
  | { readonly failed: string }
  /** It goes on, from its checkpoint, when it is resumed; the word says what it needs. */
  | { readonly waiting: string }
) & { readonly write?: (tx: Queries) => Promise<void> };

/** Why an execution is broken off; the reason of its signal. */
export class RunInterrupted extends Error {
  override readonly name = 'RunInterrupted';
  readonly why: 'paused' | 'cancelled' | 'timed_out' | 'claim_lost' | 'stopping';

  constructor(why: RunInterrupted['why']) {
    super(`The run was broken off: ${why}.`);
    this.why = why;
  }
}

/** Why a run with this status is not to go on here; undefined: this process has no claim to it any more. */
export const interruptionBy = (status: string | undefined): RunInterrupted['why'] =>
  status === 'paused' || status === 'cancelled' ? status : 'claim_lost';
