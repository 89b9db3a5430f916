import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceRows, type Proc } from '../fixtures/rows.ts';
import { openTestService } from '../fixtures/service.ts';
import { findDetection } from './store.ts';
import { listTimeline } from './timeline.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock, db } = service;
const as = tokens.admin;

test('a session of many processes is told in order, and from its beginning where it is cut off', async () => {
  const startMs = clock.now() - 3_600_000;
  const d = deviceRows('many', startMs);
  const claude: Proc = { uid: 'claude', image: '/usr/bin/claude', cmd: 'claude' };
  const tools = Array.from({ length: 450 }, (_, i): Proc => ({
    uid: `tool-${i}`,
    image: '/usr/bin/bash',
    cmd: `bash -c ${i}`,
    parent: claude,
  }));
  // Each tool has events from its start to the end of the session, so that all blocks overlap.
  const rows = [
    d.start(0, claude),
    ...tools.flatMap((tool, i) => [
      d.start(1 + i, tool),
      d.file(600 + ((i * 7) % 450), tool, `/src/${i}.ts`),
      d.file(1200 - i / 2, tool, `/src/last-${i}.ts`),
    ]),
  ];
  const { body } = await call('POST', '/api/v1/shadow-ai/telemetry', { as, body: rows });
  assert.equal(body.rejected_total, 0);
  const { body: list } = await call('GET', '/api/v1/shadow-ai/events', { as });
  const [{ id }] = list.events;
  const { body: tree } = await call('GET', `/api/v1/shadow-ai/events/${id}/tree`, { as });
  const times = tree.events.map(({ timestamp }: { timestamp: string }) => timestamp);
  assert.equal(times.length, rows.length);
  assert.deepEqual(times, rows.map(({ time }) => new Date(Math.floor(time)).toISOString()).toSorted());
  assert.equal(tree.truncated, false);

  const [tenant] = await db.query<{ id: string }>("select id from identity.tenants where name = 'system'");
  const detection = await findDetection(db, tenant!.id, id);
  for (const limit of [1, 199, 460, 1000]) {
    const first = await listTimeline(db, tenant!.id, detection!, limit);
    assert.deepEqual(
      first.map(({ at }) => at.toISOString()),
      times.slice(0, limit),
    );
  }
});
