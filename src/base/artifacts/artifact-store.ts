/** The table of artifacts. */
import type { Database, Queries } from '../db/database.ts';
import type { Artifact, ArtifactOwner } from './artifact.ts';

interface Row extends Record<string, unknown> {
  id: string;
  user_id: string | null;
  name: string;
  media_type: string;
  size_bytes: number;
  sha256: string;
  created_at: Date;
  expires_at: Date | null;
}

const columns = 'id, user_id, name, media_type, size_bytes, sha256, created_at, expires_at';

const fromRow = (row: Row): Artifact => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Complete and not expired. */
const visible = `tenant_id = $1 and status = 'ready' and (expires_at is null or expires_at > $2)`;

/**
 * Reserves quota for an artifact that is being written; fails if it would exceed the tenant's quota. Reservations of
 * one tenant are serialized, so that two at once cannot both take the last free space.
 */
export const reserve = (
  db: Database,
  { tenantId }: ArtifactOwner,
  artifact: Artifact,
  quotaBytes: number,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('artifacts ' || $1, 0))`, [tenantId]);
    const [row] = await tx.query<{ total: number }>(
      'select coalesce(sum(size_bytes), 0)::int8 as total from artifacts.artifacts where tenant_id = $1',
      [tenantId],
    );
    if ((row?.total ?? 0) + artifact.sizeBytes > quotaBytes) return false;
    const { id, userId, name, mediaType, sizeBytes, sha256, createdAt, expiresAt } = artifact;
    await tx.query(
      `insert into artifacts.artifacts (tenant_id, status, ${columns})
       values ($1, 'writing', $2, $3, $4, $5, $6, $7, $8, $9)`,
      [tenantId, id, userId, name, mediaType, sizeBytes, sha256, createdAt, expiresAt],
    );
    return true;
  });

/** @returns false if it was removed in the meantime */
export const markReady = async (db: Queries, id: string): Promise<boolean> =>
  (
    await db.query(
      `update artifacts.artifacts set status = 'ready' where id = $1 and status = 'writing' returning id`,
      [id],
    )
  ).length > 0;

export async function find(
  db: Queries,
  { tenantId }: ArtifactOwner,
  id: string,
  now: Date,
): Promise<Artifact | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from artifacts.artifacts where ${visible} and id = $3`,
    [tenantId, now, id],
  );
  return row && fromRow(row);
}

export async function list(
  db: Queries,
  { tenantId }: ArtifactOwner,
  now: Date,
  page: { limit: number; offset: number },
): Promise<{ artifacts: Artifact[]; total: number }> {
  const [count] = await db.query<{ total: number }>(
    `select count(*) as total from artifacts.artifacts where ${visible}`,
    [tenantId, now],
  );
  const rows = await db.query<Row>(
    `select ${columns} from artifacts.artifacts where ${visible}
     order by created_at desc, id desc limit $3 offset $4`,
    [tenantId, now, page.limit, page.offset],
  );
  return { artifacts: rows.map(fromRow), total: count?.total ?? 0 };
}

/** Hides it; its bytes and row are deleted next. @returns whether a visible one existed */
export const markDeleting = async (
  db: Queries,
  { tenantId }: ArtifactOwner,
  id: string,
  now: Date,
): Promise<boolean> =>
  (
    await db.query(
      `update artifacts.artifacts set status = 'deleting' where ${visible} and id = $3 returning id`,
      [tenantId, now, id],
    )
  ).length > 0;

/** Marks an artifact whose write failed for removal. */
export const abandon = async (db: Queries, { tenantId }: ArtifactOwner, id: string): Promise<void> => {
  await db.query(`update artifacts.artifacts set status = 'deleting' where id = $1 and tenant_id = $2`, [
    id,
    tenantId,
  ]);
};

export const removeRow = async (db: Queries, id: string): Promise<void> => {
  await db.query(`delete from artifacts.artifacts where id = $1 and status = 'deleting'`, [id]);
};

/** Selects up to `limit` artifacts that expired, were never finished or are half deleted, for removal. */
export const takeRemovable = async (
  db: Queries,
  now: Date,
  unfinishedBefore: Date,
  limit: number,
): Promise<string[]> =>
  (
    await db.query<{ id: string }>(
      `update artifacts.artifacts set status = 'deleting' where id in (
         select id from artifacts.artifacts
         where (status = 'ready' and expires_at <= $1) or (status = 'writing' and created_at < $2)
            or status = 'deleting'
         order by coalesce(expires_at, created_at) limit $3 for update skip locked)
       returning id`,
      [now, unfinishedBefore, limit],
    )
  ).map(({ id }) => id);
