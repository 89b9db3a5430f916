/** The outcome of one call. */
export type Outcome =
  | 'ok'
  | 'tool_error'
  | 'access_denied'
  | 'rate_limited'
  | 'tool_changed'
  | 'tool_quarantined'
  | 'blocked'
  | 'guard_failed'
  | 'approval_denied'
  | 'output_blocked'
  | 'unknown'
  | 'failed'
  | 'cancelled';

/** One entry of the audit log. */
export interface CallEntry {
  readonly callId: string;
  readonly tenantId: string;
  readonly gatewayId: string;
  readonly at: Date;
  readonly method: string;
  /** Name of the tool or prompt, or URI of the resource, as the client sent it. */
  readonly toolName: string;
  readonly serverId: string | null;
  readonly userId: string;
  /** User name, and the API key or OAuth client that acts for the user. */
  readonly principal: string;
  readonly sessionId: string;
  readonly arguments: string | null;
  readonly allowed: boolean;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly ruleIds: readonly string[];
  readonly latencyMs: number;
  readonly guardLatencyMs: number;
  readonly traceId: string | null;
  /** Whether it was held for a person's approval, whatever was decided; absent in journals of earlier versions. */
  readonly held?: boolean;
  /** The approval that was asked for here; null if none, or if the user was asked at the client. */
  readonly approvalId?: string | null;
  /** How many values of each kind were taken out of the result; null if none. */
  readonly redactions: Readonly<Record<string, number>> | null;
}
