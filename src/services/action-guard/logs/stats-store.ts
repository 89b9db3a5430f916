import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { LogFilter } from './store.ts';
import { segmentsOf } from './segments.ts';

export interface Counts {
  readonly evaluations: number;
  readonly allowed: number;
  /** Of those that were not allowed, the ones that a person's approval was missing for. */
  readonly held: number;
}

export interface CategoryCount {
  readonly kind: 'threat' | 'violation';
  readonly category: string;
  readonly count: number;
}

/** Start inclusive, end exclusive. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

const instant = (ms: number): string =>
  Number.isFinite(ms) ? new Date(ms).toISOString() : ms < 0 ? '-infinity' : 'infinity';

/** A window as segments to be summed; single entries if counts do not support the filter. */
const segmentRows = (name: string, { fromMs, toMs }: Window, { sessionId }: LogFilter) =>
  (sessionId === undefined ? segmentsOf(fromMs, toMs) : segmentsOf(fromMs, toMs, 0)).map((segment) => ({
    name,
    level: segment.level,
    from: instant(segment.fromMs),
    to: instant(segment.toMs),
  }));

const segments = `json_to_recordset($1::json) as w (name text, level smallint, "from" timestamptz, "to" timestamptz)`;

interface Scope {
  params: unknown[];
  /** Conditions on the alias, valid for all tables here. */
  where: (alias: string) => string;
  /** The same, with the session. */
  whereSession: (alias: string) => string;
}

/** The filter without its time range; parameters from `$2` on. */
function scopeOf({ tenantId, userId, gatewayIds, sessionId }: LogFilter, first: unknown): Scope {
  const params = [first, tenantId];
  const columns = ['tenant_id = $2'];
  if (userId !== undefined) columns.push(`user_id = $${params.push(userId)}`);
  if (gatewayIds !== undefined) columns.push(`gateway_id = any($${params.push(gatewayIds)}::text[])`);
  const session = sessionId === undefined ? [] : [`session_id = $${params.push(sessionId)}`];
  const on = (alias: string, all: readonly string[]) => all.map((each) => `${alias}.${each}`).join(' and ');
  return {
    params,
    where: (alias) => on(alias, columns),
    whereSession: (alias) => on(alias, [...columns, ...session]),
  };
}

/** The number of entries in each window. */
export async function countEntries(
  db: Queries,
  filter: LogFilter,
  windows: Readonly<Record<string, Window>>,
): Promise<Map<string, Counts>> {
  const rows = Object.entries(windows).flatMap(([name, window]) => segmentRows(name, window, filter));
  const { params, where, whereSession } = scopeOf(filter, json(rows));
  const found = await db.query<Counts & { name: string } & Record<string, unknown>>(
    `select w.name, coalesce(sum(x.evaluations), 0)::bigint as evaluations, coalesce(sum(x.allowed), 0)::bigint as allowed,
        coalesce(sum(x.held), 0)::bigint as held
      from ${segments} cross join lateral (
        select sum(c.evaluations) as evaluations, sum(c.allowed) as allowed, sum(c.held) as held from action_guard.log_counts c
          where w.level > 0 and c.level = w.level and c.bucket >= w."from" and c.bucket < w."to" and ${where('c')}
        union all
        select count(*), count(*) filter (where l.allowed), count(*) filter (where l.held) from action_guard.logs l
          where w.level = 0 and l.at >= w."from" and l.at < w."to" and ${whereSession('l')}) as x
      group by w.name`,
    params,
  );
  return new Map(found.map(({ name, ...counts }) => [name, counts]));
}

export interface HourCounts extends Counts {
  /** Start of the hour. */
  readonly hour: Date;
  /** Null if some durations were not stored. */
  readonly latencyMsSum: number | null;
}

/** Counts per hour from the given hour on; hours without entries are omitted. */
export async function countHours(db: Queries, filter: LogFilter, from: Date): Promise<HourCounts[]> {
  const { params, where } = scopeOf(filter, from);
  return db.query<HourCounts & Record<string, unknown>>(
    `select c.bucket as hour, sum(c.evaluations)::bigint as evaluations, sum(c.allowed)::bigint as allowed,
        sum(c.held)::bigint as held,
        case when bool_and(c.latency_ms_sum is not null) then sum(c.latency_ms_sum) end as "latencyMsSum"
      from action_guard.log_counts c
      where c.level = 2 and c.evaluations > 0 and c.bucket >= $1 and ${where('c')} group by 1`,
    params,
  );
}

/** Threat categories by blocked entry, categories of violated policies by violation. */
export async function countCategories(
  db: Queries,
  filter: LogFilter,
  window: Window,
): Promise<CategoryCount[]> {
  const { params, where, whereSession } = scopeOf(filter, json(segmentRows('all', window, filter)));
  const raw = `w.level = 0 and not l.allowed and l.at >= w."from" and l.at < w."to" and ${whereSession('l')}`;
  return db.query<CategoryCount & Record<string, unknown>>(
    `select x.kind, x.category, sum(x.count)::bigint as count from ${segments} cross join lateral (
        select c.kind, c.category, sum(c.count) as count from action_guard.log_category_counts c
          where w.level > 0 and c.level = w.level and c.bucket >= w."from" and c.bucket < w."to" and ${where('c')}
          group by 1, 2
        union all
        select 'threat', l.threat_category, count(*) from action_guard.logs l where ${raw} group by 2
        union all
        select 'violation', v.category, count(*) from action_guard.logs l, unnest(l.violation_categories) as v (category)
          where ${raw} group by 2) as x
      group by 1, 2 order by 3 desc, 2`,
    params,
  );
}

/** The number of sessions with an entry in the window. */
export async function countSessions(
  db: Queries,
  filter: LogFilter,
  { fromMs, toMs }: Window,
): Promise<number> {
  if (fromMs >= toMs) return 0;
  const { params, whereSession } = scopeOf(filter, 0);
  const from = fromMs === -Infinity ? undefined : `$${params.push(instant(fromMs))}::timestamptz`;
  const to = toMs === Infinity ? undefined : `$${params.push(instant(toMs))}::timestamptz`;
  const touching = [from && `s.last_at >= ${from}`, to && `s.first_at < ${to}`];
  // The session began before and ended after the window; only its entries show whether any is inside.
  const inside =
    from && to
      ? `(s.first_at >= ${from} or s.last_at < ${to} or exists (select from action_guard.logs l
          where l.tenant_id = s.tenant_id and l.session_id = s.session_id and l.user_id = s.user_id
            and l.gateway_id = s.gateway_id and l.at >= ${from} and l.at < ${to}))`
      : undefined;
  const where = [whereSession('s'), ...touching, inside].filter((each) => each !== undefined).join(' and ');
  const [row] = await db.query<{ sessions: number }>(
    // $1 is used by the other queries; it is mentioned so that it has a type.
    `select count(*) as sessions from (select distinct s.user_id, s.session_id from action_guard.log_sessions s
      where $1::int = 0 and ${where}) as d`,
    params,
  );
  return row?.sessions ?? 0;
}
