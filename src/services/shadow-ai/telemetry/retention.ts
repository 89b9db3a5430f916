import type { Database, Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';

interface Step {
  readonly boundary: Date;
  readonly more: boolean;
}

/**
 * Deletes about `limit` of the oldest events before the moment; answers `limit` where more are left, else less. What they
 * count in detections is noted first, in the same transaction, while their devices are held as ingestion holds them.
 */
export async function deleteTelemetryBefore(db: Database, moment: Date, limit: number): Promise<number> {
  const step = await nextStep(db, moment, limit);
  if (step === undefined) return 0;
  await db.transaction(async (tx) => {
    const held = await tx.query(
      `select v.tenant_id, v.device_uid from shadow_ai.devices v join (
         select distinct tenant_id, device_uid from shadow_ai.telemetry where at < $1) t
         on t.tenant_id = v.tenant_id and t.device_uid = v.device_uid
       order by v.tenant_id, v.device_uid for update of v`,
      [step.boundary],
    );
    await keepCounts(tx, step.boundary);
    // Of these devices alone: another's events may have come since.
    await tx.query(
      `delete from shadow_ai.telemetry t using json_to_recordset($2::json) as h (tenant_id uuid, device_uid text)
       where t.at < $1 and t.tenant_id = h.tenant_id and t.device_uid = h.device_uid`,
      [step.boundary, json(held)],
    );
  });
  return step.more ? limit : 0;
}

/** Up to where the next events are deleted: all before the moment, or so many of the oldest. */
async function nextStep(db: Queries, moment: Date, limit: number): Promise<Step | undefined> {
  const [oldest] = await db.query<{ at: Date }>(
    'select at from shadow_ai.telemetry where at < $1 order by at limit 1',
    [moment],
  );
  if (oldest === undefined) return undefined;
  const [next] = await db.query<{ at: Date }>(
    'select at from shadow_ai.telemetry where at < $1 order by at offset $2 limit 1',
    [moment, limit],
  );
  if (next === undefined) return { boundary: moment, more: false };
  // Many events of one moment go together.
  const boundary = new Date(Math.max(next.at.getTime(), oldest.at.getTime() + 1));
  return { boundary, more: true };
}

/** Notes in each detection how many of its events lie before the boundary; see `joinKept` for how the counts are used. */
async function keepCounts(tx: Queries, boundary: Date): Promise<void> {
  const of = (dimension: string) => `
    count(*) filter (where e.dimension = '${dimension}' and not e.early) as ${dimension}_late,
    count(*) filter (where e.dimension = '${dimension}' and e.early) as ${dimension}_early`;
  const kept = (dimension: string, column: string) =>
    `${column} = greatest(d.${column}, c.${dimension}_early) + c.${dimension}_late`;
  await tx.query(
    `with due as (
       select * from shadow_ai.detections
       where started_at < $1 and (gone_before is null or gone_before <= ended_at and gone_before < $1)),
     counted as (
       select due.id, ${of('process')}, ${of('network')}, ${of('file')}
       from due left join lateral (
         select t.dimension, due.gone_before is not null and t.at < due.gone_before as early
         from shadow_ai.processes p
         join shadow_ai.telemetry t
           on t.tenant_id = p.tenant_id and t.device_uid = p.device_uid and t.process_uid = p.process_uid
         where p.tenant_id = due.tenant_id and p.device_uid = due.device_uid
           and p.owner_uid = due.root_uid and p.owner_rule = due.rule_id
           and t.at >= due.started_at and t.at <= due.ended_at and t.at < $1
         union all
         select t.dimension, due.gone_before is not null and t.at < due.gone_before
         from shadow_ai.processes p
         join shadow_ai.telemetry t
           on t.tenant_id = p.tenant_id and t.device_uid = p.device_uid and t.process_uid = p.process_uid
         where p.tenant_id = due.tenant_id and p.device_uid = due.device_uid
           and p.process_uid = due.root_uid and p.owner_uid is null
           and (t.provider_id = due.rule_id or t.file_rule = due.rule_id or t.dimension = 'process')
           and t.at >= due.started_at and t.at <= due.ended_at and t.at < $1) e on true
       group by due.id)
     update shadow_ai.detections d set gone_before = $1,
       ${kept('process', 'gone_process_count')}, ${kept('network', 'gone_network_count')}, ${kept('file', 'gone_file_count')}
     from counted c where c.id = d.id`,
    [boundary],
  );
}

/**
 * Processes of which nothing was heard since and no event is left. Those of detections stay with them: what comes late
 * still finds the session that it belongs to.
 */
export async function deleteProcessesBefore(db: Queries, moment: Date): Promise<void> {
  await db.query(
    `delete from shadow_ai.processes p where last_seen_at < $1 and owner_uid is null and not exists (
       select 1 from shadow_ai.telemetry t
       where t.tenant_id = p.tenant_id and t.device_uid = p.device_uid and t.process_uid = p.process_uid)
     and not exists (
       select 1 from shadow_ai.detections d
       where d.tenant_id = p.tenant_id and d.device_uid = p.device_uid and d.root_uid = p.process_uid)`,
    [moment],
  );
}
