import type { Queries } from '#base/db/database.ts';

/** A person's judgement of a logged text. */
export interface Label {
  readonly queryId: string;
  readonly guardUuid: string;
  readonly groupUuid: string;
  readonly policyId: string;
  readonly policyName: string;
  readonly violates: boolean;
  readonly text: string;
  readonly labelledBy: string;
  readonly labelledAt: Date;
}

type Row = Label & Record<string, unknown>;

const select = `
  select query_id as "queryId", guard_uuid as "guardUuid", group_uuid as "groupUuid", policy_id as "policyId",
    policy_name as "policyName", violates, text, labelled_by as "labelledBy", labelled_at as "labelledAt"
  from policy_guard.query_labels`;

/** Adds a label, or replaces the one of that policy; false where the guard is gone. */
export async function saveLabel(db: Queries, label: Label): Promise<boolean> {
  const rows = await db.query(
    `insert into policy_guard.query_labels (query_id, guard_uuid, group_uuid, policy_id, policy_name, violates, text,
        labelled_by, labelled_at)
      select $1, g.guard_uuid, $3, $4, $5, $6, $7, $8, $9 from policy_guard.guards g where g.guard_uuid = $2
      on conflict (query_id, group_uuid, policy_id) do update set policy_name = excluded.policy_name,
        violates = excluded.violates, labelled_by = excluded.labelled_by, labelled_at = excluded.labelled_at
      returning 1 as done`,
    [
      label.queryId,
      label.guardUuid,
      label.groupUuid,
      label.policyId,
      label.policyName,
      label.violates,
      label.text,
      label.labelledBy,
      label.labelledAt,
    ],
  );
  return rows.length > 0;
}

export const listLabelsOfQuery = (db: Queries, queryId: string): Promise<Label[]> =>
  db.query<Row>(`${select} where query_id = $1 order by labelled_at desc`, [queryId]);

/** Newest first. */
export const listLabelsOfGuard = (
  db: Queries,
  guardUuid: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Label[]> =>
  db.query<Row>(
    `${select} where guard_uuid = $1 order by labelled_at desc, query_id, group_uuid, policy_id limit $2 offset $3`,
    [guardUuid, limit, offset],
  );

export async function countLabelsOfGuard(db: Queries, guardUuid: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from policy_guard.query_labels where guard_uuid = $1',
    [guardUuid],
  );
  return row?.count ?? 0;
}

export async function deleteLabelsOfQuery(db: Queries, queryId: string): Promise<void> {
  await db.query('delete from policy_guard.query_labels where query_id = $1', [queryId]);
}
