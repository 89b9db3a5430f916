import type { Queries } from '#base/db/database.ts';

export interface AuditRow {
  id: string;
  at: Date;
  event: string;
  tenantId: string | undefined;
  userId: string | undefined;
  address: string | undefined;
  requestId: string | undefined;
  details: Readonly<Record<string, unknown>>;
}

/** Deletes at most `limit` of the oldest events from before a moment; returns how many. */
export async function deleteAuditEventsBefore(db: Queries, before: Date, limit: number): Promise<number> {
  const gone = await db.query(
    `delete from identity.audit_events where id in (
        select id from identity.audit_events where at < $1 order by at limit $2) returning 1 as gone`,
    [before, limit],
  );
  return gone.length;
}

export async function insertAuditEvent(db: Queries, row: AuditRow): Promise<void> {
  await db.query(
    `insert into identity.audit_events (id, at, event, tenant_id, user_id, address, request_id, details)
     values ($1, $2, $3, coalesce($4, (select tenant_id from identity.users where id = $5)), $5, $6, $7, $8)`,
    [row.id, row.at, row.event, row.tenantId, row.userId, row.address, row.requestId, row.details],
  );
}
