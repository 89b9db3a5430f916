import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { Sums } from '#engine/rules/matching/added.ts';
import type { CountBefore, SumBefore } from '#engine/rules/matching/judged-call.ts';

export interface CountedCall {
  readonly callId: string;
  /** Of its entry in the log. */
  readonly logId: string;
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

interface Since {
  readonly keys: readonly string[];
  readonly window: string;
  readonly now: Date;
  readonly callId: string;
}

/** Calls since a moment besides this one, for one of the keys or for nobody in particular; without keys all of them. */
const callsSince = `select call_id, min(log_id::text) as log_id, max(at) as at,
    cardinality($5::text[]) > 0 and bool_and(key = '') as nobody
  from action_guard.counted_calls
  where tenant_id = $1 and counter = $2 and at > $3::timestamptz - ('1 ' || $4)::interval
    and (cardinality($5::text[]) = 0 or key = '' or key = any($5)) and call_id <> $6
  group by call_id`;

const sinceValues = (tenantId: string, counter: string, { keys, window, now, callId }: Since) => [
  tenantId,
  counter,
  now,
  window,
  keys,
  callId,
];

/** How many they are, and the latest of them. */
export async function countCalls(
  tx: Queries,
  tenantId: string,
  counter: string,
  since: Since,
): Promise<CountBefore> {
  const [row] = await tx.query<{ count: number; logId: string | null; at: Date }>(
    `with calls as (${callsSince})
      select count(*) over () as count, log_id as "logId", at from calls order by at desc, call_id desc limit 1`,
    sinceValues(tenantId, counter, since),
  );
  if (row === undefined) return { count: 0 };
  return { count: row.count, latest: { id: row.logId ?? undefined, at: row.at } };
}

interface SumRow extends Record<string, unknown> {
  /** Null for calls of which it is not known. */
  readonly kind: string | null;
  readonly nobody: boolean;
  readonly sum: number;
  readonly calls: number;
  readonly logId: string | null;
  readonly at: Date;
  readonly amount: number | null;
}

/** What they have added, and which call did so last. */
export async function sumCalls(
  tx: Queries,
  tenantId: string,
  counter: string,
  since: Since,
): Promise<SumBefore> {
  const rows = await tx.query<SumRow>(
    `with calls as (${callsSince})
      select a.kind, c.nobody, coalesce(round(sum(a.amount), 6), 0)::float8 as sum, count(*) as calls,
        (array_agg(c.log_id order by c.at desc, c.call_id desc))[1] as "logId", max(c.at) as at,
        (array_agg(a.amount order by c.at desc, c.call_id desc))[1]::float8 as amount
      from calls c left join action_guard.counted_amounts a
        on a.tenant_id = $1 and a.counter = $2 and a.call_id = c.call_id
      group by a.kind, c.nobody order by max(c.at)`,
    sinceValues(tenantId, counter, since),
  );
  const known = rows.flatMap(({ kind, ...row }) => (kind === null ? [] : [{ kind, ...row }]));
  const sumsOf = (isOfNobody: boolean) =>
    new Map(known.flatMap(({ kind, nobody, sum }) => (nobody === isOfNobody ? [[kind, sum] as const] : [])));
  return {
    sums: sumsOf(false),
    ofNobody: sumsOf(true),
    unknown: rows.reduce((count, { kind, calls }) => (kind === null ? count + calls : count), 0),
    latest: new Map(
      known.map(({ kind, logId, at, amount }) => [
        kind,
        { id: logId ?? undefined, at, amount: amount ?? undefined },
      ]),
    ),
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
  const rows = calls.flatMap(({ callId, logId, keys, at }) =>
    (keys.length === 0 ? [''] : keys).map((key) => ({ callId, logId, key, at })),
  );
  const added = await tx.query(
    `insert into action_guard.counted_calls (tenant_id, counter, call_id, log_id, key, at)
      select $1, $2, "callId", "logId", key, at
      from json_to_recordset($3::json) as c ("callId" uuid, "logId" uuid, key text, at timestamptz)
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

/** Of which policy set calls are counted. */
export interface CountedSet {
  readonly tenantId: string;
  readonly policySetId: string;
  /** Null for the built-in set. */
  readonly ownerId: string | null;
  readonly createdAt: Date;
}

/** Calls that were let pass under the set, and those of its owner under any other from before it was made. */
const passedUnder = `tenant_id = $1 and at >= $2 and allowed
  and (policy_set_id = $3 or (user_id = $4 and at < $5))`;

const passedValues = ({ tenantId, policySetId, ownerId, createdAt }: CountedSet, from: Date) => [
  tenantId,
  from,
  policySetId,
  ownerId,
  createdAt,
];

/** Names of tools that were let be called since a moment. */
export async function listTools(tx: Queries, set: CountedSet, from: Date): Promise<string[]> {
  const rows = await tx.query<{ toolName: string }>(
    `select distinct tool_name as "toolName" from action_guard.logs
      where ${passedUnder} and tool_name is not null limit 10000`,
    passedValues(set, from),
  );
  return rows.map(({ toolName }) => toolName);
}

/** Calls of these tools that were let pass, newest first. */
export const listCalls = (
  tx: Queries,
  set: CountedSet,
  { from, tools, limit }: { from: Date; tools: readonly string[]; limit: number },
): Promise<LoggedCall[]> =>
  tx.query<LoggedCall>(
    `select log_id as "callId", at, tool_name as "toolName", tool_params as "toolParams" from action_guard.logs
      where ${passedUnder} and tool_name = any($6) order by at desc limit $7`,
    [...passedValues(set, from), tools, limit],
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
