import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { ConnectorKind } from './credentials.ts';

export interface Connector {
  readonly configId: string;
  readonly tenantId: string;
  readonly kind: ConnectorKind;
  readonly fields: Readonly<Record<string, string>>;
  readonly secrets: Buffer | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly watermark: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly lastError: string | null;
  readonly eventsIngested: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `config_id as "configId", tenant_id as "tenantId", kind, fields, secrets, settings, watermark,
  last_success_at as "lastSuccessAt", last_error as "lastError", events_ingested as "eventsIngested", created_at as "createdAt", updated_at as "updatedAt"`;

type Row = Connector & Record<string, unknown>;

/** The one that is enabled. */
export async function findConnector(db: Queries, tenantId: string): Promise<Connector | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from shadow_ai.connectors where tenant_id = $1 and enabled`,
    [tenantId],
  );
  return row;
}

/** Also where another has taken its place. */
export async function lockConnectorOfKind(
  tx: Queries,
  tenantId: string,
  kind: ConnectorKind,
): Promise<Connector | undefined> {
  const [row] = await tx.query<Row>(
    `select ${columns} from shadow_ai.connectors where tenant_id = $1 and kind = $2 for update`,
    [tenantId, kind],
  );
  return row;
}

/** Takes the one that is due longest, for so long; undefined where none is. Two processes never get the same. */
export async function leaseDueConnector(
  db: Queries,
  now: Date,
  leaseMs: number,
): Promise<Connector | undefined> {
  const [row] = await db.query<Row>(
    `update shadow_ai.connectors set leased_until = $1::timestamptz + $2 * interval '1 millisecond'
     where config_id = (
       select config_id from shadow_ai.connectors
       where enabled and due_at <= $1 and (leased_until is null or leased_until <= $1)
       order by due_at limit 1 for update skip locked)
     returning ${columns}`,
    [now, leaseMs],
  );
  return row;
}

/** It is due at once. */
export async function makeDue(db: Queries, configId: string, at: Date): Promise<void> {
  await db.query('update shadow_ai.connectors set due_at = $2 where config_id = $1', [configId, at]);
}

/** Notes what has been taken in; the watermark never goes back. */
export async function advance(db: Queries, configId: string, watermark: Date, events: number): Promise<void> {
  await db.query(
    `update shadow_ai.connectors set watermark = greatest(watermark, $2::timestamptz), events_ingested = events_ingested + $3
     where config_id = $1`,
    [configId, watermark, events],
  );
}

/** Ends a poll: gives the lease back and says when the next is due. */
export async function endPoll(
  db: Queries,
  configId: string,
  { at, dueAt, error }: { at: Date; dueAt: Date; error: string | undefined },
): Promise<void> {
  await db.query(
    `update shadow_ai.connectors set leased_until = null, due_at = $3, last_error = $4::text,
       last_success_at = case when $4::text is null then $2 else last_success_at end
     where config_id = $1`,
    [configId, at, dueAt, error],
  );
}

export interface ConnectorWrite {
  readonly configId: string;
  readonly tenantId: string;
  readonly kind: ConnectorKind;
  readonly fields: Readonly<Record<string, string>>;
  readonly secrets: Buffer;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** Writes it, and disables the one of another kind. */
export async function writeConnector(tx: Queries, write: ConnectorWrite): Promise<void> {
  const { configId, tenantId, kind, fields, secrets, settings, at } = write;
  await tx.query(
    'update shadow_ai.connectors set enabled = false, updated_at = $3 where tenant_id = $1 and kind <> $2 and enabled',
    [tenantId, kind, at],
  );
  await tx.query(
    `insert into shadow_ai.connectors as known (config_id, tenant_id, kind, enabled, fields, secrets, settings, due_at,
       created_at, updated_at)
     values ($1, $2, $3, true, $4, $5, $6, $7, $7, $7)
     on conflict (tenant_id, kind) do update set enabled = true, fields = excluded.fields, secrets = excluded.secrets,
       settings = excluded.settings, updated_at = excluded.updated_at, due_at = excluded.due_at, last_error = null`,
    [configId, tenantId, kind, json(fields), secrets, json(settings), at],
  );
}
