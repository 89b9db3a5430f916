import type { Queries } from '#base/db/database.ts';

type Row<T> = T & Record<string, unknown>;

export interface Channel {
  readonly channelId: string;
  readonly tenantId: string;
  /** The rule whose target it is; null for a channel of the tenant. */
  readonly ruleId: string | null;
  readonly name: string;
  readonly kind: 'mail' | 'webhook' | 'slack';
  readonly mailTo: readonly string[];
  readonly url: string | null;
  readonly destinationId: string | null;
  readonly createdAt: Date;
}

const channelColumns = `channel_id as "channelId", tenant_id as "tenantId", rule_id as "ruleId", name, kind,
  mail_to as "mailTo", url, destination_id as "destinationId", created_at as "createdAt"`;

/** Those of the tenant, without targets of rules. */
export const listChannels = (db: Queries, tenantId: string): Promise<Channel[]> =>
  db.query<Row<Channel>>(
    `select ${channelColumns} from alerts.channels where tenant_id = $1 and rule_id is null
      order by created_at, channel_id`,
    [tenantId],
  );

/** The targets of rules. */
export const listTargets = (db: Queries, ruleIds: readonly string[]): Promise<Channel[]> =>
  db.query<Row<Channel>>(
    `select ${channelColumns} from alerts.channels where rule_id = any($1::uuid[]) and left_at is null
      order by created_at, channel_id`,
    [ruleIds],
  );

/** Who is told of a rule: its targets, or all channels of the tenant where it has none. */
export async function listTold(tx: Queries, tenantId: string, ruleId: string): Promise<Channel[]> {
  const targets = await listTargets(tx, [ruleId]);
  return targets.length > 0 ? targets : listChannels(tx, tenantId);
}

/** A channel of the tenant, or a target of one of its rules. */
export async function findChannel(
  db: Queries,
  tenantId: string,
  channelId: string,
): Promise<Channel | undefined> {
  const [row] = await db.query<Row<Channel>>(
    `select ${channelColumns} from alerts.channels
      where tenant_id = $1 and channel_id = $2 and left_at is null`,
    [tenantId, channelId],
  );
  return row;
}

export async function insertChannel(tx: Queries, channel: Channel): Promise<void> {
  const { channelId, tenantId, ruleId, name, kind, mailTo, url, destinationId, createdAt } = channel;
  await tx.query(
    `insert into alerts.channels (channel_id, tenant_id, rule_id, name, kind, mail_to, url, destination_id, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [channelId, tenantId, ruleId, name, kind, mailTo, url, destinationId, createdAt],
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

/** Targets that are none any more; see {@link listLeft}. */
export const leaveTargets = (tx: Queries, channelIds: readonly string[], at: Date) =>
  tx.query('update alerts.channels set left_at = $2 where channel_id = any($1::uuid[])', [channelIds, at]);

/** Some that were targets of rules and are none any more. */
export const listLeft = (db: Queries, limit: number): Promise<Channel[]> =>
  db.query<Row<Channel>>(
    `select ${channelColumns} from alerts.channels where left_at is not null order by left_at limit $1`,
    [limit],
  );
