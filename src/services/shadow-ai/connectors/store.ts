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
  readonly clockSkewMs: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `c.config_id as "configId", c.tenant_id as "tenantId", c.kind, c.fields, c.secrets, c.settings,
  c.clock_skew_ms as "clockSkewMs", c.created_at as "createdAt", c.updated_at as "updatedAt"`;

type Row = Connector & Record<string, unknown>;

/** The one that is enabled. */
export async function findConnector(db: Queries, tenantId: string): Promise<Connector | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from shadow_ai.connectors c where c.tenant_id = $1 and c.enabled`,
    [tenantId],
  );
  return row;
}

/** @throws Error where it is gone; connectors are never deleted while they have streams */
export async function getConnector(db: Queries, configId: string): Promise<Connector> {
  const [row] = await db.query<Row>(`select ${columns} from shadow_ai.connectors c where c.config_id = $1`, [
    configId,
  ]);
  if (row === undefined) throw new Error(`The connector ${configId} is gone.`);
  return row;
}

/** Also where another has taken its place. */
export async function lockConnectorOfKind(
  tx: Queries,
  tenantId: string,
  kind: ConnectorKind,
): Promise<Connector | undefined> {
  const [row] = await tx.query<Row>(
    `select ${columns} from shadow_ai.connectors c where c.tenant_id = $1 and c.kind = $2 for update`,
    [tenantId, kind],
  );
  return row;
}

export interface ConnectorWrite {
  readonly configId: string;
  readonly tenantId: string;
  readonly kind: ConnectorKind;
  readonly fields: Readonly<Record<string, string>>;
  readonly secrets: Buffer;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly streams: readonly string[];
  /** It is another source than before: what was read of the old one says nothing of it. */
  readonly isOther: boolean;
  readonly at: Date;
}

/** Writes it, makes its streams due, and disables the one of another kind. */
export async function writeConnector(tx: Queries, write: ConnectorWrite): Promise<void> {
  const { configId, tenantId, kind, fields, secrets, settings, streams, isOther, at } = write;
  await tx.query(
    'update shadow_ai.connectors set enabled = false, updated_at = $3 where tenant_id = $1 and kind <> $2 and enabled',
    [tenantId, kind, at],
  );
  await tx.query(
    `insert into shadow_ai.connectors as known (config_id, tenant_id, kind, enabled, fields, secrets, settings, created_at,
       updated_at)
     values ($1, $2, $3, true, $4, $5, $6, $7, $7)
     on conflict (tenant_id, kind) do update set enabled = true, fields = excluded.fields, secrets = excluded.secrets,
       settings = excluded.settings, updated_at = excluded.updated_at`,
    [configId, tenantId, kind, json(fields), secrets, json(settings), at],
  );
  await tx.query(
    `insert into shadow_ai.connector_streams as known (config_id, stream, due_at)
     select $1::uuid, stream, $3::timestamptz from unnest($2::text[]) as stream
     on conflict (config_id, stream) do update set due_at = excluded.due_at, last_error = null,
       watermark = case when $4 then null else known.watermark end,
       newest_at = case when $4 then null else known.newest_at end`,
    [configId, streams, at, isOther],
  );
}
