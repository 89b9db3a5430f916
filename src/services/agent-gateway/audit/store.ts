import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { CallEntry } from './entry.ts';

export async function insertCalls(db: Queries, entries: readonly CallEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
  await db.query(
    `insert into agent_gateway.calls (call_id, tenant_id, gateway_id, at, method, tool_name, server_id, user_id,
        principal, session_id, arguments, allowed, outcome, reason, rule_ids, latency_ms, guard_latency_ms, trace_id,
        redactions)
      select "callId", "tenantId", "gatewayId", at, method, "toolName", "serverId", "userId", principal, "sessionId",
        arguments, allowed, outcome, reason, "ruleIds", "latencyMs", "guardLatencyMs", "traceId", redactions
      from json_to_recordset($1) as e ("callId" uuid, "tenantId" uuid, "gatewayId" text, at timestamptz, method text,
        "toolName" text, "serverId" text, "userId" uuid, principal text, "sessionId" text, arguments text,
        allowed boolean, outcome text, reason text, "ruleIds" text[], "latencyMs" double precision,
        "guardLatencyMs" double precision, "traceId" text, redactions json)`,
    [json(rows)],
  );
}

export interface CallFilter {
  readonly allowed: boolean | undefined;
  readonly toolName: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

const columns = `call_id as "callId", tenant_id as "tenantId", gateway_id as "gatewayId", at, method,
  tool_name as "toolName", server_id as "serverId", user_id as "userId", principal, session_id as "sessionId",
  arguments, allowed, outcome, reason, rule_ids as "ruleIds", latency_ms as "latencyMs",
  guard_latency_ms as "guardLatencyMs", trace_id as "traceId", redactions`;

/** Whose calls: those of a tenant, or of the gateways that one user owns. */
export interface CallScope {
  readonly tenantId: string;
  /** Undefined for all gateways of the tenant, deleted ones too. */
  readonly ownerId?: string | undefined;
}

export interface TenantCallFilter {
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  readonly allowed?: boolean | undefined;
  readonly outcome?: string | undefined;
  readonly toolName?: string | undefined;
  readonly gatewayId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Only entries older than this one. */
  readonly before?: Pick<CallEntry, 'at' | 'callId'> | undefined;
  readonly limit: number;
}

const inScope = `tenant_id = $1 and ($2::uuid is null or gateway_id in
  (select g.gateway_id from agent_gateway.gateways g where g.owner_id = $2))`;

/** Calls through all gateways of a scope, newest first. */
export async function listTenantCalls(
  db: Queries,
  { tenantId, ownerId }: CallScope,
  filter: TenantCallFilter,
): Promise<CallEntry[]> {
  const params: unknown[] = [tenantId, ownerId ?? null];
  const conditions = [inScope];
  const add = (condition: string, value: unknown) => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition.replace('?', `$${params.length}`));
  };
  add('at >= ?', filter.from);
  add('at < ?', filter.to);
  add('allowed = ?', filter.allowed);
  add('outcome = ?', filter.outcome);
  add('tool_name = ?', filter.toolName);
  add('gateway_id = ?', filter.gatewayId);
  add('session_id = ?', filter.sessionId);
  if (filter.before !== undefined) {
    params.push(filter.before.at, filter.before.callId);
    conditions.push(`(at, call_id) < ($${params.length - 1}::timestamptz, $${params.length}::uuid)`);
  }
  return db.query<CallEntry & Record<string, unknown>>(
    `select ${columns} from agent_gateway.calls where ${conditions.join(' and ')}
      order by at desc, call_id desc limit $${params.push(filter.limit)}`,
    params,
  );
}

/** One call of the scope. */
export async function findCall(
  db: Queries,
  { tenantId, ownerId }: CallScope,
  callId: string,
): Promise<CallEntry | undefined> {
  const [call] = await db.query<CallEntry & Record<string, unknown>>(
    `select ${columns} from agent_gateway.calls where ${inScope} and call_id = $3`,
    [tenantId, ownerId ?? null, callId],
  );
  return call;
}

/** Newest first. */
export async function listCalls(
  db: Queries,
  { tenantId, gatewayId }: { tenantId: string; gatewayId: string },
  { allowed, toolName, limit, offset }: CallFilter,
): Promise<{ calls: CallEntry[]; total: number }> {
  const where =
    'tenant_id = $1 and gateway_id = $2 and ($3::boolean is null or allowed = $3) and ($4::text is null or tool_name = $4)';
  const params = [tenantId, gatewayId, allowed ?? null, toolName ?? null];
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from agent_gateway.calls where ${where}`,
    params,
  );
  const calls = await db.query<CallEntry & Record<string, unknown>>(
    `select ${columns} from agent_gateway.calls where ${where} order by at desc, call_id desc limit $5 offset $6`,
    [...params, limit, offset],
  );
  return { calls, total: counted?.total ?? 0 };
}

/** Deletes permanently. */
export async function deleteCallsBefore(db: Queries, before: Date, limit: number): Promise<number> {
  const gone = await db.query(
    `delete from agent_gateway.calls where call_id in (
        select call_id from agent_gateway.calls where at < $1 order by at limit $2) returning 1 as gone`,
    [before, limit],
  );
  return gone.length;
}
