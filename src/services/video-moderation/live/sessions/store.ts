import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { CoverageLevel } from '#engine/video/coverage.ts';
import type { ingestStates, streamStatuses } from '../../contract/streams.ts';
import type { transports } from '../../contract/names.ts';

export type StreamStatus = (typeof streamStatuses)[number];
export type IngestState = (typeof ingestStates)[number];
export type Transport = (typeof transports)[number];

/** As asked for. */
export interface StreamSettings {
  readonly transport: Transport;
  readonly fps: number;
  readonly clipSeconds: number;
  /** Without credentials. */
  readonly sourceUrl: string | null;
  readonly callbackUrl: string | null;
  readonly callbackEvents: 'all' | 'flagged';
  readonly deploymentId: string | null;
}

export interface StreamCounts {
  readonly framesAnalyzed: number;
  readonly clipsAnalyzed: number;
  readonly framesDropped: number;
  readonly coverage: Readonly<Record<string, CoverageLevel>>;
}

export interface StoredStream extends StreamCounts {
  readonly streamId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly apiKeyId: string | null;
  readonly status: StreamStatus;
  readonly ingestState: IngestState;
  readonly settings: StreamSettings;
  /** Sealed address of the source. */
  readonly source: Uint8Array | null;
  /** SHA-256. */
  readonly ingestToken: Uint8Array | null;
  readonly processId: string | null;
  readonly callbackId: string | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly finishedAt: Date | null;
}

type Row = StoredStream & Record<string, unknown>;

const columns = `stream_id as "streamId", tenant_id as "tenantId", owner_id as "ownerId", api_key_id as "apiKeyId", status,
  ingest_state as "ingestState", settings, source, ingest_token as "ingestToken", process_id as "processId",
  callback_id as "callbackId", frames_analyzed as "framesAnalyzed", clips_analyzed as "clipsAnalyzed",
  frames_dropped as "framesDropped", coverage, error, created_at as "createdAt", expires_at as "expiresAt",
  finished_at as "finishedAt"`;

/** Sessions that run: of whoever makes one (an API key, or a signed-in user), and of the process. */
export async function countRunning(
  tx: Queries,
  of: Pick<StoredStream, 'ownerId' | 'apiKeyId' | 'processId'>,
): Promise<{ own: number; here: number }> {
  // One at a time: two requests must not both take the last place.
  await tx.query(`select pg_advisory_xact_lock(hashtext('video_moderation.streams'))`);
  const [row] = await tx.query<{ own: number; here: number }>(
    `select count(*) filter (where owner_id = $1 and api_key_id is not distinct from $2)::int as own,
       count(*) filter (where process_id = $3)::int as here
     from video_moderation.streams where status = 'running'`,
    [of.ownerId, of.apiKeyId, of.processId],
  );
  return row ?? { own: 0, here: 0 };
}

export async function insertStream(tx: Queries, each: StoredStream): Promise<void> {
  await tx.query(
    `insert into video_moderation.streams (stream_id, tenant_id, owner_id, api_key_id, status, ingest_state, settings,
       source, ingest_token, process_id, callback_id, coverage, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12::jsonb, $13, $14)`,
    [
      each.streamId,
      each.tenantId,
      each.ownerId,
      each.apiKeyId,
      each.status,
      each.ingestState,
      json(each.settings),
      each.source,
      each.ingestToken,
      each.processId,
      each.callbackId,
      json(each.coverage),
      each.createdAt,
      each.expiresAt,
    ],
  );
}

export async function findStream(db: Queries, streamId: string): Promise<StoredStream | undefined> {
  const [row] = await db.query<Row>(`select ${columns} from video_moderation.streams where stream_id = $1`, [
    streamId,
  ]);
  return row;
}

