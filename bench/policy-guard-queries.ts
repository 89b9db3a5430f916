/**
 * Measures queries on the query log with a million entries: `node bench/policy-guard-queries.ts [pglite|postgres]
 * [entries]`.
 *
 * PostgreSQL is the server of `BULWARK_TEST_DATABASE_URL` (default: the local one), in a temporary database. The
 * entries cover 30 days and 50 guards of 10 owners in one tenant, with texts of 30 words; some words occur in most
 * texts, some in few, and one only in the older half. Goal: every filter within 200 ms on PostgreSQL and 500 ms on
 * PGlite. Also prints how fast entries are written, 500 per statement, and the time of each query relative to the
 * fastest one.
 */
import { randomUUID } from 'node:crypto';
import { migrate } from '#base/db/migrate.ts';
import { openDatabase } from '#base/db/open.ts';
import { makeTestDatabase } from '#base/db/testing.ts';
import { json } from '#base/db/values.ts';
import { newUuid } from '#base/ids.ts';
import type { Caller } from '#identity/caller.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { policyGuardMigrations } from '#services/policy-guard/service.ts';
import { QueryReader, type Page, type Wanted } from '#services/policy-guard/observing/queries/queries.ts';
import { firstIdAt, type Query } from '#services/policy-guard/observing/queries/query.ts';
import { insertQueries } from '#services/policy-guard/observing/queries/store.ts';
import { wordNumbers } from '#services/policy-guard/observing/queries/words.ts';

const [kind = 'pglite', count = '1000000'] = process.argv.slice(2);
process.env['BULWARK_TEST_DATABASE'] = kind;
const total = Number(count);
const goalMs = kind === 'postgres' ? 200 : 500;
/** Entries written per second, one statement after another. */
const goalWritten = 1000;

const tenantId = randomUUID();
const owners = Array.from({ length: 10 }, () => randomUUID());
const guards = Array.from({ length: 50 }, (_, i) => `gd_bench_${i}`);
const policies = ['Violence and abuse', 'Jailbreak attempt', 'Profanity', 'Hate'];
const nowMs = Date.now();
const spanMs = 30 * 86_400_000;
const vocabulary = Array.from({ length: 20_000 }, (_, i) => `word${i}`);
/** A word in every text of the older half, and in none of the newer. */
const [bygone = 0] = wordNumbers(tenantId, 'bygone');
const numbers = vocabulary.map((word) => wordNumbers(tenantId, word)[0] ?? 0);

await using settings = await makeTestDatabase();
await using db = await openDatabase(settings.settings);
await migrate(db, [runMigrations, policyGuardMigrations], '0');

/** Words at the front of the vocabulary occur in most texts. */
const someText = () => Array.from({ length: 30 }, () => Math.floor(Math.random() ** 3 * vocabulary.length));

const entryOf = (i: number): Query => ({
  queryId: newUuid(nowMs - 1000),
  tenantId,
  ownerId: owners[i % owners.length] ?? '',
  guardUuid: guards[i % guards.length] ?? '',
  guardVersion: 1,
  outcome: i % 20 === 0 ? 'flagged' : 'passed',
  text: someText()
    .map((word) => vocabulary[word])
    .join(' '),
  textHash: 'f'.repeat(64),
  textLength: 250,
  messages: 0,
  door: 'topic_guard',
  userId: owners[0] ?? '',
  apiKeyId: null,
  requestId: null,
  traceId: null,
  fromCache: false,
  latencyMs: 0.5,
  allowedBy: null,
  found: [
    [randomUUID(), 'Default', 0.5, 'medium', null, policies.map((name) => [name, i % 20 === 0 ? 0.9 : 0.1])],
  ],
});

// These are written through the store, to measure it; the others are generated in the database, which is faster.
const written = 10_000;
const writeStartMs = performance.now();
for (let i = 0; i < written; i += 500)
  await insertQueries(
    db,
    Array.from({ length: 500 }, (_, j) => entryOf(i + j)),
  );
const perSecond = (written / (performance.now() - writeStartMs)) * 1000;
console.log(
  `${kind}: ${perSecond.toFixed(0)} entries/s written, goal ${goalWritten}${perSecond < goalWritten ? ': MISSED' : ''}`,
);

await db.query('drop index policy_guard.queries_words');
const distinctTexts = 20_000;
await db.query('create table policy_guard.bench_texts (n integer primary key, text text, words integer[])');
await db.query(
  `insert into policy_guard.bench_texts select n, text, words
    from json_to_recordset($1::json) as t (n integer, text text, words integer[])`,
  [
    json(
      Array.from({ length: distinctTexts }, (_, n) => {
        const words = someText();
        return {
          n,
          text: words.map((word) => vocabulary[word]).join(' '),
          words: [...new Set(words)].map((word) => numbers[word]),
        };
      }),
    ),
  ],
);
const chunk = 25_000;
for (let i = written; i < total; i += chunk)
  await db.query(
    `with made as (
        select n, (lpad(to_hex($1::bigint - (n::double precision / $2::int * $3::bigint)::bigint), 12, '0')
            || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid as id,
          hashint4(n) & 1048575 as r,
          case when n % 20 = 0 then 1 when n % 997 = 0 then 3 when n % 501 = 0 then 2 else 0 end as outcome
        from generate_series($4::int, $5::int) as n
      ), logged as (
        insert into policy_guard.queries
        select id, $6, ($7::text[])[1 + r % 10], ($8::text[])[1 + r % 50], 1, outcome, text, md5(m.n::text), 250, 0,
          'topic_guard', null, null, null, null, false, 0.5, null,
          '[["00000000-0000-4000-8000-000000000009","Default",0.5,"medium",null,[["Hate",0.1]]]]',
          array(select word # policy_guard.key_of_day(id)
            from unnest(case when m.n > $2::int / 2 then words || $10::int else words end) as w (word))
        from made m join policy_guard.bench_texts t on t.n = r % ${distinctTexts}
      )
      insert into policy_guard.query_policies
      select id, $6, ($7::text[])[1 + r % 10], ($8::text[])[1 + r % 50], ($9::text[])[1 + (r / 64) % 4], outcome
      from made where outcome in (1, 2)`,
    [
      nowMs - 2000,
      total,
      spanMs,
      i,
      Math.min(i + chunk, total) - 1,
      tenantId,
      owners,
      guards,
      policies,
      bygone,
    ],
  );
