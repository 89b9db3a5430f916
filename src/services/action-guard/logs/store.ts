import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { NewLogEntry } from './log-entry.ts';

/**
 * Inserts entries and all derived counts in one statement, so that either all or none are written. Counts of a minute are
 * summed up to those of its hour and its day: going through the entries once for each would cost as much as writing them.
 */
const insertSql = `
with entry as materialized (
  select * from json_to_recordset($1::json) as e (
    "logId" uuid, "tenantId" uuid, "userId" uuid, at timestamptz, "sessionId" text, "gatewayId" text, "gatewayName" text,
    "policySetId" text, "toolName" text, "toolParams" text, "toolOutput" text, "serverName" text, allowed boolean,
    "violationsCount" int, "warningsCount" int, "threatCategory" text, "violationCategories" text[], "ruleIds" text[],
    "serviceStatus" text, "latencyMs" double precision, findings text, trace text)
), logged as (
  insert into action_guard.logs (log_id, tenant_id, user_id, at, session_id, gateway_id, policy_set_id, tool_name,
    tool_params, tool_output, server_name, allowed, violations_count, warnings_count, threat_category,
    violation_categories, rule_ids, service_status, latency_ms, gateway_name, findings, trace)
  select "logId", "tenantId", "userId", at, "sessionId", "gatewayId", "policySetId", "toolName",
    "toolParams", "toolOutput", "serverName", allowed, "violationsCount", "warningsCount", "threatCategory",
    "violationCategories", "ruleIds", "serviceStatus", "latencyMs", "gatewayName", findings, trace from entry
), levels (level, unit) as (
  values (1::smallint, 'minute'), (2::smallint, 'hour'), (3::smallint, 'day')
), minutes as materialized (
  select "tenantId", "userId", "gatewayId", date_trunc('minute', at, 'UTC') as minute, count(*) as evaluations,
    count(*) filter (where allowed) as allowed, sum("latencyMs") as "latencyMs"
  from entry group by 1, 2, 3, 4
), counted as (
  insert into action_guard.log_counts as known (tenant_id, level, bucket, user_id, gateway_id, evaluations, allowed,
    latency_ms_sum)
  select "tenantId", level, date_trunc(unit, minute, 'UTC'), "userId", "gatewayId", sum(evaluations), sum(allowed),
    sum("latencyMs")
  from minutes, levels group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (tenant_id, level, bucket, user_id, gateway_id) do update
    set evaluations = known.evaluations + excluded.evaluations, allowed = known.allowed + excluded.allowed,
      latency_ms_sum = known.latency_ms_sum + excluded.latency_ms_sum
), categorised as (
  insert into action_guard.log_category_counts as known
    (tenant_id, level, bucket, user_id, gateway_id, kind, category, count)
  select "tenantId", level, date_trunc(unit, at, 'UTC'), "userId", "gatewayId", kind, category, count(*)
  from entry, levels, lateral (
    select 'threat' as kind, "threatCategory" as category
    union all select 'violation', unnest("violationCategories")) as c
  where not allowed group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (tenant_id, level, bucket, user_id, gateway_id, kind, category) do update
    set count = known.count + excluded.count
)
insert into action_guard.log_sessions as known (tenant_id, user_id, session_id, gateway_id, first_at, last_at)
select "tenantId", "userId", "sessionId", "gatewayId", min(at), max(at)
from entry group by 1, 2, 3, 4 order by 1, 2, 3, 4
on conflict (tenant_id, user_id, session_id, gateway_id) do update
  set first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)`;

/** Writes entries and updates the counts. */
export async function insertLogs(db: Queries, entries: readonly NewLogEntry[]): Promise<void> {
  await db.query(insertSql, [json(entries)]);
}

