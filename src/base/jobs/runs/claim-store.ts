/** Execution of runs: a run is claimed from the queue, and only the claim's holder may write. */
import type { Queries } from '../../db/database.ts';
import { channel, inMs, now, type Stored, tell, toRecord, whole, type WholeRow } from './rows.ts';
import type { RunError, RunProgress, RunStatus } from './run.ts';

export interface ClaimLimits {
  /** Free execution slots of this process. */
  readonly free: number;
  readonly leaseMs: number;
  /** Limit over all processes. */
  readonly overall: number | undefined;
  readonly perUser: number | undefined;
}

export interface Claimed extends Stored {
  readonly claim: string;
  readonly checkpoint: unknown;
}

/** Claims the next runs in queue order. Claims of one kind are serialized, so that all limits hold. */
export async function claimRuns(tx: Queries, kind: string, limits: ClaimLimits): Promise<Claimed[]> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify(['claims of', kind]),
  ]);
  const rows = await tx.query<WholeRow & { claim: string; checkpoint: unknown; turn: number; place: number }>(
    `with active as (
        select tenant_id, user_id, count(*) as n from runs.runs
          where kind = $1 and status = 'running' group by tenant_id, user_id
      ), free as (
        select q.run_id, q.turn, q.queue_number,
            row_number() over (partition by q.tenant_id, q.user_id order by q.turn, q.queue_number) + coalesce(a.n, 0) as nth
          from runs.runs q left join active a on a.tenant_id = q.tenant_id and a.user_id = q.user_id
          where q.kind = $1 and q.status = 'queued' and (q.not_before is null or q.not_before <= ${now})
            and (q.claim is null or q.lease_until <= ${now})
      ), next as (
        select run_id from free where $4::integer is null or nth <= $4 order by turn, queue_number
          limit greatest(0, least($2::integer, $3::integer - (select coalesce(sum(n), 0) from active)))
      )
      update runs.runs r set status = 'running', claim = gen_random_uuid(), lease_until = ${inMs('$5')}, not_before = null,
          started_at = coalesce(r.started_at, ${now}), updated_at = ${now}
        from next where r.run_id = next.run_id and r.status = 'queued'
        returning ${whole}, r.claim, r.checkpoint, r.turn, r.queue_number as place`,
    [kind, limits.free, limits.overall, limits.perUser, limits.leaseMs],
  );
  for (const { id } of rows) await tell(tx, { kind, id, status: 'running' });
  return rows
    .sort((a, b) => a.turn - b.turn || a.place - b.place)
    .map((row) => ({ ...toRecord(row), claim: row.claim, checkpoint: row.checkpoint }));
}

/** Renews the leases; returns the claims still held, with the status of their runs. */
export async function renewLeases(
  db: Queries,
  claims: readonly string[],
  leaseMs: number,
): Promise<Map<string, RunStatus>> {
  const rows = await db.query<{ claim: string; status: RunStatus }>(
    `update runs.runs set lease_until = ${inMs('$2')} where claim = any($1::uuid[]) returning claim, status`,
    [claims, leaseMs],
  );
  return new Map(rows.map(({ claim, status }) => [claim, status]));
}

export interface Saved {
  readonly checkpoint?: object | undefined;
  readonly progress?: RunProgress | undefined;
  /** Whether to notify watchers. */
  readonly notifies: boolean;
}

/** Saves a run's progress; false if the claim is lost or the run must stop. */
export async function saveRun(
  tx: Queries,
  id: string,
  claim: string,
  { checkpoint, progress, notifies }: Saved,
): Promise<boolean> {
  const rows = await tx.query(
    `with saved as (update runs.runs set updated_at = ${now},
        checkpoint = case when $3 then $4::json else checkpoint end,
        done = case when $5 then $6 else done end, total = case when $5 then $7 else total end,
        step = case when $5 then $8 else step end
      where run_id = $1 and claim = $2 and status = 'running' returning kind)
      select case when $9 then pg_notify($10, json_build_object('kind', kind, 'id', $1, 'status', 'running')::text) end
        from saved`,
    [
      id,
      claim,
      checkpoint !== undefined,
      checkpoint,
      progress !== undefined,
      progress?.done ?? 0,
      progress?.total,
      progress?.step,
      notifies,
      channel,
    ],
  );
  return rows.length > 0;
}

