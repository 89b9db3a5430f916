import type { Queries } from '#base/db/database.ts';

type Row<T> = T & Record<string, unknown>;

export interface Channel {
  readonly channelId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly kind: 'mail' | 'webhook' | 'slack';
  readonly mailTo: readonly string[];
  readonly url: string | null;
  readonly destinationId: string | null;
  readonly createdAt: Date;
}

const channelColumns = `channel_id as "channelId", tenant_id as "tenantId", name, kind, mail_to as "mailTo", url,
  destination_id as "destinationId", created_at as "createdAt"`;

export const listChannels = (db: Queries, tenantId: string): Promise<Channel[]> =>
  db.query<Row<Channel>>(
    `select ${channelColumns} from alerts.channels where tenant_id = $1 order by created_at, channel_id`,
    [tenantId],
  );

export async function findChannel(
  db: Queries,
  tenantId: string,
  channelId: string,
): Promise<Channel | undefined> {
  const [row] = await db.query<Row<Channel>>(
    `select ${channelColumns} from alerts.channels where tenant_id = $1 and channel_id = $2`,
    [tenantId, channelId],
  );
  return row;
}

export async function insertChannel(tx: Queries, channel: Channel): Promise<void> {
  const { channelId, tenantId, name, kind, mailTo, url, destinationId, createdAt } = channel;
  await tx.query(
    `insert into alerts.channels (channel_id, tenant_id, name, kind, mail_to, url, destination_id, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [channelId, tenantId, name, kind, mailTo, url, destinationId, createdAt],
  );
}

/** Whether it was there. */
export async function deleteChannel(db: Queries, tenantId: string, channelId: string): Promise<boolean> {
  const rows = await db.query(
    'delete from alerts.channels where tenant_id = $1 and channel_id = $2 returning 1 as gone',
    [tenantId, channelId],
  );
  return rows.length > 0;
}
