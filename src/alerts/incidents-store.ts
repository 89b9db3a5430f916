import type { Queries } from '#base/db/database.ts';
import type { Incident, Resolution } from './rule.ts';
import { subjectName } from './subject-name.ts';

type Row<T> = T & Record<string, unknown>;

const incidentColumns = `i.incident_id as "incidentId", i.tenant_id as "tenantId", i.rule_id as "ruleId",
  i.rule_name as "ruleName", i.measure, i.subject, i.window_minutes as "windowMinutes", i.threshold, i.value,
  i.peak, i.started_at as "startedAt", i.resolved_at as "resolvedAt", i.resolution, i.told_at as "toldAt",
  ${subjectName('i')}`;

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

export async function deleteIncidentsBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from alerts.incidents where incident_id in (
        select incident_id from alerts.incidents where resolved_at < $1 order by resolved_at limit $2)
      returning 1 as gone`,
    [moment, limit],
  );
  return rows.length;
}
