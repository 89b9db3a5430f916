/**
 * Measures queries on the log and its statistics with a million entries: `node bench/action-guard-logs.ts
 * [pglite|postgres] [entries]`.
 *
 * PostgreSQL is the server of `BULWARK_TEST_DATABASE_URL` (default: the local one), in a temporary database. The
 * entries cover 30 days, 40 users, 25 gateways and 50,000 sessions. Goal: every query of the API within 200 ms on
 * PostgreSQL and 500 ms on PGlite, for the slowest of three warm runs; the fastest shows how busy the machine was.
 * Also prints the time to write the entries, 500 per statement.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { migrate } from '#base/db/migrate.ts';
import { openDatabase } from '#base/db/open.ts';
import { makeTestDatabase } from '#base/db/testing.ts';
import { newUuid } from '#base/ids.ts';
import type { NewLogEntry } from '#services/action-guard/logs/log-entry.ts';
import { statsOf } from '#services/action-guard/logs/stats.ts';
import { insertLogs, listLogs, type LogFilter } from '#services/action-guard/logs/store.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { actionGuardMigrations } from '#services/action-guard/service.ts';

const [kind = 'pglite', count = '1000000'] = process.argv.slice(2);
process.env['BULWARK_TEST_DATABASE'] = kind;
const total = Number(count);
const goalMs = kind === 'postgres' ? 200 : 500;

const tenantId = randomUUID();
const users = Array.from({ length: 40 }, () => randomUUID());
const gateways = ['', ...Array.from({ length: 24 }, (_, i) => `gw_${i}`)];
const threats = ['prompt_injection', 'data_exfiltration', 'destructive_action', 'policy_violation'];
const nowMs = Date.now();
const spanMs = 30 * 86_400_000;
const sessions = 50_000;
const pick = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;

/** Entries of a session are within six hours; every hundredth session spans the whole time. */
function entryOf(i: number): NewLogEntry {
  const session = randomInt(sessions);
  const long = session % 100 === 0;
  const begunMs = nowMs - ((session * 7919) % sessions) * (spanMs / sessions);
  const at = new Date(long ? nowMs - randomInt(spanMs) : Math.min(nowMs, begunMs + randomInt(6 * 3_600_000)));
  const blocked = i % 10 === 0;
  return {
    logId: newUuid(at.getTime()),
    tenantId,
    userId: users[session % users.length] ?? '',
    at,
    sessionId: `session-${session}`,
    gatewayId: gateways[session % gateways.length] ?? '',
    gatewayName: null,
    policySetId: 'agp_default',
    toolName: 'send_email',
    toolParams: JSON.stringify({ to: 'someone@example.com', subject: `Message ${i}`, body: 'x'.repeat(150) }),
    toolOutput: null,
    serverName: 'mail',
    allowed: !blocked,
    held: false,
    violationsCount: blocked ? 2 : 0,
    warningsCount: 0,
    threatCategory: blocked ? pick(threats) : 'none',
    violationCategories: blocked ? ['User Rules', pick(threats)] : [],
    ruleIds: blocked ? ['rul_one', 'rul_two'] : [],
    serviceStatus: 'ok',
    latencyMs: 0.5,
    findings: null,
    trace: null,
    actingUser: null,
  };
}

await using settings = await makeTestDatabase();
await using db = await openDatabase(settings.settings);
await migrate(db, [runMigrations, actionGuardMigrations], '0');
const begun = performance.now();
for (let i = 0; i < total; i += 500)
  await insertLogs(
    db,
    Array.from({ length: 500 }, (_, j) => entryOf(i + j)),
  );
const writtenMs = performance.now() - begun;
console.log(
  `${kind}: ${total} entries in ${(writtenMs / 1000).toFixed(0)} s, ${((total / writtenMs) * 1000).toFixed(0)}/s`,
);
await db.query('vacuum analyze');

const day = (days: number) => new Date(nowMs - days * 86_400_000 - 12_345_678);
const all: LogFilter = { tenantId };
const one = { ...all, userId: users[3] ?? '' };
const questions: Record<string, [LogFilter, { limit: number; offset: number }?]> = {
  'everything, first page': [all],
  'a week in the middle': [{ ...all, from: day(20), to: day(13) }],
  'since ten days': [{ ...all, from: day(10) }],
  'until ten days ago': [{ ...all, to: day(10) }],
  'half an hour': [{ ...all, from: new Date(day(5).getTime()), to: new Date(day(5).getTime() + 1_800_000) }],
  'one user': [one],
  'one user, a week': [{ ...one, from: day(20), to: day(13) }],
  'one gateway': [{ ...all, gatewayIds: ['gw_3'] }],
  'twelve gateways, a week': [{ ...all, gatewayIds: gateways.slice(1, 13), from: day(20), to: day(13) }],
  'one user and gateway': [{ ...one, gatewayIds: ['gw_3'] }],
  'one session': [{ ...all, sessionId: 'session-77' }],
  'one long session, a week': [{ ...all, sessionId: 'session-100', from: day(20), to: day(13) }],
  'page at 500,000': [all, { limit: 100, offset: 500_000 }],
  'last page': [all, { limit: 100, offset: total - 100 }],
  'a tenant with nothing': [{ tenantId: randomUUID() }],
};
let missed = 0;
for (const [name, [filter, page = { limit: 100, offset: 0 }]] of Object.entries(questions)) {
  const times: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    const from = performance.now();
    const stats = await statsOf(db, filter, nowMs);
    await listLogs(db, filter, { ...page, total: stats.totalEvaluations });
    times.push(performance.now() - from);
  }
  const warmMs = Math.max(...times.slice(1));
  const bestMs = Math.min(...times);
  if (warmMs > goalMs) missed += 1;
  const parts: string[] = [];
  if (warmMs > goalMs / 2) {
    const timed = async (label: string, run: () => Promise<unknown>) => {
      const from = performance.now();
      await run();
      parts.push(`${label} ${(performance.now() - from).toFixed(0)}`);
    };
    await timed('stats', () => statsOf(db, filter, nowMs));
    await timed('list', () => listLogs(db, filter, { ...page, total }));
  }
  console.log(
    `${name.padEnd(28)}${warmMs.toFixed(0).padStart(6)} ms, best ${bestMs.toFixed(0).padStart(4)}  ${warmMs > goalMs ? 'OVER ' : ''}${parts.join(', ')}`,
  );
}
console.log(`goal ${goalMs} ms: ${missed === 0 ? 'met' : `${missed} over`}`);
