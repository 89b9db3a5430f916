import type { Queries } from '#base/db/database.ts';

/** A stream of a connector, as it is polled. */
export interface Stream {
  readonly configId: string;
  readonly stream: string;
  readonly watermark: Date | null;
  readonly newestAt: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly lastError: string | null;
  readonly eventsIngested: number;
  readonly rowsRefused: number;
}

export interface LeasedStream extends Stream {
  readonly leaseId: string;
}

const columns = `s.config_id as "configId", s.stream, s.watermark, s.newest_at as "newestAt",
  s.last_success_at as "lastSuccessAt", s.last_error as "lastError", s.events_ingested as "eventsIngested",
  s.rows_refused as "rowsRefused"`;

export const listStreams = (db: Queries, configId: string): Promise<(Stream & Record<string, unknown>)[]> =>
  db.query(`select ${columns} from shadow_ai.connector_streams s where s.config_id = $1 order by s.stream`, [
    configId,
  ]);

/** Takes the one that is due longest, for so long; undefined where none is. Two processes never get the same. */
export async function leaseDueStream(
  db: Queries,
  { leaseId, now, leaseMs }: { leaseId: string; now: Date; leaseMs: number },
): Promise<LeasedStream | undefined> {
  const [row] = await db.query<LeasedStream & Record<string, unknown>>(
    `update shadow_ai.connector_streams s
     set lease_id = $1, leased_until = $2::timestamptz + $3 * interval '1 millisecond'
     from (
       select s.config_id, s.stream from shadow_ai.connector_streams s
       join shadow_ai.connectors c on c.config_id = s.config_id and c.enabled
       where s.due_at <= $2 and (s.leased_until is null or s.leased_until <= $2)
       order by s.due_at, s.stream limit 1 for update of s skip locked) due
     where s.config_id = due.config_id and s.stream = due.stream
     returning ${columns}, s.lease_id as "leaseId"`,
    [leaseId, now, leaseMs],
  );
  return row;
}

/** Whether the lease is still held; it holds so long from now on then. */
export async function renewLease(
  db: Queries,
  { configId, stream, leaseId }: LeasedStream,
  { now, leaseMs }: { now: Date; leaseMs: number },
): Promise<boolean> {
  const rows = await db.query(
    `update shadow_ai.connector_streams set leased_until = $4::timestamptz + $5 * interval '1 millisecond'
     where config_id = $1 and stream = $2 and lease_id = $3
       and exists (select 1 from shadow_ai.connectors c where c.config_id = $1 and c.enabled) returning 1`,
    [configId, stream, leaseId, now, leaseMs],
  );
  return rows.length > 0;
}

/** All streams are due at once. */
export async function makeDue(db: Queries, configId: string, at: Date): Promise<void> {
  await db.query('update shadow_ai.connector_streams set due_at = least(due_at, $2) where config_id = $1', [
    configId,
    at,
  ]);
}

export interface Progress {
  readonly watermark: Date;
  readonly newestAt: Date | null;
  readonly events: number;
  readonly refused: number;
}

/** Notes what has been taken in; the watermark never goes back. Answers false where the lease is another's by now. */
export async function advance(
  db: Queries,
  { configId, stream, leaseId }: LeasedStream,
  { watermark, newestAt, events, refused }: Progress,
): Promise<boolean> {
  const rows = await db.query(
    `update shadow_ai.connector_streams set watermark = greatest(watermark, $4::timestamptz),
       newest_at = greatest(newest_at, $5::timestamptz), events_ingested = events_ingested + $6,
       rows_refused = rows_refused + $7
     where config_id = $1 and stream = $2 and lease_id = $3 returning 1`,
    [configId, stream, leaseId, watermark, newestAt, events, refused],
  );
  return rows.length > 0;
}

/** Ends a poll: gives the lease back and says when the next is due. */
export async function endPoll(
  db: Queries,
  { configId, stream, leaseId }: LeasedStream,
  { at, dueAt, error }: { at: Date; dueAt: Date; error: string | undefined },
): Promise<void> {
  await db.query(
    `update shadow_ai.connector_streams set lease_id = null, leased_until = null, due_at = $5, last_error = $6::text,
       last_success_at = case when $6::text is null then $4 else last_success_at end
     where config_id = $1 and stream = $2 and lease_id = $3`,
    [configId, stream, leaseId, at, dueAt, error],
  );
}

export async function noteClockSkew(db: Queries, configId: string, skewMs: number): Promise<void> {
  await db.query('update shadow_ai.connectors set clock_skew_ms = $2 where config_id = $1', [
    configId,
    Math.round(skewMs),
  ]);
}
