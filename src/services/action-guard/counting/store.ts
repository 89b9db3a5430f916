import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Sums } from '#engine/rules/matching/added.ts';
import type { SumBefore } from '#engine/rules/matching/judged-call.ts';

export interface CountedCall {
  readonly callId: string;
  readonly keys: readonly string[];
  readonly at: Date;
}

/** One counter of one tenant is written by one transaction at a time, in all processes. */
export async function lockCounter(tx: Queries, tenantId: string, counter: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `action_guard.counter ${tenantId} ${counter}`,
  ]);
}

/** Whether the counter is met for the first time. */
export async function startCounter(
  tx: Queries,
  tenantId: string,
  counter: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into action_guard.counters (tenant_id, counter, since) values ($1, $2, $3)
      on conflict do nothing returning 1 as made`,
    [tenantId, counter, at],
  );
  return rows.length > 0;
}

/** Calls since a moment besides this one, for one of the keys or for nobody in particular; without keys all of them. */
export async function countCalls(
  tx: Queries,
  tenantId: string,
  counter: string,
  { keys, window, now, callId }: { keys: readonly string[]; window: string; now: Date; callId: string },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(distinct call_id) as count from action_guard.counted_calls
      where tenant_id = $1 and counter = $2 and at > $3::timestamptz - ('1 ' || $4)::interval
        and (cardinality($5::text[]) = 0 or key = '' or key = any($5)) and call_id <> $6`,
    [tenantId, counter, now, window, keys, callId],
  );
  return row?.count ?? 0;
}

/** What calls since a moment have added, of those that `countCalls` counts; the amount that is not known has no kind. */
export async function sumCalls(
  tx: Queries,
  tenantId: string,
  counter: string,
  { keys, window, now, callId }: { keys: readonly string[]; window: string; now: Date; callId: string },
): Promise<SumBefore> {
  const rows = await tx.query<{ kind: string | null; amount: number; calls: number }>(
    `with calls as (
        select distinct call_id from action_guard.counted_calls
        where tenant_id = $1 and counter = $2 and at > $3::timestamptz - ('1 ' || $4)::interval
          and (cardinality($5::text[]) = 0 or key = '' or key = any($5)) and call_id <> $6)
      select a.kind, coalesce(round(sum(a.amount), 6), 0)::float8 as amount, count(*) as calls
      from calls c left join action_guard.counted_amounts a
        on a.tenant_id = $1 and a.counter = $2 and a.call_id = c.call_id
      group by a.kind`,
    [tenantId, counter, now, window, keys, callId],
  );
  return {
    sums: new Map(rows.flatMap(({ kind, amount }) => (kind === null ? [] : [[kind, amount] as const]))),
    unknown: rows.find(({ kind }) => kind === null)?.calls ?? 0,
  };
}

export interface AddedAmounts {
  readonly callId: string;
  readonly at: Date;
  readonly amounts: Sums;
}

/** What calls add, each kind once. */
export async function addAmounts(
  tx: Queries,
  tenantId: string,
  counter: string,
  calls: readonly AddedAmounts[],
): Promise<void> {
  const rows = calls.flatMap(({ callId, at, amounts }) =>
    [...amounts].map(([kind, amount]) => ({ callId, at, kind, amount })),
  );
  if (rows.length === 0) return;
  await tx.query(
    `insert into action_guard.counted_amounts (tenant_id, counter, call_id, kind, amount, at)
      select $1, $2, "callId", kind, amount, at
      from json_to_recordset($3::json) as c ("callId" uuid, kind text, amount numeric, at timestamptz)
      on conflict do nothing`,
    [tenantId, counter, json(rows)],
  );
}

/** Each call once for each of its keys. Whether one of them was not counted before. */
export async function addCalls(
  tx: Queries,
  tenantId: string,
  counter: string,
  calls: readonly CountedCall[],
): Promise<boolean> {
  const rows = calls.flatMap(({ callId, keys, at }) =>
    (keys.length === 0 ? [''] : keys).map((key) => ({ callId, key, at })),
  );
  const added = await tx.query(
    `insert into action_guard.counted_calls (tenant_id, counter, call_id, key, at)
      select $1, $2, "callId", key, at from json_to_recordset($3::json) as c ("callId" uuid, key text, at timestamptz)
      on conflict do nothing returning 1 as added`,
    [tenantId, counter, json(rows)],
  );
  return added.length > 0;
}

/** Takes back a call that was not let pass after all, with what it added. */
export async function removeCall(
  db: Queries,
  tenantId: string,
  callId: string,
  counters: readonly string[],
): Promise<void> {
  await db.query(
    `with amounts as (
        delete from action_guard.counted_amounts where tenant_id = $1 and call_id = $2 and counter = any($3))
      delete from action_guard.counted_calls where tenant_id = $1 and call_id = $2 and counter = any($3)`,
    [tenantId, callId, counters],
  );
}

interface LoggedCall extends Record<string, unknown> {
  readonly callId: string;
  readonly at: Date;
  readonly toolName: string;
  /** JSON text. */
  readonly toolParams: string;
}

/** Names of tools that the tenant was let call since a moment. */
export async function listTools(tx: Queries, tenantId: string, from: Date): Promise<string[]> {
  const rows = await tx.query<{ toolName: string }>(
    `select distinct tool_name as "toolName" from action_guard.logs
      where tenant_id = $1 and at >= $2 and allowed and tool_name is not null limit 10000`,
    [tenantId, from],
  );
  return rows.map(({ toolName }) => toolName);
}

/** Calls of these tools that were let pass, newest first. */
export const listCalls = (
  tx: Queries,
  tenantId: string,
  { from, tools, limit }: { from: Date; tools: readonly string[]; limit: number },
): Promise<LoggedCall[]> =>
  tx.query<LoggedCall>(
    `select log_id as "callId", at, tool_name as "toolName", tool_params as "toolParams" from action_guard.logs
      where tenant_id = $1 and at >= $2 and allowed and tool_name = any($3) order by at desc limit $4`,
    [tenantId, from, tools, limit],
  );

/** Deletes up to `limit` calls from before the moment; answers how many. */
export async function deleteCallsBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from action_guard.counted_calls where ctid in (
      select ctid from action_guard.counted_calls where at < $1 order by at limit $2) returning 1 as gone`,
    [moment, limit],
  );
  return rows.length;
}

/** The same of what the calls added. */
export async function deleteAmountsBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from action_guard.counted_amounts where ctid in (
      select ctid from action_guard.counted_amounts where at < $1 order by at limit $2) returning 1 as gone`,
    [moment, limit],
  );
  return rows.length;
}
