/** Creating, finding and changing runs. */
import type { Queries } from '../../db/database.ts';
import {
  inScope,
  now,
  type Row,
  type Stored,
  summary,
  tell,
  toRecord,
  toSummary,
  underWay,
  whole,
  type WholeRow,
} from './rows.ts';
import type { RunOwner, RunScope, RunStatus, RunSummary } from './run.ts';

/**
 * The queue position of a new run: behind the user's other queued runs, but not before the current round. So a
 * user with one run does not wait for another user's hundred (start-time fair queueing, Goyal et al., 1996).
 */
const lastTurn = (kind: string, tenant: string, user: string) => `greatest(
  coalesce((select min(q.turn) from runs.runs q where q.kind = ${kind} and q.status = 'queued'), 1),
  coalesce((select max(q.turn) + 1 from runs.runs q where q.kind = ${kind} and q.status = 'queued'
    and q.tenant_id = ${tenant} and q.user_id = ${user}), 1))`;

export interface NewRun extends RunOwner {
  readonly id: string;
  readonly kind: string;
  /** Made by `jsonText`, like all JSON parameters here. */
  readonly input: object;
  readonly subject: string | undefined;
  readonly key: string | undefined;
}

/** Adds a queued run; returns its id, or that of the run with the same start key. */
export async function insertRun(tx: Queries, run: NewRun): Promise<string> {
  const { id, kind, tenantId, userId, subject, key, input } = run;
  const [made] = await tx.query<{ id: string }>(
    `insert into runs.runs (run_id, kind, tenant_id, user_id, subject, start_key, input, status, turn)
      values ($1, $2::text, $3::text, $4::text, $5, $6, $7, 'queued', ${lastTurn('$2', '$3', '$4')})
      on conflict (kind, tenant_id, user_id, start_key) where start_key is not null do nothing
      returning run_id as id`,
    [id, kind, tenantId, userId, subject, key, input],
  );
  if (made !== undefined) return made.id;
  const [there] = await tx.query<{ id: string }>(
    `select run_id as id from runs.runs where kind = $1 and tenant_id = $2 and user_id = $3 and start_key = $4`,
    [kind, tenantId, userId, key],
  );
  if (there === undefined) throw new Error(`The run ${id} could not be created.`);
  return there.id;
}

/** Number of runs of a user that have work to do: those that wait for somebody take no part. Blocks new runs of this user until the transaction ends. */
export async function countUnderWay(
  tx: Queries,
  kind: string,
  { tenantId, userId }: RunOwner,
): Promise<number> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify(['runs of', kind, tenantId, userId]),
  ]);
  const [row] = await tx.query<{ n: number }>(
    `select count(*) as n from runs.runs r where ${inScope(2)} and r.status in ${underWay} and r.status <> 'waiting'`,
    [kind, tenantId, userId],
  );
  return row?.n ?? 0;
}

export async function findRun(
  db: Queries,
  kind: string,
  id: string,
  { tenantId, userId }: RunScope,
): Promise<Stored | undefined> {
  const [row] = await db.query<WholeRow>(
    `select ${whole} from runs.runs r where ${inScope(2)} and r.run_id = $4`,
    [kind, tenantId, userId, id],
  );
  return row && toRecord(row);
}

export interface RunFilter {
  readonly statuses?: readonly RunStatus[] | undefined;
  readonly subject?: string | undefined;
}

export interface RunPage {
  readonly runs: readonly RunSummary[];
  /** `after` for the next page; undefined on the last. */
  readonly next: string | undefined;
}

/** Newest first. */
export async function listRuns(
  db: Queries,
  kind: string,
  { tenantId, userId }: RunScope,
  { statuses, subject, after, limit }: RunFilter & { after?: string | undefined; limit: number },
): Promise<RunPage> {
  const rows = await db.query<Row & { number: number }>(
    `select ${summary}, r.number from runs.runs r where ${inScope(2)}
        and ($4::text[] is null or r.status = any($4)) and ($5::text is null or r.subject = $5)
        and ($6::bigint is null or r.number < $6) order by r.number desc limit $7`,
    [kind, tenantId, userId, statuses, subject, after, limit + 1],
  );
  const page = rows.slice(0, limit);
  return { runs: page.map(toSummary), next: rows.length > limit ? String(page.at(-1)?.number) : undefined };
}

/** Changes a run's status if it is one of `from`; else undefined. */
export async function moveRun(
  tx: Queries,
  kind: string,
  id: string,
  { tenantId, userId }: RunScope,
  { from, to }: { from: readonly RunStatus[]; to: 'cancelled' | 'paused' | 'queued' },
): Promise<Stored | undefined> {
  const effect = {
    queued: `turn = ${lastTurn('r.kind', 'r.tenant_id', 'r.user_id')}, queue_number = nextval('runs.queue_numbers'),
      crashes = 0, waiting_for = null, error_code = null, error = null, finished_at = null, not_before = null`,
    cancelled: `finished_at = ${now}, waiting_for = null`,
    paused: 'waiting_for = null',
  }[to];
  const [row] = await tx.query<WholeRow>(
    `update runs.runs r set status = $5, updated_at = ${now}, ${effect}
      where ${inScope(2)} and r.run_id = $4 and r.status = any($6::text[]) returning ${whole}`,
    [kind, tenantId, userId, id, to, from],
  );
  if (row !== undefined) await tell(tx, { kind, id, status: to });
  return row && toRecord(row);
}

/** Deletes runs in any status; returns their ids. */
export async function deleteRuns(
  tx: Queries,
  kind: string,
  { ids, subject }: { ids?: readonly string[] | undefined; subject?: string | undefined },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `delete from runs.runs where kind = $1 and (run_id = any($2::uuid[]) or subject = $3::text) returning run_id as id`,
    [kind, ids ?? [], subject],
  );
  for (const { id } of rows) await tell(tx, { kind, id, status: 'deleted' });
  return rows.map(({ id }) => id);
}

/** Deletes up to `limit` runs that ended before the moment; returns how many. */
export async function deleteEnded(
  db: Queries,
  kind: string,
  keepSeconds: number,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `delete from runs.runs where run_id in (select run_id from runs.runs
        where kind = $1 and finished_at < ${now} - $2::double precision * interval '1 second' and claim is null
        order by finished_at limit $3) returning 1 as gone`,
    [kind, keepSeconds, limit],
  );
  return rows.length;
}
