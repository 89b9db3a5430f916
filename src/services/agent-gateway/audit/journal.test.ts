import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newUuid } from '#base/ids.ts';
import { openTestService } from '../fixtures/service.ts';
import type { CallEntry } from './entry.ts';
import { Journal } from './journal.ts';
import { countCalls, insertMissingCalls } from './store.ts';

const folder = await mkdtemp(join(tmpdir(), 'bulwark-journal-'));
after(() => rm(folder, { recursive: true, force: true }));
const tenantId = newUuid();

const entry = (fields: Partial<CallEntry> = {}): CallEntry => ({
  callId: newUuid(),
  tenantId,
  gatewayId: 'gw_journal',
  at: new Date('2026-01-01T12:00:00Z'),
  method: 'tools/call',
  toolName: 'read "file"\n',
  serverId: null,
  userId: newUuid(),
  principal: 'admin',
  sessionId: 's',
  arguments: '{"text":"a\\tb\\\\n\\u2028"}',
  allowed: true,
  outcome: 'ok',
  reason: '',
  ruleIds: ['rul_"one"', 'rul,two'],
  latencyMs: 1.25,
  guardLatencyMs: 0.5,
  traceId: null,
  redactions: { secret: 2 },
  ...fields,
});

const leftIn = (path: string): CallEntry[] =>
  [...new Journal(path).leftBehind()].flatMap(({ entries }) => entries);

test('what was not settled is found again, without a line that was cut short', () => {
  const path = join(folder, 'cut');
  const journal = new Journal(path);
  const [first, second, third] = [entry(), entry(), entry()];
  for (const each of [first, second, third]) journal.append(each);
  journal.settled([second]);
  // A killed process does not dispose.
  const [name = ''] = readdirSync(path);
  appendFileSync(join(path, name), JSON.stringify(entry()).slice(0, 100));
  assert.deepEqual(leftIn(path), [first, second, third]);
  assert.equal(statSync(join(path, name)).mode & 0o777, 0o600);
});

test('a file is emptied when all of it is settled, and a full one is followed by another', () => {
  const path = join(folder, 'full');
  const journal = new Journal(path);
  const large = Array.from({ length: 12 }, () => entry({ arguments: 'x'.repeat(500_000) }));
  for (const each of large) journal.append(each);
  assert.equal(readdirSync(path).length, 2);
  journal.settled(large.slice(0, 8));
  assert.equal(readdirSync(path).length, 1, 'the first file is gone');
  const last = entry();
  journal.append(last);
  journal.settled(large.slice(8));
  assert.ok(leftIn(path).some(({ callId }) => callId === last.callId));
  journal.settled([last]);
  assert.deepEqual(leftIn(path), []);
  journal[Symbol.dispose]();
  assert.deepEqual(readdirSync(path), []);
});

test('left entries are inserted once, whatever of them the database has already', async () => {
  await using service = await openTestService();
  const entries = Array.from({ length: 700 }, () => entry());
  await insertMissingCalls(service.db, entries.slice(0, 300));
  await insertMissingCalls(service.db, entries);
  assert.equal(await countCalls(service.db, { tenantId }, { gatewayId: 'gw_journal' }), 700);
  const [row] = await service.db.query<Record<string, unknown>>(
    'select tool_name, arguments, rule_ids, redactions, latency_ms from agent_gateway.calls where call_id = $1',
    [entries[0]?.callId],
  );
  const { toolName, arguments: args, ruleIds, redactions, latencyMs } = entry();
  assert.deepEqual(row, {
    tool_name: toolName,
    arguments: args,
    rule_ids: ruleIds,
    redactions,
    latency_ms: latencyMs,
  });
});
