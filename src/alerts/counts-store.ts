/** What happened in each minute, and of what. */
import type { Database, Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import { measures, type Source } from './contract/measures.ts';
import type { Rule, WindowCounts } from './rule.ts';

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

export interface Subject {
  readonly source: Source;
  readonly subject: string;
  readonly name: string;
}

export async function isCounted(
  db: Queries,
  { tenantId, source, subject }: { tenantId: string; source: Source; subject: string },
): Promise<boolean> {
  const rows = await db.query(
    'select 1 as found from alerts.subjects where tenant_id = $1 and source = $2 and subject = $3',
    [tenantId, source, subject],
  );
  return rows.length > 0;
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
