import type { Queries } from '#base/db/database.ts';
import type { NewLogEntry } from './log-entry.ts';

const copied = {
  log_id: 'logId',
  tenant_id: 'tenantId',
  user_id: 'userId',
  at: 'at',
  session_id: 'sessionId',
  gateway_id: 'gatewayId',
  gateway_name: 'gatewayName',
  policy_set_id: 'policySetId',
  tool_name: 'toolName',
  tool_params: 'toolParams',
  tool_output: 'toolOutput',
  server_name: 'serverName',
  allowed: 'allowed',
  held: 'held',
  violations_count: 'violationsCount',
  warnings_count: 'warningsCount',
  threat_category: 'threatCategory',
  violation_categories: 'violationCategories',
  rule_ids: 'ruleIds',
  service_status: 'serviceStatus',
  latency_ms: 'latencyMs',
  findings: 'findings',
  trace: 'trace',
  acting_user: 'actingUser',
} as const satisfies Readonly<Record<string, keyof NewLogEntry>>;
const columnsCopied = Object.keys(copied);
const fieldsCopied = Object.values(copied);

/** Writes entries; a trigger of the table updates all counts in the same statement. */
export const insertLogs = (db: Queries, entries: readonly NewLogEntry[]): Promise<void> =>
  db.copy(
    'action_guard.logs',
    columnsCopied,
    entries.map((entry) => fieldsCopied.map((field) => entry[field])),
  );

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
  l.tool_params as "toolParams", l.tool_output as "toolOutput", l.server_name as "serverName", l.allowed, l.held,
  l.violations_count as "violationsCount", l.warnings_count as "warningsCount", l.threat_category as "threatCategory",
  l.violation_categories as "violationCategories", l.rule_ids as "ruleIds", l.service_status as "serviceStatus",
  l.latency_ms as "latencyMs", l.findings, l.acting_user as "actingUser"`;

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
