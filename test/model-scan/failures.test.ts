import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { openTestService } from '#services/model-scan/fixtures/service.ts';
import { faults } from '#services/model-scan/scripted-target/faults.ts';
import { startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';

const key = 'sk-of-the-target-1234567890';
const cases = [...readDataSets().values()].flatMap((set) => set.cases);
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
let number = 0;
const scan = (changed: object = {}, more: object = {}) =>
  start({ scan_name: `scan ${++number}`, model: { ...model, ...changed }, datasets, ...more });

test('a target that cannot be scanned is refused at the start, with a message on how to fix it', async () => {
  const failed = async (changed: object) => (await until(await scan(changed), 'Failed')).error;
  const wrong = await failed({ api_key: 'sk-wrong-1234567890' });
  assert.match(wrong, /401.*Check 'model.api_key'/);
  assert.ok(!wrong.includes('sk-wrong-1234567890'));
  assert.match(await failed({ model_name: 'nothing' }), /404.*'model.model_name'/);
  assert.match(await failed({ base_url: 'http://127.0.0.1:9/v1' }), /cannot be reached.*'model.base_url'/);
  target.play('html');
  assert.match(await failed({}), /a web page.*'model.base_url'/);
  target.play('wrong_type');
  assert.match(await failed({}), /an event stream/);
  target.play(undefined);
});

test('a failed scan can be resumed with another key', async () => {
  const scanId = await scan({ api_key: 'sk-wrong-1234567890' });
  await until(scanId, 'Failed');
  await call('POST', '/v1/scan/retry', { as, body: { scan_id: scanId, api_key: key } });
  const { body } = await call('POST', '/v1/scan/progress', { as, body: { scan_id: scanId } });
  assert.equal(body.error, null);
  await until(scanId, 'Finished');
});

test('temporary failures delay a scan but do not change its result', async () => {
  for (const fault of Object.keys(faults) as (keyof typeof faults)[]) {
    if (!['burst_429', 'truncated_json', 'dropped'].includes(fault)) continue;
    target.play(fault);
    const scanId = await scan();
    await until(scanId, 'Finished');
    const { body } = await call('POST', '/v1/scan/summary', { as, body: { scan_id: scanId } });
    assert.deepEqual([body.avg_score, body.unassessed], [100, []], fault);
  }
  target.play(undefined);
});

test('a scan ends at its budget, and stored replies are not requested again', async () => {
  const scanId = await scan({}, { budget: { requests: 60 }, concurrency: 1 });
  for (let round = 0; ; round++) {
    assert.ok(round < 10);
    const { status, error, passed_line: passed } = await until(scanId, 'Failed', 'Finished');
    if (status === 'Finished') break;
    assert.match(error, /budget of 60 requests is spent/);
    assert.ok(passed <= 59 * (round + 1));
    await call('POST', '/v1/scan/retry', { as, body: { scan_id: scanId } });
  }
});

test('a key that the target repeats is not stored', async () => {
  await using echo = await startScriptedTarget({ persona: 'echo', cases });
  const scanId = await scan({ base_url: echo.url, extra_headers: { 'x-secret': key } });
  await until(scanId, 'Finished');
  for (const table of ['scans', 'cases', 'tests', 'attempts'])
    assert.ok(!JSON.stringify(await db.query(`select * from model_scan.${table}`)).includes(key), table);
  assert.ok(!JSON.stringify(await db.query('select * from runs.runs')).includes(key));
});
