import type { Queries } from '#base/db/database.ts';

export interface NoticeKey {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** Claims the rules without a notification in this session since `since`, and returns them. */
export async function claimNotices(
  tx: Queries,
  { tenantId, userId, sessionId }: NoticeKey,
  ruleIds: readonly string[],
  { now, since }: { now: Date; since: Date },
): Promise<string[]> {
  const rows = await tx.query<{ ruleId: string }>(
    `insert into action_guard.notices as n (tenant_id, user_id, session_id, rule_id, sent_at)
      select $1, $2, $3, r.rule_id, $5 from unnest($4::text[]) as r (rule_id) order by r.rule_id
      on conflict (tenant_id, user_id, session_id, rule_id) do update set sent_at = excluded.sent_at
        where n.sent_at <= $6
      returning n.rule_id as "ruleId"`,
    [tenantId, userId, sessionId, ruleIds, now, since],
  );
  return rows.map(({ ruleId }) => ruleId);
}

/** Deletes records of notifications that no longer suppress anything. */
export async function deleteNoticesBefore(db: Queries, since: Date): Promise<void> {
  await db.query('delete from action_guard.notices where sent_at <= $1', [since]);
}
