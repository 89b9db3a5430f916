import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceRows } from '../fixtures/rows.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock } = service;

const push = (body: readonly object[]) =>
  call('POST', '/api/v1/shadow-ai/telemetry', { as: tokens.admin, body });
const worthless = (count: number) => Array.from({ length: count }, () => ({}));

const device = deviceRows('quiet', clock.now() - 3_600_000);
const good = [1, 2, 3].map((at) => device.start(at, { uid: `p${at}`, image: '/usr/bin/sort' }));

test('a body of rows that are no events is not read to its end, and what came before is kept', async () => {
  const { status, body } = await push([...good, ...worthless(20_000)]);
  assert.equal(status, 422);
  assert.match(body.detail, /^10000 rows in a row were refused, the last one, row \d+, because: /);
  assert.match(body.detail, new RegExp(`${good.length} rows before it were kept`));
});

test('bad rows among good ones spoil nothing', async () => {
  const { status, body } = await push([...worthless(9999), ...good, ...worthless(9999)]);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.accepted, body.rejected_total], [good.length, 19_998]);
});
