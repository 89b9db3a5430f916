import type { Caller } from '#identity/caller.ts';

/** A call that waits for approval. */
export interface Approval {
  readonly approvalId: string;
  readonly tenantId: string;
  readonly gatewayId: string;
  readonly userId: string;
  readonly apiKeyId: string | null;
  readonly principal: string;
  readonly toolName: string;
  readonly serverId: string;
  /** Redacted JSON. */
  readonly arguments: string;
  readonly reasons: readonly string[];
  /** The approval of the action guard that this is, where a rule wants a checked identity: what is decided there counts. */
  readonly guardApprovalId: string | null;
  readonly status: 'pending' | 'approved' | 'denied' | 'expired';
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  /** The process in which the call waits; null when it waits no longer. */
  readonly processId: string | null;
  readonly sessionId: string;
  /** Whether the client's session ends with the process: then the same call cannot be sent again. */
  readonly endsWithProcess: boolean;
  /** Why nobody can decide any more, where that is not the time. */
  readonly note: string | null;
}

/** `pending`: the call has waited long enough, and may be sent again once it is approved. */
export type Decision = Approval['status'];

/** What the action guard says of an approval. */
export interface GuardDecision {
  readonly guardApprovalId: string;
  readonly status: 'pending' | 'approved' | 'denied';
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly expiresAt: Date;
}

/** Calls that the action guard holds: only there it is known who may decide, and who has. */
export interface ApprovalsAtGuard {
  /** Approves or denies it in the name of the caller. */
  decide(caller: Caller, approvalId: string, approve: boolean): Promise<GuardDecision>;
  /** What was decided, as far as the caller may see it. Throws AppError 404 where they may not. */
  see(caller: Caller, approvalId: string): Promise<GuardDecision>;
}

export const processEnded = 'The process that held this call ended.';
