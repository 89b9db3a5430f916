import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxCases } from '#engine/model-scan/data-sets.ts';
import { openTestService } from '../fixtures/service.ts';
import { startScriptedTarget } from '../scripted-target/server.ts';

const service = await openTestService({ BULWARK_MODEL_SCAN_RETENTION_DAYS: '30' });
const target = await startScriptedTarget({ persona: 'complies', cases: sandboxCases() });
after(async () => {
  await service[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});
const { call, tokens, until, db, jobs, app } = service;
const as = tokens.admin;

async function finishedScan(scan_name: string, daysAgo: number): Promise<string> {
  const model = { base_url: target.url, api_key: 'any-key-1234567890', model_name: 'scripted' };
  const { body } = await call('POST', '/v1/sandbox/scan/start', { as, body: { scan_name, model } });
  await until(body.scan_id, 'Finished');
  const { statusCode } = await app.inject({
    method: 'GET',
    url: `/v1/scan/${body.scan_id}/report`,
    headers: { authorization: `Bearer ${as}` },
  });
  assert.equal(statusCode, 200);
  await db.query(
    `update runs.runs r set updated_at = now() - make_interval(days => $2) from model_scan.scans s
      where s.run_id = r.run_id and s.scan_id = $1`,
    [body.scan_id, daysAgo],
  );
  return body.scan_id;
}

const exists = async (scanId: string) =>
  (await call('POST', '/v1/scan/summary', { as, body: { scan_id: scanId } })).status === 200;

test('scans that stopped long ago are deleted with all that belongs to them, others stay', async () => {
  const [old, recent] = [await finishedScan('old', 31), await finishedScan('recent', 29)];
  await jobs.start();
  while (await exists(old)) await sleep(50);
  assert.equal(await exists(recent), true);
  for (const table of ['scans', 'cases', 'tests', 'attempts', 'starts'])
    assert.deepEqual(
      await db.query(`select 1 from model_scan.${table} where scan_id = $1`, [old]),
      [],
      table,
    );
  const reports = await db.query('select 1 from artifacts.artifacts');
  assert.equal(reports.length, 1);
});
