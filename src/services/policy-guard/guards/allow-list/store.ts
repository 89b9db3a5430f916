import type { Queries } from '#base/db/database.ts';

export interface AllowedEntry {
  readonly entryId: string;
  readonly kind: 'exact' | 'pattern';
  readonly content: string;
  readonly reason: string;
  /** Null: never. */
  readonly expiresAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

type Row = AllowedEntry & Record<string, unknown>;

const columns = `entry_id as "entryId", kind, content, reason, expires_at as "expiresAt", created_by as "createdBy",
  created_at as "createdAt"`;

/** Newest first; the caller has checked access to the guard. */
export const listEntries = (db: Queries, guardUuid: string): Promise<AllowedEntry[]> =>
  db.query<Row>(
    `select ${columns} from policy_guard.allow_list where guard_uuid = $1 order by created_at desc, entry_id desc`,
    [guardUuid],
  );

export async function insertEntry(db: Queries, guardUuid: string, entry: AllowedEntry): Promise<void> {
  await db.query(
    `insert into policy_guard.allow_list (entry_id, guard_uuid, kind, content, reason, expires_at, created_by,
        created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      entry.entryId,
      guardUuid,
      entry.kind,
      entry.content,
      entry.reason,
      entry.expiresAt,
      entry.createdBy,
      entry.createdAt,
    ],
  );
}

/** Returns the deleted entry; undefined if the guard has no such entry. */
export async function deleteEntry(
  db: Queries,
  guardUuid: string,
  entryId: string,
): Promise<AllowedEntry | undefined> {
  const [gone] = await db.query<Row>(
    `delete from policy_guard.allow_list where guard_uuid = $1 and entry_id = $2 returning ${columns}`,
    [guardUuid, entryId],
  );
  return gone;
}
