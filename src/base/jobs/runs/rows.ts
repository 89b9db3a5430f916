/** Rows of `runs.runs`, and shared SQL fragments. */
import type { Queries } from '../../db/database.ts';
import type { RunError, RunOwner, RunRecord, RunStatus, RunSummary } from './run.ts';

export const channel = 'runs';

/** Notification to all processes that a run has changed. */
export interface RunChange {
  readonly kind: string;
  readonly id: string;
  readonly status: RunStatus | 'deleted';
}

export type Stored = RunRecord<unknown, unknown>;

export interface Row extends Record<string, unknown>, RunOwner {
  id: string;
  kind: string;
  subject: string | null;
  status: RunStatus;
  done: number;
  total: number | null;
  step: string | null;
  waitingFor: string | null;
  errorCode: RunError['code'] | null;
  error: string | null;
  crashes: number;
  createdAt: Date;
  startedAt: Date | null;
  updatedAt: Date;
  finishedAt: Date | null;
}
export interface WholeRow extends Row {
  input: unknown;
  result: unknown;
}

export const summary = `r.run_id as id, r.kind, r.tenant_id as "tenantId", r.user_id as "userId", r.subject, r.status, r.done,
  r.total, r.step, r.waiting_for as "waitingFor", r.error_code as "errorCode", r.error, r.crashes,
  r.created_at as "createdAt", r.started_at as "startedAt", r.updated_at as "updatedAt", r.finished_at as "finishedAt"`;
export const whole = `${summary}, r.input, r.result`;

export const toSummary = (row: Row): RunSummary => ({
  id: row.id,
  kind: row.kind,
  tenantId: row.tenantId,
  userId: row.userId,
  subject: row.subject,
  status: row.status,
  progress: { done: row.done, total: row.total ?? undefined, step: row.step ?? undefined },
  waitingFor: row.waitingFor,
  error: row.errorCode === null ? null : { code: row.errorCode, message: row.error ?? '' },
  crashes: row.crashes,
  createdAt: row.createdAt,
  startedAt: row.startedAt,
  updatedAt: row.updatedAt,
  finishedAt: row.finishedAt,
});
export const toRecord = (row: WholeRow): Stored => ({
  ...toSummary(row),
  input: row.input,
  result: row.result,
});

export const underWay = `('queued', 'running', 'paused', 'waiting')`;
export const now = 'clock_timestamp()';
export const inMs = (parameter: string) =>
  `${now} + ${parameter}::double precision * interval '1 millisecond'`;

/** $1 is the kind, then tenant and user; null means all. */
export const inScope = (at: number) =>
  `r.kind = $1 and ($${at}::text is null or r.tenant_id = $${at}) and ($${at + 1}::text is null or r.user_id = $${at + 1})`;

export const tell = (queries: Queries, change: RunChange): Promise<unknown> =>
  queries.query('select pg_notify($1, $2)', [channel, JSON.stringify(change)]);
