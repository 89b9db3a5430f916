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

/** One event of the trail. */
export type AuditEntry = {
  id: string;
  at: Date;
  event: string;
  userId: string | null;
  address: string | null;
  requestId: string | null;
  details: Record<string, unknown>;
};

export interface AuditFilter {
  readonly tenantId: string;
  /** Also those of no tenant. */
  readonly withUnknown: boolean;
  /** An event, or its first words. */
  readonly event: string | undefined;
  readonly userId: string | undefined;
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly to: Date | undefined;
  /** The id of an event that is visible with the same tenant: only older ones. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export const listAuditEvents = (db: Queries, filter: AuditFilter): Promise<AuditEntry[]> => {
  const inTenant = '(tenant_id = $1 or (tenant_id is null and $2::boolean))';
  return db.query<AuditEntry>(
    `select id, at, event, user_id as "userId", address, request_id as "requestId", details
      from identity.audit_events
      where ${inTenant}
        and ($3::text is null or event = $3 or starts_with(event, $3 || '_'))
        and ($4::uuid is null or user_id = $4)
        and ($5::timestamptz is null or at >= $5)
        and ($6::timestamptz is null or at < $6)
        and ($7::uuid is null
          or (at, id) < (select b.at, b.id from identity.audit_events b where b.id = $7 and ${inTenant.replaceAll('tenant_id', 'b.tenant_id')}))
      order by at desc, id desc limit $8`,
    [
      filter.tenantId,
      filter.withUnknown,
      filter.event ?? null,
      filter.userId ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.before ?? null,
      filter.limit,
    ],
  );
};
