import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { CallEntry } from './entry.ts';

export async function insertCalls(db: Queries, entries: readonly CallEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
  await db.query(
    `insert into agent_gateway.calls (call_id, tenant_id, gateway_id, at, method, tool_name, server_id, user_id,
        principal, session_id, arguments, allowed, outcome, reason, rule_ids, latency_ms, guard_latency_ms, trace_id)
      select "callId", "tenantId", "gatewayId", at, method, "toolName", "serverId", "userId", principal, "sessionId",
        arguments, allowed, outcome, reason, "ruleIds", "latencyMs", "guardLatencyMs", "traceId"
      from json_to_recordset($1) as e ("callId" uuid, "tenantId" uuid, "gatewayId" text, at timestamptz, method text,
        "toolName" text, "serverId" text, "userId" uuid, principal text, "sessionId" text, arguments text,
        allowed boolean, outcome text, reason text, "ruleIds" text[], "latencyMs" double precision,
        "guardLatencyMs" double precision, "traceId" text)`,
    [json(rows)],
  );
}

export interface CallFilter {
  readonly allowed: boolean | undefined;
  readonly toolName: string | undefined;
  readonly limit: number;
  readonly offset: number;
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
    `select call_id as "callId", tenant_id as "tenantId", gateway_id as "gatewayId", at, method,
        tool_name as "toolName", server_id as "serverId", user_id as "userId", principal, session_id as "sessionId",
        arguments, allowed, outcome, reason, rule_ids as "ruleIds", latency_ms as "latencyMs",
        guard_latency_ms as "guardLatencyMs", trace_id as "traceId"
      from agent_gateway.calls where ${where} order by at desc, call_id desc limit $5 offset $6`,
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
