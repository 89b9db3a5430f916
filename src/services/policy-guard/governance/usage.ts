/** Verdicts of one guard on one day. */
export interface GuardDay {
  /** Such as `2026-11-21`, in UTC. */
  readonly day: string;
  readonly guardUuid: string;
  readonly tenantId: string;
  readonly ownerId: string;
  requests: number;
  flagged: number;
  observed: number;
  allowed: number;
  cacheHits: number;
}

/** Of one group in it, or of one of the group's policies; `policy` is empty for the group itself. */
export interface PolicyDay {
  readonly day: string;
  readonly guardUuid: string;
  readonly groupUuid: string;
  readonly policy: string;
  requests: number;
  flagged: number;
  observed: number;
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
