import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import { outcomeCode, outcomeNamed, timeOfId, violatedIn, type Query } from './query.ts';
import { dayOf, keyOfDay, wordNumbers } from './words.ts';

/**
 * Entries and the policies that they violated, in one statement. Entries that are there already are passed over: they
 * were written by an attempt whose answer was lost.
 */
const insertSql = `
with entry as materialized (
  select * from json_to_recordset($1::json) as e (
    "queryId" uuid, "tenantId" text, "ownerId" text, "guardUuid" text, "guardVersion" integer, outcome smallint,
    text text, "textHash" text, "textLength" integer, messages integer, door text, "userId" text, "apiKeyId" text,
    "requestId" text, "traceId" text, "fromCache" boolean, "latencyMs" real, "allowedBy" uuid, found json,
    words integer[], violated text[])
), logged as (
  insert into policy_guard.queries (query_id, tenant_id, owner_id, guard_uuid, guard_version, outcome, text, text_hash,
    text_length, messages, door, user_id, api_key_id, request_id, trace_id, from_cache, latency_ms, allowed_by, found,
    words)
  select "queryId", "tenantId", "ownerId", "guardUuid", "guardVersion", outcome, text, "textHash", "textLength",
    messages, door, "userId", "apiKeyId", "requestId", "traceId", "fromCache", "latencyMs", "allowedBy", found, words
  from entry on conflict do nothing
)
insert into policy_guard.query_policies (query_id, tenant_id, owner_id, guard_uuid, policy, outcome)
select "queryId", "tenantId", "ownerId", "guardUuid", policy, outcome from entry, unnest(violated) as v (policy)
on conflict do nothing`;

/** As stored in the table: of the day of the entry. */
function wordsOf({ queryId, tenantId, text, textHash }: Query): number[] {
  const key = keyOfDay(dayOf(timeOfId(queryId)));
  return wordNumbers(tenantId, textHash ?? '', text ?? '').map((word) => word ^ key);
}

export async function insertQueries(db: Queries, entries: readonly Query[]): Promise<void> {
  const rows = entries.map((entry) => ({
    ...entry,
    outcome: outcomeCode(entry.outcome),
    violated: violatedIn(entry.found),
    words: wordsOf(entry),
  }));
  await db.query(insertSql, [json(rows)]);
}

type Row = Omit<Query, 'outcome'> & { outcome: number } & Record<string, unknown>;

const select = `
  select q.query_id as "queryId", q.tenant_id as "tenantId", q.owner_id as "ownerId", q.guard_uuid as "guardUuid",
    q.guard_version as "guardVersion", q.outcome, q.text, q.text_hash as "textHash", q.text_length as "textLength",
    q.messages, q.door, q.user_id as "userId", q.api_key_id as "apiKeyId", q.request_id as "requestId",
    q.trace_id as "traceId", q.from_cache as "fromCache", q.latency_ms as "latencyMs", q.allowed_by as "allowedBy",
    q.found
  from policy_guard.queries q`;

const fromRow = ({ outcome, ...rest }: Row): Query => ({ ...rest, outcome: outcomeNamed(outcome) });

/** Newest first; ids that are not there are passed over. */
export async function listByIds(db: Queries, ids: readonly string[]): Promise<Query[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<Row>(`${select} where q.query_id = any($1::uuid[]) order by q.query_id desc`, [
    ids,
  ]);
  return rows.map(fromRow);
}

export async function findQuery(db: Queries, queryId: string): Promise<Query | undefined> {
  const [found] = await listByIds(db, [queryId]);
  return found;
}

/** Whose a logged guard is or was. */
export async function findLoggedGuard(
  db: Queries,
  guardUuid: string,
): Promise<{ tenantId: string; ownerId: string } | undefined> {
  const [row] = await db.query<{ tenantId: string; ownerId: string }>(
    `select tenant_id as "tenantId", owner_id as "ownerId" from policy_guard.queries where guard_uuid = $1 limit 1`,
    [guardUuid],
  );
  return row;
}

/** Which entries are meant. */
export interface QueryFilter {
  /** Whose: of a whole tenant, of one owner of guards, or of one guard. */
  readonly scope: { readonly column: 'tenant_id' | 'owner_id' | 'guard_uuid'; readonly value: string };
  readonly outcomes: readonly number[];
  readonly policy: string | undefined;
  /** The least id. */
  readonly from: string;
  /** The first id that is no longer meant. */
  readonly to: string;
}

/**
 * Ids from one index, newest first: that of the scope, or of the scope and policy. Each outcome has a stretch of its own
 * in it, so that none is read to be thrown away. Parameters $1 to $6, of which the last is the limit.
 */
