import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { addTestColleague } from '#identity/test-people.ts';
import { openTestService } from '../fixtures/service.ts';
import { startScriptedTarget } from '../scripted-target/server.ts';

const key = 'sk-of-the-target-1234567890';
const cases = readDataSets().flatMap((set) => set.cases);
const [service, target] = await Promise.all([
  openTestService(),
  startScriptedTarget({ persona: 'careful', cases, apiKey: key, modelName: 'scripted' }),
]);
after(async () => {
  await service[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});
const { call, tokens, start, until, db } = service;
const as = tokens.admin;
const model = { base_url: target.url, api_key: key, model_name: 'scripted' };
const datasets = [{ name: 'FINRA' }];
const post = (path: string, body: object, who = as) => call('POST', path, { as: who, body });

test('a scan goes from its start to its summary', async () => {
  const { status, body } = await post('/v1/scan/start', { scan_name: 'first', model, datasets });
  assert.equal(status, 200);
  assert.deepEqual(body, { scan_id: body.scan_id, status: 200 });
  assert.match(body.scan_id, /^scan_[\w-]{24}$/);
  const done = await until(body.scan_id, 'Finished');
  const total = readDataSets().find(({ name }) => name === 'FINRA')?.cases.length;
  assert.deepEqual(
    [done.passed_line, done.total, done.percentage, done.remaining_time],
    [total, total, 100, 0],
  );
  assert.equal(done.error, null);
  const { body: summary } = await post('/v1/scan/summary', { scan_id: body.scan_id });
  assert.equal(summary.averages.FINRA, 100);
  assert.deepEqual(Object.keys(summary.averages_attack), ['Default']);
  assert.deepEqual([summary.avg_score, summary.risk_level, summary.failures], [100, 'Low', {}]);
  const rows = await db.query('select * from model_scan.scans, model_scan.cases, model_scan.attempts');
  assert.ok(!JSON.stringify(rows).includes(key));
});