await db.query('create index queries_words on policy_guard.queries using gin (words)');
await db.query('vacuum analyze');
console.log(`${total} entries after ${((performance.now() - writeStartMs) / 1000).toFixed(0)} s`);

const caller = (userId: string, roles: Caller['roles']): Caller => ({
  userId,
  username: 'bench',
  tenantId,
  tenantName: 'bench',
  roles,
  permissions: [],
  via: 'jwt',
});
const admin = caller(randomUUID(), ['admin']);
const member = caller(owners[3] ?? '', ['member']);
const daysAgo = (days: number) => nowMs - days * 86_400_000;
const week = { fromMs: daysAgo(20), toMs: daysAgo(13) };
const guard = { guardUuid: guards[7] ?? '' };
const first: Page = { limit: 100, offset: 0 };

const questions: Record<string, [Caller, Wanted, Page?]> = {
  everything: [admin, {}],
  'everything, offset 10,000': [admin, {}, { limit: 100, offset: 10_000 }],
  'everything, 1,000 a page': [admin, {}, { limit: 1000, offset: 0 }],
  'before an entry in the middle': [admin, { before: firstIdAt(daysAgo(15)) }],
  'a week in the middle': [admin, week],
  flagged: [admin, { flagged: true }],
  'not flagged': [admin, { flagged: false }],
  observed: [admin, { outcome: 'observed' }],
  'allowed, offset 500': [admin, { outcome: 'allowed' }, { limit: 100, offset: 500 }],
  'one policy': [admin, { policy: 'Hate' }],
  'one policy, a week': [admin, { policy: 'Hate', ...week }],
  'a policy that nothing violates': [admin, { policy: 'Nothing' }],
  'one guard': [admin, guard],
  'one guard, flagged, a week': [admin, { ...guard, ...week, flagged: true }],
  'one guard, one policy': [admin, { ...guard, policy: 'Hate' }],
  'own entries': [member, {}],
  'own entries, one policy': [member, { policy: 'Hate' }],
  'search: in most texts': [admin, { search: 'word1' }],
  'search: in a few of a hundred': [admin, { search: 'word300' }],
  'search: in one of a thousand': [admin, { search: 'word15000' }],
  'search: two rare words': [admin, { search: 'word15000 word16000' }],
  'search: two common words': [admin, { search: 'word1 word2' }],
  'search: common word, one guard': [admin, { ...guard, search: 'word1' }],
  'search: common word, observed': [admin, { outcome: 'observed', search: 'word1' }],
  'search: common word, a week': [admin, { ...week, search: 'word1' }],
  'search: rare word, one policy': [admin, { policy: 'Hate', search: 'word15000' }],
  'search: a word that is nowhere': [admin, { search: 'nowhere' }],
  'search: common until half ago': [admin, { search: 'bygone' }],
  'search: the same, one guard': [admin, { ...guard, search: 'bygone' }],
  'search: the same and a rare word': [admin, { search: 'bygone word15000' }],
  'search: the same, in a week without': [admin, { fromMs: daysAgo(10), toMs: daysAgo(3), search: 'bygone' }],
  'search: common word, offset 900': [admin, { search: 'word300' }, { limit: 100, offset: 900 }],
  'search: own entries': [member, { search: 'word300' }],
};

const queries = new QueryReader({ db, clock: { now: () => nowMs } });
const results: [name: string, ms: number, found: string][] = [];
for (const [name, [who, wanted, page = first]] of Object.entries(questions)) {
  const times: number[] = [];
  let found = '';
  for (let i = 0; i < 4; i += 1) {
    const startMs = performance.now();
    const answer = await queries.list(who, wanted, page);
    times.push(performance.now() - startMs);
    found = `${answer.queries.length} of ${answer.total}${answer.totalIsExact ? '' : '+'}`;
  }
  results.push([name, Math.max(...times.slice(1)), found]);
}
const fastest = Math.min(...results.map(([, ms]) => ms));
for (const [name, ms, found] of results)
  console.log(
    `${name.padEnd(34)}${ms.toFixed(0).padStart(6)} ms ${`${(ms / fastest).toFixed(1)}×`.padStart(8)}  ${found}${ms > goalMs ? '  OVER' : ''}`,
  );
const missed = results.filter(([, ms]) => ms > goalMs).length;
console.log(`goal ${goalMs} ms: ${missed === 0 ? 'met' : `${missed} over`}`);