/** Filter of entries; `from` is inclusive, `to` exclusive. */
export interface LogFilter {
  readonly tenantId: string;
  readonly userId?: string | undefined;
  readonly gatewayIds?: readonly string[] | undefined;
  readonly sessionId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Lists leave the trace out. */
export interface LogEntry extends Omit<NewLogEntry, 'trace'> {
  readonly trace?: string | null;
}

const columns = `
  l.log_id as "logId", l.tenant_id as "tenantId", l.user_id as "userId", l.at, l.session_id as "sessionId",
  l.gateway_id as "gatewayId", l.gateway_name as "gatewayName", l.policy_set_id as "policySetId", l.tool_name as "toolName",
  l.tool_params as "toolParams", l.tool_output as "toolOutput", l.server_name as "serverName", l.allowed,
  l.violations_count as "violationsCount", l.warnings_count as "warningsCount", l.threat_category as "threatCategory",
  l.violation_categories as "violationCategories", l.rule_ids as "ruleIds", l.service_status as "serviceStatus",
  l.latency_ms as "latencyMs", l.findings`;

/** Conditions on `l`, with `$1` … for the values; without those on gateways. */
function conditions(
  { tenantId, userId, sessionId, from, to }: LogFilter,
  after: LogPage['after'],
): { where: string; params: unknown[] } {
  const params: unknown[] = [tenantId];
  const parts = ['l.tenant_id = $1'];
  const add = (condition: string, value: unknown) => {
    if (value === undefined) return;
    params.push(value);
    parts.push(condition.replace('?', `$${params.length}`));
  };
  add('l.user_id = ?', userId);
  add('l.session_id = ?', sessionId);
  add('l.at >= ?', from);
  add('l.at < ?', to);
  if (after !== undefined) {
    params.push(after.at, after.logId);
    parts.push(`(l.at, l.log_id) < ($${params.length - 1}::timestamptz, $${params.length}::uuid)`);
  }
  return { where: parts.join(' and '), params };
}

/** One entry with its trace; of the user alone where one is named. */
export async function findLog(
  db: Queries,
  { tenantId, userId, logId }: Pick<LogFilter, 'tenantId' | 'userId'> & { logId: string },
): Promise<LogEntry | undefined> {
  const [row] = await db.query<LogEntry & Record<string, unknown>>(
    `select ${columns}, l.trace from action_guard.logs l
      where l.tenant_id = $1 and l.log_id = $2 and ($3::uuid is null or l.user_id = $3)`,
    [tenantId, logId, userId ?? null],
  );
  return row;
}

/** Evaluations that blocked, newest first. */
export async function listBlocked(db: Queries, filter: LogFilter, limit: number): Promise<LogEntry[]> {
  const { where, params } = conditions(filter, undefined);
  return db.query<LogEntry & Record<string, unknown>>(
    `select ${columns} from action_guard.logs l where ${where} and not l.allowed
      order by l.at desc, l.log_id desc limit $${params.push(limit)}`,
    params,
  );
}

/** The page of the filtered entries; a limit of 0 returns none. */
export interface LogPage {
  readonly limit: number;
  readonly offset: number;
  /** Total number of entries; pages in the older half are counted from the oldest entry. */
  readonly total?: number | undefined;
  /** Only entries after this one. */
  readonly after?: Pick<LogEntry, 'at' | 'logId'> | undefined;
}

/** Newest first. */
export async function listLogs(db: Queries, filter: LogFilter, page: LogPage): Promise<LogEntry[]> {
  const { where, params } = conditions(filter, page.after);
  const { gatewayIds } = filter;
  const { order, limit, offset } = nearestEnd(page);
  const few = (count: number) => (limit === 0 ? '' : `limit ${count}`);
  const keys = `select l.log_id, l.at from action_guard.logs l where ${where}`;
  // Each gateway is read from its own index, up to the page; a combined query would need a sort.
  const found =
    gatewayIds === undefined
      ? keys
      : `select k.* from unnest($${params.push(gatewayIds)}::text[]) as g (gateway_id), lateral (
          ${keys} and l.gateway_id = g.gateway_id ${order} ${few(limit + offset)}) as k`;
  return db.query<LogEntry & Record<string, unknown>>(
    // Keys come from an index only; just the rows of the page are fetched.
    `select ${columns} from (${found} ${order} ${few(limit)} offset ${offset}) as k
      join action_guard.logs l using (log_id) order by l.at desc, l.log_id desc`,
    params,
  );
}

function nearestEnd({ limit, offset, total = 0 }: LogPage): LogPage & { order: string } {
  const size = Math.min(limit, total - offset);
  return limit > 0 && size > 0 && offset > total / 2
    ? { order: 'order by at, log_id', limit: size, offset: total - offset - size }
    : { order: 'order by at desc, log_id desc', limit, offset };
}