/** The status of the claimed run; undefined if the claim is no longer held. */
export async function findClaimed(tx: Queries, id: string, claim: string): Promise<RunStatus | undefined> {
  const [row] = await tx.query<{ status: RunStatus }>(
    'select status from runs.runs where run_id = $1 and claim = $2',
    [id, claim],
  );
  return row?.status;
}

export interface End {
  readonly status: 'completed' | 'failed' | 'waiting';
  readonly result?: object;
  readonly waitingFor?: string;
  readonly error?: RunError;
}

/** Ends an execution; undefined if the claim is lost or the run must stop. */
export async function endRun(tx: Queries, id: string, claim: string, end: End): Promise<Stored | undefined> {
  const [row] = await tx.query<WholeRow>(
    `update runs.runs r set status = $3, result = $4, waiting_for = $5, error_code = $6, error = $7, claim = null,
        lease_until = null, updated_at = ${now},
        finished_at = case when $3 = 'waiting' then null else ${now} end,
        done = case when $3 = 'completed' then coalesce(total, done) else done end
      where r.run_id = $1 and r.claim = $2 and r.status = 'running' returning ${whole}`,
    [id, claim, end.status, end.result, end.waitingFor, end.error?.code, end.error?.message],
  );
  return row && toRecord(row);
}

/** Releases a claim; an unfinished run returns to its place in the queue. */
export async function releaseRun(db: Queries, id: string, claim: string): Promise<RunStatus | undefined> {
  const [row] = await db.query<{ status: RunStatus }>(
    `update runs.runs set claim = null, lease_until = null, updated_at = ${now},
        status = case status when 'running' then 'queued' else status end
      where run_id = $1 and claim = $2 returning status`,
    [id, claim],
  );
  return row?.status;
}

export interface Recovery {
  readonly mostCrashes: number;
  /** Only runs with these claims; default: those with an expired lease. */
  readonly claims?: readonly string[] | undefined;
  /** Claims of this (running) process. */
  readonly except: readonly string[];
  /** On the embedded database no other process can run: its claims expire at once. */
  readonly lostAtOnce: boolean;
}

const mostRecovered = 500;

/**
 * Recovers runs of crashed processes: each returns to its place in the queue after a delay, or
 * fails after too many crashes. Returns those that were running.
 */
export async function recoverRuns(
  tx: Queries,
  kind: string,
  { mostCrashes, claims, except, lostAtOnce }: Recovery,
): Promise<Stored[]> {
  const rows = await tx.query<WholeRow>(
    `with lost as (
        select run_id, status as was, crashes + 1 as crashes from runs.runs
          where kind = $1 and claim is not null and claim <> all($3::uuid[])
            and ($5 or claim = any($4::uuid[]) or lease_until < ${now})
          limit ${mostRecovered} for update skip locked
      )
      update runs.runs r set claim = null, lease_until = null, updated_at = ${now},
          crashes = case when lost.was = 'running' then lost.crashes else r.crashes end,
          status = case when lost.was <> 'running' then r.status when lost.crashes >= $2 then 'failed' else 'queued' end,
          finished_at = case when lost.was = 'running' and lost.crashes >= $2 then ${now} else r.finished_at end,
          error_code = case when lost.was = 'running' and lost.crashes >= $2 then 'crashed' else r.error_code end,
          error = case when lost.was = 'running' and lost.crashes >= $2 then
            case lost.crashes when 1 then 'It was interrupted before it was done.'
            else format('It was interrupted %s times before it was done, and is not tried again.', lost.crashes)
            end else r.error end,
          not_before = ${now} + least(60, power(2, lost.crashes - 1)) * interval '1 second'
        from lost where r.run_id = lost.run_id
        returning ${whole}, lost.was`,
    [kind, mostCrashes, except, claims ?? [], lostAtOnce],
  );
  const ran = rows.filter(({ was }) => was === 'running');
  for (const { id, status } of ran) await tell(tx, { kind, id, status });
  return ran.map(toRecord);
}
