import type { Queries } from '#base/db/database.ts';

export interface NoticeSettings {
  readonly tenantId: string;
  readonly newTools: boolean;
  readonly minSeverity: string | null;
  readonly mailTo: readonly string[];
  readonly webhookId: string | null;
  readonly webhookUrl: string | null;
  readonly since: Date;
}

const columns = `tenant_id as "tenantId", new_tools as "newTools", min_severity as "minSeverity", mail_to as "mailTo",
  webhook_id as "webhookId", webhook_url as "webhookUrl", since`;

export async function findSettings(db: Queries, tenantId: string): Promise<NoticeSettings | undefined> {
  const [row] = await db.query<NoticeSettings & Record<string, unknown>>(
    `select ${columns} from shadow_ai.notice_settings where tenant_id = $1`,
    [tenantId],
  );
  return row;
}

/** Undefined while another process tells the tenant. */
export async function lockSettings(tx: Queries, tenantId: string): Promise<NoticeSettings | undefined> {
  const [row] = await tx.query<NoticeSettings & Record<string, unknown>>(
    `select ${columns} from shadow_ai.notice_settings where tenant_id = $1 for update skip locked`,
    [tenantId],
  );
  return row;
}

export const listTenants = async (db: Queries): Promise<string[]> =>
  (
    await db.query<{ tenantId: string }>(
      `select tenant_id as "tenantId" from shadow_ai.notice_settings
        where (new_tools or min_severity is not null) and (mail_to <> '{}' or webhook_id is not null)`,
    )
  ).map(({ tenantId }) => tenantId);

export async function writeSettings(db: Queries, settings: NoticeSettings): Promise<void> {
  await db.query(
    `insert into shadow_ai.notice_settings (tenant_id, new_tools, min_severity, mail_to, webhook_id, webhook_url, since)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (tenant_id) do update set new_tools = excluded.new_tools, min_severity = excluded.min_severity,
        mail_to = excluded.mail_to, webhook_id = excluded.webhook_id, webhook_url = excluded.webhook_url,
        since = excluded.since`,
    [
      settings.tenantId,
      settings.newTools,
      settings.minSeverity,
      settings.mailTo,
      settings.webhookId,
      settings.webhookUrl,
      settings.since,
    ],
  );
}

export interface FoundDetection {
  readonly id: number;
  readonly ruleId: string;
  readonly deviceUid: string;
  readonly deviceName: string | null;
  readonly accountName: string | null;
  readonly startedAt: Date;
  readonly tags: readonly string[];
}

/**
 * Detections made since then, the oldest first, that have not been told: neither themselves nor as the first of their
 * tool.
 */
export const listUntold = (
  tx: Queries,
  { tenantId, since, limit }: { tenantId: string; since: Date; limit: number },
): Promise<FoundDetection[]> =>
  tx.query<FoundDetection & Record<string, unknown>>(
    `select d.id, d.rule_id as "ruleId", d.device_uid as "deviceUid", v.name as "deviceName",
        d.account_name as "accountName", d.started_at as "startedAt", d.activity_tags as tags
      from shadow_ai.detections d
      left join shadow_ai.devices v on v.tenant_id = d.tenant_id and v.device_uid = d.device_uid
      where d.tenant_id = $1 and d.created_at >= $2
        and not exists (select 1 from shadow_ai.told t where t.tenant_id = $1 and t.key = 'detection:' || d.id)
      order by d.created_at, d.id limit $3`,
    [tenantId, since, limit],
  );

/** Rules with a detection from before that moment. */
export const listRulesBefore = async (
  tx: Queries,
  tenantId: string,
  ruleIds: readonly string[],
  before: Date,
): Promise<Set<string>> =>
  new Set(
    (
      await tx.query<{ ruleId: string }>(
        `select r as "ruleId" from unnest($2::text[]) as r where exists (select 1 from shadow_ai.detections d
          where d.tenant_id = $1 and d.rule_id = r and d.created_at < $3)`,
        [tenantId, ruleIds, before],
      )
    ).map(({ ruleId }) => ruleId),
  );

/** Marks these as told and returns those that were not yet. */
export const claim = async (
  tx: Queries,
  tenantId: string,
  keys: readonly string[],
  at: Date,
): Promise<Set<string>> =>
  new Set(
    (
      await tx.query<{ key: string }>(
        `insert into shadow_ai.told (tenant_id, key, at) select $1::uuid, k, $3::timestamptz from unnest($2::text[]) as k
          on conflict do nothing returning key`,
        [tenantId, keys, at],
      )
    ).map(({ key }) => key),
  );
