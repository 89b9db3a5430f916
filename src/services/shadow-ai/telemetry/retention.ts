import type { Database, Queries } from '#base/db/database.ts';
import { deleteCountsBefore } from './connection-counts.ts';
import { dayTablesBefore } from './partitions.ts';

const dayMs = 86_400_000;

/** Retention deletes days as a whole. */
export const startOfDay = (moment: Date): Date => new Date(Math.floor(moment.getTime() / dayMs) * dayMs);

/**
 * Deletes the oldest day of telemetry that is over before the moment; where there is none, about `limit` of the oldest
 * events before it, which is what is left of days that are not over, or too old for a table of their own. Answers `limit`
 * where there may be more, else less.
 *
 * What is deleted is counted in its detections first, in the same transaction, while nothing comes in.
 */
export async function deleteTelemetryBefore(db: Database, moment: Date, limit: number): Promise<number> {
  const [day] = await dayTablesBefore(db, moment);
  if (day !== undefined) {
    const boundary = new Date(day.startMs + dayMs);
    await deleteAt(db, boundary, (tx) => tx.script(`drop table if exists shadow_ai.${day.name}`));
    return limit;
  }
  const step = await nextStep(db, moment, limit);
  if (step === undefined) return 0;
  await deleteAt(db, step.boundary);
  return step.more ? limit : 0;
}

/** @param drop what is left before the boundary when it has run is deleted one by one */
async function deleteAt(
  db: Database,
  boundary: Date,
  drop: (tx: Queries) => Promise<unknown> = async () => {},
): Promise<void> {
  await db.transaction(async (tx) => {
    // A day can be large, and another process may be taking events in: the timeout is meant for requests.
    await tx.query('set local statement_timeout = 0');
    await tx.script('lock table shadow_ai.telemetry in share row exclusive mode');
    await keepCounts(tx, boundary);
    await drop(tx);
    await tx.query('delete from shadow_ai.telemetry where at < $1', [boundary]);
    await deleteCountsBefore(tx, boundary);
  });
}

interface Step {
  readonly boundary: Date;
  readonly more: boolean;
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
         join shadow_ai.telemetry t on t.process_id = p.id
         where p.owner_id = due.root_id and p.owner_rule = due.rule_id
           and t.at >= due.started_at and t.at <= due.ended_at and t.at < $1
         union all
         select t.dimension, due.gone_before is not null and t.at < due.gone_before
         from shadow_ai.processes p
         join shadow_ai.telemetry t on t.process_id = p.id
         where p.id = due.root_id and p.owner_id is null
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
export async function deleteProcessesBefore(db: Database, moment: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('set local statement_timeout = 0');
    // No event comes in between the look whether there is one and the deletion.
    await tx.script('lock table shadow_ai.telemetry in share row exclusive mode');
    await tx.query(
      `delete from shadow_ai.processes p where last_seen_at < $1 and owner_id is null
         and not exists (select 1 from shadow_ai.telemetry t where t.process_id = p.id)
         and not exists (select 1 from shadow_ai.detections d where d.root_id = p.id)`,
      [moment],
    );
  });
}
