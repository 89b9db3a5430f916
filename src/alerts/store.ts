import type { Database, Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import { measures, type Source } from './contract/measures.ts';
import type { Incident, Resolution, Rule, RuleContent, WindowCounts } from './rule.ts';

type Row<T> = T & Record<string, unknown>;

export interface MinuteCount {
  readonly tenantId: string;
  readonly source: Source;
  readonly subject: string;
  readonly subjectName: string;
  readonly minute: Date;
  total: number;
  stopped: number;
  failed: number;
}

/** Adds to what was counted, also by other processes. Sorted, so that two of them cannot wait for each other. */
export async function addCounts(db: Database, counts: readonly MinuteCount[]): Promise<void> {
  const rows = `json_to_recordset($1::json) as c ("tenantId" text, source text, subject text, "subjectName" text,
    minute timestamptz, total bigint, stopped bigint, failed bigint)`;
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into alerts.counts as known (tenant_id, source, subject, minute, total, stopped, failed)
        select "tenantId", source, subject, minute, total, stopped, failed from ${rows} order by 1, 2, 3, 4
        on conflict (tenant_id, source, subject, minute) do update set total = known.total + excluded.total,
          stopped = known.stopped + excluded.stopped, failed = known.failed + excluded.failed`,
      [json(counts)],
    );
    await tx.query(
      `insert into alerts.subjects as known (tenant_id, source, subject, name, seen_at)
        select distinct on ("tenantId", source, subject) "tenantId", source, subject, "subjectName", minute
          from ${rows} order by "tenantId", source, subject, minute desc
        on conflict (tenant_id, source, subject) do update set name = excluded.name, seen_at = excluded.seen_at
          where known.name <> excluded.name or known.seen_at < excluded.seen_at - interval '1 hour'`,
      [json(counts)],
    );
  });
}

export async function deleteCountsBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from alerts.counts where ctid = any(array(
        select ctid from alerts.counts where minute < $1 order by minute limit $2)) returning 1 as gone`,
    [moment, limit],
  );
  return rows.length;
}

export async function deleteSubjectsBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from alerts.subjects where ctid = any(array(
        select ctid from alerts.subjects where seen_at < $1 order by seen_at limit $2)) returning 1 as gone`,
    [moment, limit],
  );
  return rows.length;
}

export async function deleteIncidentsBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from alerts.incidents where incident_id in (
        select incident_id from alerts.incidents where resolved_at < $1 order by resolved_at limit $2)
      returning 1 as gone`,
    [moment, limit],
  );
  return rows.length;
}

export interface Subject {
  readonly source: Source;
  readonly subject: string;
  readonly name: string;
}

/** The newest of each source, by name. */
export const listSubjects = (db: Queries, tenantId: string, most: number): Promise<Subject[]> =>
  db.query<Row<Subject>>(
    `select source, subject, name from (
        select *, row_number() over (partition by source order by seen_at desc) as at from alerts.subjects
        where tenant_id = $1) as s
      where at <= $2 order by source, name, subject`,
    [tenantId, most],
  );

const sourcesByMeasure = `(values ${Object.entries(measures)
  .map(([name, { source }]) => `('${name}', '${source}')`)
  .join(', ')}) as m (measure, source)`;
const subjectName = (of: string) => `(select s.name from ${sourcesByMeasure}
    join alerts.subjects s on s.source = m.source
    where m.measure = ${of}.measure and s.tenant_id = ${of}.tenant_id and s.subject = ${of}.subject) as "subjectName"`;

const ruleColumns = `r.rule_id as "ruleId", r.tenant_id as "tenantId", r.name, r.measure, r.subject,
  r.window_minutes as "windowMinutes", r.threshold, r.min_count as "minCount", r.enabled,
  r.muted_until as "mutedUntil", r.created_at as "createdAt", r.value, r.counted,
  r.evaluated_at as "evaluatedAt", ${subjectName('r')}`;