/** The session that runs and whose ingest token has this hash. */
export async function findRunningByToken(db: Queries, hash: Buffer): Promise<StoredStream | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from video_moderation.streams where status = 'running' and ingest_token = $1`,
    [hash],
  );
  return row;
}

export interface StreamList {
  readonly tenantId: string;
  readonly status: StreamStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

export async function listStreams(
  db: Queries,
  { tenantId, status, limit, offset }: StreamList,
): Promise<{ streams: StoredStream[]; total: number }> {
  const filter = 'tenant_id = $1 and ($2::text is null or status = $2)';
  const [count] = await db.query<{ total: number }>(
    `select count(*)::int as total from video_moderation.streams where ${filter}`,
    [tenantId, status ?? null],
  );
  const streams = await db.query<Row>(
    `select ${columns} from video_moderation.streams where ${filter}
     order by created_at desc, stream_id limit $3 offset $4`,
    [tenantId, status ?? null, limit, offset],
  );
  return { streams, total: count?.total ?? 0 };
}

/** The session runs here from now on, if it still waits for its sender. @returns whether it does */
export async function claimStream(db: Queries, streamId: string, processId: string): Promise<boolean> {
  const rows = await db.query(
    `update video_moderation.streams set process_id = $2
     where stream_id = $1 and status = 'running' and (process_id = $2 or ingest_state = 'waiting') returning 1 as done`,
    [streamId, processId],
  );
  return rows.length > 0;
}

export const saveProgress = (
  db: Queries,
  streamId: string,
  {
    ingestState,
    framesAnalyzed,
    clipsAnalyzed,
    framesDropped,
    coverage,
  }: StreamCounts & {
    readonly ingestState: IngestState;
  },
) =>
  db.query(
    `update video_moderation.streams set ingest_state = $2, frames_analyzed = $3, clips_analyzed = $4,
       frames_dropped = $5, coverage = $6::jsonb where stream_id = $1 and status = 'running'`,
    [streamId, ingestState, framesAnalyzed, clipsAnalyzed, framesDropped, json(coverage)],
  );

export interface StreamEnd {
  readonly streamId: string;
  readonly status: Exclude<StreamStatus, 'running'>;
  readonly error: string | null;
  readonly at: Date;
  /** Undefined: as they were saved last. */
  readonly counts: StreamCounts | undefined;
}

/** @returns false where it had ended before */
export async function finishStream(tx: Queries, end: StreamEnd): Promise<boolean> {
  const { streamId, status, error, at, counts } = end;
  const rows = await tx.query(
    `update video_moderation.streams set status = $2, error = $3, finished_at = $4,
       frames_analyzed = coalesce($5, frames_analyzed), clips_analyzed = coalesce($6, clips_analyzed),
       frames_dropped = coalesce($7, frames_dropped), coverage = coalesce($8::jsonb, coverage)
     where stream_id = $1 and status = 'running' returning 1 as done`,
    [
      streamId,
      status,
      error,
      at,
      counts?.framesAnalyzed ?? null,
      counts?.clipsAnalyzed ?? null,
      counts?.framesDropped ?? null,
      counts === undefined ? null : json(counts.coverage),
    ],
  );
  return rows.length > 0;
}

export const seenProcess = (db: Queries, processId: string, at: Date) =>
  db.query(
    `insert into video_moderation.processes (process_id, seen_at) values ($1, $2)
     on conflict (process_id) do update set seen_at = $2`,
    [processId, at],
  );

/** A process that ends in order leaves no sessions. */
export const forgetProcess = (db: Queries, processId: string) =>
  db.query('delete from video_moderation.processes where process_id = $1', [processId]);

export const forgetProcessesBefore = (db: Queries, moment: Date) =>
  db.query('delete from video_moderation.processes where seen_at < $1', [moment]);

/** Sessions of processes that have not been seen since. */
export const listOrphans = (db: Queries, moment: Date): Promise<StoredStream[]> =>
  db.query<Row>(
    `select ${columns} from video_moderation.streams s where status = 'running' and not exists (
       select from video_moderation.processes p where p.process_id = s.process_id and p.seen_at >= $1)
     order by created_at limit 200`,
    [moment],
  );

/** Sessions of this process whose sender has never come. */
export const listUnattended = (
  db: Queries,
  processId: string,
  createdBefore: Date,
): Promise<StoredStream[]> =>
  db.query<Row>(
    `select ${columns} from video_moderation.streams where status = 'running' and process_id = $1
       and ingest_state = 'waiting' and created_at < $2 order by created_at limit 500`,
    [processId, createdBefore],
  );

/** @returns their callbacks */
export async function deleteStreamsBefore(
  db: Queries,
  moment: Date,
  limit: number,
): Promise<{ callbackId: string | null }[]> {
  return db.query<{ callbackId: string | null }>(
    `delete from video_moderation.streams where stream_id in (
       select stream_id from video_moderation.streams where finished_at < $1 limit $2)
     returning callback_id as "callbackId"`,
    [moment, limit],
  );
}
