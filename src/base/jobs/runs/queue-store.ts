/** The queue of a kind: positions, and numbers of queued and running runs. */
import type { Queries } from '../../db/database.ts';
import { inScope, underWay } from './rows.ts';
import type { RunScope, RunStatus } from './run.ts';

export interface QueuePlace {
  /** 1 is next, 0 is running; null if neither queued nor running. */
  readonly position: number | null;
  /** The same, among the runs of its user. */
  readonly positionOfUser: number | null;
  /** Number of queued runs. */
  readonly queued: number;
}

export async function findPlace(db: Queries, kind: string, id: string): Promise<QueuePlace | undefined> {
  const ahead = `select count(*) from runs.runs q where q.kind = r.kind and q.status = 'queued'
    and (q.turn, q.queue_number) <= (r.turn, r.queue_number)`;
  const place = (among: string) =>
    `case r.status when 'running' then 0 when 'queued' then (${ahead} ${among}) end`;
  const [row] = await db.query<QueuePlace & Record<string, unknown>>(
    `select ${place('')} as position, ${place('and q.tenant_id = r.tenant_id and q.user_id = r.user_id')} as "positionOfUser",
        (select count(*) from runs.runs q where q.kind = r.kind and q.status = 'queued') as queued
      from runs.runs r where r.kind = $1 and r.run_id = $2`,
    [kind, id],
  );
  return row;
}

/** The ids of queued runs (next first) and running runs. */
export async function listQueue(
  db: Queries,
  kind: string,
  { tenantId, userId }: RunScope,
  limit: number,
): Promise<{ queued: string[]; running: string[] }> {
  const ids = async (status: RunStatus) =>
    (
      await db.query<{ id: string }>(
        `select r.run_id as id from runs.runs r where ${inScope(2)} and r.status = $4
          order by r.turn, r.queue_number limit $5`,
        [kind, tenantId, userId, status, limit],
      )
    ).map(({ id }) => id);
  return { queued: await ids('queued'), running: await ids('running') };
}

export async function countByStatus(db: Queries, kind: string): Promise<Map<RunStatus, number>> {
  const rows = await db.query<{ status: RunStatus; n: number }>(
    `select status, count(*) as n from runs.runs where kind = $1 and status in ${underWay} group by status`,
    [kind],
  );
  return new Map(rows.map(({ status, n }) => [status, n]));
}
