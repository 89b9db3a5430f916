import type { Database, Queries } from '#base/db/database.ts';
import type { Dimension } from '#engine/shadow-ai/telemetry.ts';
import { deleteCountsBefore } from './connection-counts.ts';
import { codeOf, type EventBlock, packEvents, placeOf, unpackEvents } from './event-block.ts';
import { addBlocks, blockColumns, overlaps } from './event-store.ts';
import { dayTablesBefore } from './partitions.ts';

const dayMs = 86_400_000;

/** Retention deletes days as a whole. */
export const startOfDay = (moment: Date): Date => new Date(Math.floor(moment.getTime() / dayMs) * dayMs);

/**
 * Deletes the oldest day of telemetry that is over before the moment; where there is none, about `limit` of the oldest
 * blocks of events before it, which is what is left of days that are not over, or too old for a table of their own. Answers `limit`
 * where there may be more, else less.
 *
 * What is deleted is counted in its detections first, in the same transaction, while nothing comes in.
 */
export async function deleteTelemetryBefore(db: Database, moment: Date, limit: number): Promise<number> {
  const [day] = await dayTablesBefore(db, moment);
  if (day !== undefined) {
    const boundary = new Date(day.startMs + dayMs);
    await deleteAt(db, boundary, (tx) =>
      tx.script(`drop table if exists ${day.names.map((name) => `shadow_ai.${name}`).join(', ')}`),
    );
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
    await tx.script('lock table shadow_ai.event_blocks in share row exclusive mode');
    await keepCounts(tx, boundary);
    await drop(tx);
    await cutBlocks(tx, boundary);
    await tx.query('delete from shadow_ai.event_blocks where first_at < $1', [boundary]);
    await tx.query('delete from shadow_ai.connections where at < $1', [boundary]);
    await deleteCountsBefore(tx, boundary);
    await tx.query('delete from shadow_ai.device_days where day_at < $1 and last_at < $1', [boundary]);
  });
}

const cutAtATime = 200;

/** Leaves of blocks that begin before the boundary what comes after it. At midnight there are none. */
async function cutBlocks(tx: Queries, boundary: Date): Promise<void> {
  for (;;) {
    const blocks = await tx.query<EventBlock & { readonly tenantId: string } & Record<string, unknown>>(
      `select b.tenant_id as "tenantId", ${blockColumns} from shadow_ai.event_blocks b
       where b.first_at < $1 and b.last_at >= $1 limit $2`,
      [boundary, cutAtATime],
    );
    await tx.query(
      `delete from shadow_ai.event_blocks b
       using unnest($1::uuid[], $2::timestamptz[], $3::uuid[]) as w (process_id, first_at, id)
       where b.process_id = w.process_id and b.first_at = w.first_at and b.id = w.id`,
      [
        blocks.map(({ processId }) => processId),
        blocks.map(({ firstAt }) => firstAt),
        blocks.map(({ id }) => id),
      ],
    );
    for (const [tenantId, own] of Map.groupBy(blocks, (block) => block.tenantId)) {
      const left = own.flatMap((block) => unpackEvents(block).filter(({ at }) => at >= boundary));
      await addBlocks(tx, tenantId, packEvents(left));
    }
    if (blocks.length < cutAtATime) return;
  }
}

interface Step {
  readonly boundary: Date;
  readonly more: boolean;
}

/** Up to where the next events are deleted: all before the moment, or so many of the oldest blocks. */
async function nextStep(db: Queries, moment: Date, limit: number): Promise<Step | undefined> {
  const [oldest] = await db.query<{ at: Date }>(
    'select first_at as at from shadow_ai.event_blocks where first_at < $1 order by first_at limit 1',
    [moment],
  );
  if (oldest === undefined) return undefined;
  const [next] = await db.query<{ at: Date }>(
    'select first_at as at from shadow_ai.event_blocks where first_at < $1 order by first_at offset $2 limit 1',
    [moment, limit],
  );
  if (next === undefined) return { boundary: moment, more: false };
  // Many events of one moment go together.
  const boundary = new Date(Math.max(next.at.getTime(), oldest.at.getTime() + 1));
  return { boundary, more: true };
}

/** Each event of the blocks `b` that a detection `due` may have. */
const eventsOfDue = `shadow_ai.processes p
  join shadow_ai.event_blocks b on b.process_id = p.id and b.first_at < $1
    and ${overlaps('due.started_at', 'due.ended_at')}
  cross join lateral (
    select (x ->> ${placeOf.dimension})::int as dimension,
      b.first_at + (x ->> ${placeOf.afterMs})::int * interval '1 millisecond' as at,
      x ->> ${placeOf.fileRule} as file_rule, x ->> ${placeOf.providerId} as provider_id
    from json_array_elements(b.events) as x) t`;
const inDue = 't.at >= due.started_at and t.at <= due.ended_at and t.at < $1';

/** Notes in each detection how many of its events lie before the boundary; see `joinKept` for how the counts are used. */
async function keepCounts(tx: Queries, boundary: Date): Promise<void> {
  const of = (dimension: Dimension) => `
    count(*) filter (where e.dimension = ${codeOf[dimension]} and not e.early) as ${dimension}_late,
    count(*) filter (where e.dimension = ${codeOf[dimension]} and e.early) as ${dimension}_early`;
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
         from ${eventsOfDue}
         where p.owner_id = due.root_id and p.owner_rule = due.rule_id and ${inDue}
         union all
         select t.dimension, due.gone_before is not null and t.at < due.gone_before
         from ${eventsOfDue}
         where p.id = due.root_id and p.owner_id is null
           and (t.dimension = ${codeOf.process}
             or case t.dimension when ${codeOf.file} then t.file_rule else t.provider_id end = due.rule_id)
           and ${inDue}) e on true
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
    await tx.script('lock table shadow_ai.event_blocks in share row exclusive mode');
    await tx.query(
      `delete from shadow_ai.processes p where last_seen_at < $1 and owner_id is null
         and not exists (select 1 from shadow_ai.event_blocks b where b.process_id = p.id)
         and not exists (select 1 from shadow_ai.detections d where d.root_id = p.id)`,
      [moment],
    );
  });
}