const incidentColumns = `i.incident_id as "incidentId", i.tenant_id as "tenantId", i.rule_id as "ruleId",
  i.rule_name as "ruleName", i.measure, i.subject, i.window_minutes as "windowMinutes", i.threshold, i.value,
  i.peak, i.started_at as "startedAt", i.resolved_at as "resolvedAt", i.resolution, i.told_at as "toldAt",
  ${subjectName('i')}`;

export const listRules = (db: Queries, tenantId: string): Promise<Rule[]> =>
  db.query<Row<Rule>>(
    `select ${ruleColumns} from alerts.rules r where r.tenant_id = $1 order by r.created_at, r.rule_id`,
    [tenantId],
  );

/** @param lock until the transaction ends */
export async function findRule(
  db: Queries,
  tenantId: string,
  ruleId: string,
  lock = false,
): Promise<Rule | undefined> {
  const [row] = await db.query<Row<Rule>>(
    `select ${ruleColumns} from alerts.rules r where r.tenant_id = $1 and r.rule_id = $2
      ${lock ? 'for update of r' : ''}`,
    [tenantId, ruleId],
  );
  return row;
}

/** Makes others who create something in the tenant wait, so that limits hold. */
export const lockTenant = (tx: Queries, tenantId: string) =>
  tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`alerts ${tenantId}`]);

export async function countOf(tx: Queries, table: 'rules' | 'channels', tenantId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from alerts.${table} where tenant_id = $1`,
    [tenantId],
  );
  return row?.count ?? 0;
}

export interface NewRule extends RuleContent {
  readonly ruleId: string;
  readonly tenantId: string;
  readonly createdAt: Date;
}

export async function insertRule(tx: Queries, rule: NewRule): Promise<void> {
  const { ruleId, tenantId, name, measure, subject, windowMinutes, threshold, minCount, enabled, createdAt } =
    rule;
  await tx.query(
    `insert into alerts.rules (rule_id, tenant_id, name, measure, subject, window_minutes, threshold, min_count,
        enabled, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [ruleId, tenantId, name, measure, subject, windowMinutes, threshold, minCount, enabled, createdAt],
  );
}

/** What was evaluated before the change says nothing any more. */
export async function updateRule(tx: Queries, ruleId: string, content: RuleContent): Promise<void> {
  const { name, measure, subject, windowMinutes, threshold, minCount, enabled } = content;
  await tx.query(
    `update alerts.rules set name = $2, measure = $3, subject = $4, window_minutes = $5, threshold = $6,
        min_count = $7, enabled = $8, value = null, counted = 0, evaluated_at = null where rule_id = $1`,
    [ruleId, name, measure, subject, windowMinutes, threshold, minCount, enabled],
  );
}

export const setMuted = (tx: Queries, ruleId: string, until: Date | null) =>
  tx.query('update alerts.rules set muted_until = $2 where rule_id = $1', [ruleId, until]);

export const deleteRule = (tx: Queries, ruleId: string) =>
  tx.query('delete from alerts.rules where rule_id = $1', [ruleId]);

/** Tenants with something to evaluate. */
export const listTenants = async (db: Queries): Promise<string[]> =>
  (
    await db.query<{ tenantId: string }>(
      'select distinct tenant_id as "tenantId" from alerts.rules where enabled',
    )
  ).map(({ tenantId }) => tenantId);

/** The rules that are on, without those that another process has at hand. */
export const lockEnabledRules = (tx: Queries, tenantId: string): Promise<Rule[]> =>
  tx.query<Row<Rule>>(
    `select ${ruleColumns} from alerts.rules r where r.tenant_id = $1 and r.enabled
      order by r.rule_id for update of r skip locked`,
    [tenantId],
  );

