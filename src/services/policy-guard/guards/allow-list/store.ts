import type { Database, Queries } from '#base/db/database.ts';
import type { Viewer } from '#identity/sharing.ts';
import type { GuardStore } from '../store.ts';

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

export type AllowListStore = ReturnType<typeof createAllowListStore>;

export function createAllowListStore(db: Database, { touchGuard }: Pick<GuardStore, 'touchGuard'>) {
  /** Newest first; whose the guard is has been asked before. */
  const listEntries = (guardUuid: string, tx: Queries = db): Promise<AllowedEntry[]> =>
    tx.query<Row>(
      `select ${columns} from policy_guard.allow_list where guard_uuid = $1 order by created_at desc, entry_id desc`,
      [guardUuid],
    );

  return {
    listEntries: (guardUuid: string) => listEntries(guardUuid),

    /**
     * Adds an entry and raises the guard's version; false where the viewer may not change it.
     * @param check throws where the entry cannot join the others; nothing is written then.
     */
    insertEntry: (
      viewer: Viewer,
      guardUuid: string,
      entry: AllowedEntry,
      check: (others: readonly AllowedEntry[]) => void,
    ): Promise<boolean> =>
      db.transaction(async (tx) => {
        // The write to the guard holds others back until this one is done.
        if (!(await touchGuard(tx, viewer, guardUuid, entry.createdAt))) return false;
        check(await listEntries(guardUuid, tx));
        await tx.query(
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
        return true;
      }),

    /** Deletes an entry of a guard that the viewer may change and raises its version; undefined where there is none. */
    deleteEntry: (
      viewer: Viewer,
      guardUuid: string,
      entryId: string,
      now: Date,
    ): Promise<AllowedEntry | undefined> =>
      db.transaction(async (tx) => {
        const [gone] = await tx.query<Row>(
          `delete from policy_guard.allow_list where guard_uuid = $1 and entry_id = $2 returning ${columns}`,
          [guardUuid, entryId],
        );
        if (gone !== undefined) await touchGuard(tx, viewer, guardUuid, now);
        return gone;
      }),
  };
}
