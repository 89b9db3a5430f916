import type { Queries } from '../../db/database.ts';
import type { RunError, RunOwner, RunProgress, RunRecord, RunScope, RunStatus, RunSummary } from './run.ts';

export const channel = 'runs';

/** What is told to all processes when something about a run has changed. */
export interface RunChange {
  readonly kind: string;
  readonly id: string;
  readonly status: RunStatus | 'deleted';
}

type Stored = RunRecord<unknown, unknown>;

interface Row extends Record<string, unknown>, RunOwner {
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
interface WholeRow extends Row {
  input: unknown;
  result: unknown;
}

const summary = `r.run_id as id, r.kind, r.tenant_id as "tenantId", r.user_id as "userId", r.subject, r.status, r.done,
  r.total, r.step, r.waiting_for as "waitingFor", r.error_code as "errorCode", r.error, r.crashes,
  r.created_at as "createdAt", r.started_at as "startedAt", r.updated_at as "updatedAt", r.finished_at as "finishedAt"`;
const whole = `${summary}, r.input, r.result`;

const toSummary = (row: Row): RunSummary => ({
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
const toRecord = (row: WholeRow): Stored => ({ ...toSummary(row), input: row.input, result: row.result });

const underWay = `('queued', 'running', 'paused', 'waiting')`;
const now = 'clock_timestamp()';
const inMs = (parameter: string) => `${now} + ${parameter}::double precision * interval '1 millisecond'`;

/** $1 is the kind, then tenant and user, where null stands for all. */
const inScope = (at: number) =>
  `r.kind = $1 and ($${at}::text is null or r.tenant_id = $${at}) and ($${at + 1}::text is null or r.user_id = $${at + 1})`;

export const tell = (queries: Queries, change: RunChange): Promise<unknown> =>
  queries.query('select pg_notify($1, $2)', [channel, JSON.stringify(change)]);

/**
 * The last place in the queue: behind the own runs that are queued, and not before the round that is being served. So a
 * user with one run does not wait for all hundred of another (start-time fair queueing, Goyal et al., 1996).
 */
const lastTurn = (kind: string, tenant: string, user: string) => `greatest(
  coalesce((select min(q.turn) from runs.runs q where q.kind = ${kind} and q.status = 'queued'), 1),
  coalesce((select max(q.turn) + 1 from runs.runs q where q.kind = ${kind} and q.status = 'queued'
    and q.tenant_id = ${tenant} and q.user_id = ${user}), 1))`;

export interface NewRun extends RunOwner {
  readonly id: string;
  readonly kind: string;
  /** As `jsonText` makes it; so are all that are written as JSON here. */
  readonly input: object;
  readonly subject: string | undefined;
  readonly key: string | undefined;
}

/** Adds a queued run; the id of the one that was started with the same key where there is one. */
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
  if (there === undefined) throw new Error(`The run ${id} could not be made.`);
  return there.id;
}

/** How many runs of a user have not ended. New ones of this user wait until the transaction ends. */
export async function countUnderWay(
  tx: Queries,
  kind: string,
  { tenantId, userId }: RunOwner,
): Promise<number> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify(['runs of', kind, tenantId, userId]),
  ]);
  const [row] = await tx.query<{ n: number }>(
    `select count(*) as n from runs.runs r where ${inScope(2)} and r.status in ${underWay}`,
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
  /** What `after` is for the next page; undefined on the last. */
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

export interface QueuePlace {
  /** 1 is the next to start, 0 runs; null where it is neither queued nor running. */
  readonly position: number | null;
  /** The same among the runs of its user. */
  readonly positionOfUser: number | null;
  /** All that are queued. */
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

/** The ids of those that are queued, next first, and of those that run. */
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

export interface ClaimLimits {
  /** How many more this process can execute. */
  readonly free: number;
  readonly leaseMs: number;
  /** Of all processes together. */
  readonly overall: number | undefined;
  readonly perUser: number | undefined;
}

export interface Claimed extends Stored {
  readonly claim: string;
  readonly checkpoint: unknown;
}

/** Takes the next runs of the queue, in its order. Who claims of one kind takes turns, so that every limit holds. */
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

/** Renews the leases; answers the claims that still stand, with the status of their runs. */
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
  /** Whether those who watch are told. */
  readonly tells: boolean;
}

/** Writes how far a run is; false where the claim is lost or the run is no longer to run. */
export async function saveRun(
  tx: Queries,
  id: string,
  claim: string,
  { checkpoint, progress, tells }: Saved,
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
      tells,
      channel,
    ],
  );
  return rows.length > 0;
}

export interface End {
  readonly status: 'completed' | 'failed' | 'waiting';
  readonly result?: object;
  readonly waitingFor?: string;
  readonly error?: RunError;
}

/** Ends an execution; undefined where the claim is lost or the run is no longer to run. */
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

/** Lets go of a claim; a run that was to go on returns to its place in the queue. */
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
  /** Only runs with these claims; those whose lease is over where it is left out. */
  readonly claims?: readonly string[] | undefined;
  /** Claims of this process, which lives. */
  readonly except: readonly string[];
  /** On the embedded database no other process can live: its claims count as over at once. */
  readonly lostAtOnce: boolean;
}

const mostRecovered = 500;

/**
 * Takes runs back whose process has ended without a word: each returns to its place in the queue after a pause, or has
 * failed where that happened too often. Answers those that were running.
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
            case lost.crashes when 1 then 'It was broken off before it was done.'
            else format('It was broken off %s times before it was done, and is not tried again.', lost.crashes)
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

/** Moves a run to another status, if it has one of those `from`; undefined otherwise. */
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

/** Deletes runs, whether they have ended or not; answers their ids. */
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

/** Deletes up to so many runs that ended so long ago; answers how many. */
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
