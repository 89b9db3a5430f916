import type { Queries } from '#base/db/database.ts';
import type { HistoryEntry, Snapshot } from '../policies/policy-group.ts';

/** A part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** One entry for each write, with the group as the write left it. */
export async function insertHistory(
  tx: Queries,
  groupUuid: string,
  entry: HistoryEntry & { changedBy: string },
): Promise<void> {
  await tx.query(
    `insert into policy_guard.policy_group_history (group_uuid, version, action, changed_by, changed_at, summary,
      snapshot) values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      groupUuid,
      entry.version,
      entry.action,
      entry.changedBy,
      entry.changedAt,
      entry.summary,
      entry.snapshot satisfies Snapshot,
    ],
  );
}

/** Newest first, with the number of all entries. */
export async function listHistory(
  db: Queries,
  groupUuid: string,
  { limit, offset }: Page,
): Promise<{ entries: HistoryEntry[]; total: number }> {
  const [counted] = await db.query<{ total: number }>(
    'select count(*) as total from policy_guard.policy_group_history where group_uuid = $1',
    [groupUuid],
  );
  const entries = await db.query<HistoryEntry & Record<string, unknown>>(
    `select version, action, changed_by as "changedBy", changed_at as "changedAt", summary, snapshot
      from policy_guard.policy_group_history where group_uuid = $1 order by version desc limit $2 offset $3`,
    [groupUuid, limit, offset],
  );
  return { entries, total: counted?.total ?? 0 };
}

/** The entry of one write. */
export async function findHistoryEntry(
  db: Queries,
  groupUuid: string,
  version: number,
): Promise<HistoryEntry | undefined> {
  const [entry] = await db.query<HistoryEntry & Record<string, unknown>>(
    `select version, action, changed_by as "changedBy", changed_at as "changedAt", summary, snapshot
      from policy_guard.policy_group_history where group_uuid = $1 and version = $2`,
    [groupUuid, version],
  );
  return entry;
}
