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
  /** The approval of the action guard that is waited for, where a rule wants a checked identity. */
  readonly guardApprovalId: string | null;
  readonly status: 'pending' | 'approved' | 'denied' | 'expired';
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
}

export type Decision = 'approved' | 'denied' | 'expired';