/** What was counted in each rule's window, by the rule's id. */
export async function sumWindows(
  tx: Queries,
  tenantId: string,
  rules: readonly Rule[],
  nowMs: number,
): Promise<Map<string, WindowCounts>> {
  const windows = rules.map(({ ruleId, measure, subject, windowMinutes }) => ({
    ruleId,
    source: measures[measure].source,
    subject,
    since: new Date(nowMs - windowMinutes * 60_000),
  }));
  const rows = await tx.query<Row<WindowCounts & { ruleId: string }>>(
    `select w."ruleId", coalesce(sum(c.total), 0)::bigint as total, coalesce(sum(c.stopped), 0)::bigint as stopped,
        coalesce(sum(c.failed), 0)::bigint as failed
      from json_to_recordset($2::json) as w ("ruleId" uuid, source text, subject text, since timestamptz)
      left join alerts.counts c on c.tenant_id = $1 and c.source = w.source
        and (w.subject is null or c.subject = w.subject) and c.minute > w.since
      group by w."ruleId"`,
    [tenantId, json(windows)],
  );
  return new Map(rows.map((row) => [row.ruleId, row]));
}

export const saveValue = (
  tx: Queries,
  ruleId: string,
  { value, counted, at }: { value: number | null; counted: number; at: Date },
) =>
  tx.query('update alerts.rules set value = $2, counted = $3, evaluated_at = $4 where rule_id = $1', [
    ruleId,
    value,
    counted,
    at,
  ]);

/** What fires, of some rules. */
export async function listOpenIncidents(tx: Queries, ruleIds: readonly string[]): Promise<Incident[]> {
  return tx.query<Row<Incident>>(
    `select ${incidentColumns} from alerts.incidents i where i.rule_id = any($1::uuid[]) and i.resolved_at is null`,
    [ruleIds],
  );
}

export async function insertIncident(tx: Queries, incident: Incident): Promise<void> {
  const { incidentId, tenantId, ruleId, ruleName, measure, subject, windowMinutes, threshold, value } =
    incident;
  await tx.query(
    `insert into alerts.incidents (incident_id, tenant_id, rule_id, rule_name, measure, subject, window_minutes,
        threshold, value, peak, started_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
    [
      incidentId,
      tenantId,
      ruleId,
      ruleName,
      measure,
      subject,
      windowMinutes,
      threshold,
      value,
      incident.startedAt,
    ],
  );
}

export const updateIncident = (tx: Queries, incidentId: string, value: number) =>
  tx.query('update alerts.incidents set value = $2, peak = greatest(peak, $2) where incident_id = $1', [
    incidentId,
    value,
  ]);

export const resolveIncident = (
  tx: Queries,
  incidentId: string,
  { resolution, value, at }: { resolution: Resolution; value: number; at: Date },
) =>
  tx.query(
    'update alerts.incidents set resolved_at = $2, resolution = $3, value = $4 where incident_id = $1',
    [incidentId, at, resolution, value],
  );

export const setTold = (tx: Queries, incidentId: string, at: Date) =>
  tx.query('update alerts.incidents set told_at = $2 where incident_id = $1', [incidentId, at]);

export interface ListedIncident extends Incident {
  readonly mutedUntil: Date | null;
}

/** Newest first, with how many there are in all. */
export async function listIncidents(
  db: Queries,
  tenantId: string,
  { firing, limit, offset }: { firing: boolean; limit: number; offset: number },
): Promise<{ incidents: ListedIncident[]; total: number }> {
  const which = `i.tenant_id = $1 ${firing ? 'and i.resolved_at is null' : ''}`;
  const [count] = await db.query<{ count: number }>(
    `select count(*) as count from alerts.incidents i where ${which}`,
    [tenantId],
  );
  const incidents = await db.query<Row<ListedIncident>>(
    `select ${incidentColumns}, r.muted_until as "mutedUntil" from alerts.incidents i
      left join alerts.rules r on r.rule_id = i.rule_id
      where ${which} order by i.started_at desc, i.incident_id desc limit $2 offset $3`,
    [tenantId, limit, offset],
  );
  return { incidents, total: count?.count ?? 0 };
}

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
