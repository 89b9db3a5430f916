import type { Queries } from '#base/db/database.ts';
import type { CallEntry } from './entry.ts';

const inserted = [
  'call_id',
  'tenant_id',
  'gateway_id',
  'at',
  'method',
  'tool_name',
  'server_id',
  'user_id',
  'principal',
  'session_id',
  'arguments',
  'allowed',
  'outcome',
  'reason',
  'rule_ids',
  'latency_ms',
  'guard_latency_ms',
  'trace_id',
  'redactions',
  'held',
  'approval_id',
];

const insertedRow = (entry: CallEntry): readonly unknown[] => [
  entry.callId,
  entry.tenantId,
  entry.gatewayId,
  entry.at,
  entry.method,
  entry.toolName,
  entry.serverId,
  entry.userId,
  entry.principal,
  entry.sessionId,
  entry.arguments,
  entry.allowed,
  entry.outcome,
  entry.reason,
  entry.ruleIds,
  entry.latencyMs,
  entry.guardLatencyMs,
  entry.traceId,
  entry.redactions === null ? null : JSON.stringify(entry.redactions),
  entry.held ?? false,
  entry.approvalId ?? null,
];

/** Earlier versions did not say so of entries that nobody approved. */
const wasHeld = `(held or outcome = 'approval_denied')`;

/** All or none. */
export const insertCalls = (db: Queries, entries: readonly CallEntry[]): Promise<void> =>
  db.copy('agent_gateway.calls', inserted, entries.map(insertedRow));

const insertedAtOnce = 500;

/** Inserts those that are not there yet. */
export async function insertMissingCalls(db: Queries, entries: readonly CallEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += insertedAtOnce) {
    const some = entries.slice(from, from + insertedAtOnce);
    const known = await db.query<{ callId: string }>(
      'select call_id as "callId" from agent_gateway.calls where call_id = any($1::uuid[])',
      [some.map(({ callId }) => callId)],
    );
    const knownIds = new Set(known.map(({ callId }) => callId));
    const missing = some.filter(({ callId }) => !knownIds.has(callId));
    if (missing.length > 0) await insertCalls(db, missing);
  }
}

const columns = `call_id as "callId", tenant_id as "tenantId", gateway_id as "gatewayId", at, method,
  tool_name as "toolName", server_id as "serverId", user_id as "userId", principal, session_id as "sessionId",
  arguments, allowed, outcome, reason, rule_ids as "ruleIds", latency_ms as "latencyMs",
  guard_latency_ms as "guardLatencyMs", trace_id as "traceId", redactions, ${wasHeld} as held,
  approval_id as "approvalId"`;

/** Whose calls: those of a tenant, or of the gateways that one user owns. */
export interface CallScope {
  readonly tenantId: string;
  /** Undefined for all gateways of the tenant, deleted ones too. */
  readonly ownerId?: string | undefined;
}

export interface CallFilter {
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  readonly allowed?: boolean | undefined;
  readonly outcome?: string | undefined;
  readonly held?: boolean | undefined;
  readonly toolName?: string | undefined;
  readonly serverId?: string | undefined;
  readonly gatewayId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  /** As entries have it, or a user's name. */
  readonly principal?: string | undefined;
}

export interface CallPage {
  /** Only entries older than this one. */
  readonly before?: Pick<CallEntry, 'at' | 'callId'> | undefined;
  readonly limit: number;
  readonly offset?: number;
}

const inScope = `tenant_id = $1 and ($2::uuid is null or gateway_id in
  (select g.gateway_id from agent_gateway.gateways g where g.owner_id = $2))`;

interface Conditions {
  readonly where: string;
  readonly params: unknown[];
}

function conditionsOf({ tenantId, ownerId }: CallScope, filter: CallFilter): Conditions {
  const params: unknown[] = [tenantId, ownerId ?? null];
  const conditions = [inScope];
  const add = (condition: string, value: unknown) => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition.replaceAll('?', `$${params.length}`));
  };
  add('at >= ?', filter.from);
  add('at < ?', filter.to);
  add('allowed = ?', filter.allowed);
  add('outcome = ?', filter.outcome);
  add(`${wasHeld} = ?`, filter.held);
  add('tool_name = ?', filter.toolName);
  add('server_id = ?', filter.serverId);
  add('gateway_id = ?', filter.gatewayId);
  add('session_id = ?', filter.sessionId);
  add('user_id = ?', filter.userId);
  add(`(principal = ? or starts_with(principal, ? || ' ('))`, filter.principal);
  return { where: conditions.join(' and '), params };
}

/** Newest first. */
export async function listCalls(
  db: Queries,
  scope: CallScope,
  filter: CallFilter,
  { before, limit, offset = 0 }: CallPage,
): Promise<CallEntry[]> {
  const { where, params } = conditionsOf(scope, filter);
  const older =
    before === undefined
      ? ''
      : `and (at, call_id) < ($${params.push(before.at)}::timestamptz, $${params.push(before.callId)}::uuid)`;
  return db.query<CallEntry & Record<string, unknown>>(
    `select ${columns} from agent_gateway.calls where ${where} ${older}
      order by at desc, call_id desc limit $${params.push(limit)} offset $${params.push(offset)}`,
    params,
  );
}

export async function countCalls(db: Queries, scope: CallScope, filter: CallFilter): Promise<number> {
  const { where, params } = conditionsOf(scope, filter);
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from agent_gateway.calls where ${where}`,
    params,
  );
  return counted?.total ?? 0;
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

/** Deletes permanently. */
export async function deleteCallsBefore(db: Queries, before: Date, limit: number): Promise<number> {
  const gone = await db.query(
    `delete from agent_gateway.calls where call_id in (
        select call_id from agent_gateway.calls where at < $1 order by at limit $2) returning 1 as gone`,
    [before, limit],
  );
  return gone.length;
}