const idsSql = ({ scope, policy }: QueryFilter): string => `
  select c.query_id from unnest($2::smallint[]) as o (outcome), lateral (
    select t.query_id from policy_guard.${policy === undefined ? 'queries' : 'query_policies'} t
    where t.${scope.column} = $1 and t.outcome = o.outcome and t.query_id >= $3::uuid and t.query_id < $4::uuid
      and ${policy === undefined ? '$5::text is null' : 't.policy = $5'}
    order by t.query_id desc limit $6) as c`;

const paramsOf = ({ scope, outcomes, from, to, policy }: QueryFilter, limit: number): unknown[] => [
  scope.value,
  outcomes,
  from,
  to,
  policy ?? null,
  limit,
];

const idsIn = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

export async function listIds(
  db: Queries,
  filter: QueryFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select query_id as id from (${idsSql(filter)}) as c order by query_id desc limit $7 offset $8`,
    [...paramsOf(filter, limit + offset), limit, offset],
  );
  return idsIn(rows);
}

/** How many there are, counted up to `most`. */
export async function countIds(db: Queries, filter: QueryFilter, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from (${idsSql(filter)} limit $6) as c`,
    paramsOf(filter, most),
  );
  return row?.count ?? 0;
}

/** Among the newest `window` entries of the filter, those with all the words, newest first; and how many were looked at. */
export async function searchNewest(
  db: Queries,
  filter: QueryFilter,
  words: readonly number[],
  window: number,
): Promise<{ ids: string[]; looked: number }> {
  // Inlined, since an array from a subquery would be computed again for each entry.
  const ofDay = words.map((_, i) => `$${7 + i}::integer # n.key`).join(', ');
  const [row] = await db.query<{ ids: string[]; looked: number }>(
    // "offset 0" makes each entry be looked up by its id: the index of words would list all that have a common word.
    `with newest as materialized (
        select query_id, policy_guard.key_of_day(query_id) as key
        from (${idsSql(filter)}) as d order by query_id desc limit $6)
      select (select count(*) from newest) as looked, array(
        select n.query_id from newest n, lateral (
          select q.words from policy_guard.queries q where q.query_id = n.query_id offset 0) as q
        where q.words @> array[${ofDay}] order by n.query_id desc) as ids`,
    [...paramsOf(filter, window), ...words],
  );
  return row ?? { ids: [], looked: 0 };
}

/** How many entries of each day have all the words, in any scope, counted up to `most`; the days in their order. */
export async function countByDay(
  db: Queries,
  words: readonly number[],
  days: readonly number[],
  most: number,
): Promise<number[]> {
  const rows = await db.query<{ count: number }>(
    `select (select count(*) from (select from policy_guard.queries
        where words @> array(select word # d.key from unnest($1::integer[]) as w (word)) limit $3) as h) as count
      from unnest($2::integer[]) with ordinality as d (key, at) order by d.at`,
    [words, days.map(keyOfDay), most],
  );
  return rows.map(({ count }) => count);
}

/** The newest `limit` entries of some days with all the words, through the index of words. */
export async function searchDays(
  db: Queries,
  filter: QueryFilter,
  words: readonly number[],
  { days, limit }: { days: readonly number[]; limit: number },
): Promise<string[]> {
  const { scope, policy } = filter;
  const rows = await db.query<{ id: string }>(
    // "offset 0" keeps the other conditions out, so that no index but that of the words is of use.
    `select h.query_id as id from unnest($8::integer[]) as d (key), lateral (
        select query_id, outcome, ${scope.column} as scope from policy_guard.queries
        where words @> array(select word # d.key from unnest($7::integer[]) as w (word)) offset 0) as h
      where h.scope = $1 and h.outcome = any($2::smallint[]) and h.query_id >= $3::uuid and h.query_id < $4::uuid
        and ${policy === undefined ? '$5::text is null' : 'exists (select from policy_guard.query_policies p where p.query_id = h.query_id and p.policy = $5)'}
      order by h.query_id desc limit $6`,
    [...paramsOf(filter, limit), words, days.map(keyOfDay)],
  );
  return idsIn(rows);
}

/** The least id of all; undefined where the log is empty. */
export async function oldestId(db: Queries): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    'select query_id as id from policy_guard.queries order by query_id limit 1',
  );
  return row?.id;
}

/** Deletes the oldest entries before a time; returns how many. */
export async function deleteQueriesBefore(db: Queries, before: string, limit: number): Promise<number> {
  const rows = await db.query(
    `with old as (
        select query_id from policy_guard.queries where query_id < $1::uuid order by query_id limit $2
      ), policies as (
        delete from policy_guard.query_policies where query_id in (select query_id from old)
      )
      delete from policy_guard.queries where query_id in (select query_id from old) returning 1 as done`,
    [before, limit],
  );
  return rows.length;
}
