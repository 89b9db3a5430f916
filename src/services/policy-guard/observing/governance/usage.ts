/** Verdicts of one guard in one hour. */
export interface GuardHour {
  /** Its start, such as `2026-11-21T14:00:00.000Z`. */
  readonly hour: string;
  readonly guardUuid: string;
  readonly tenantId: string;
  readonly ownerId: string;
  requests: number;
  flagged: number;
  observed: number;
  allowed: number;
  cacheHits: number;
  latencyMsSum: number;
}

/** How many verdicts of one guard and hour took about as long: a bucket of `guards/latency-histogram.ts`. */
export interface HourLatency {
  readonly hour: string;
  readonly guardUuid: string;
  readonly bucket: number;
  count: number;
}

/** Of one group on one day, or of one of the group's policies; `policy` is empty for the group itself. */
export interface PolicyDay {
  /** Such as `2026-11-21`, in UTC. */
  readonly day: string;
  readonly guardUuid: string;
  readonly groupUuid: string;
  readonly policy: string;
  requests: number;
  flagged: number;
  observed: number;
}

export const hourMs = 3_600_000;

/** The first moment of the hour. */
export const hourOf = (ms: number): string => new Date(ms - (ms % hourMs)).toISOString();

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
