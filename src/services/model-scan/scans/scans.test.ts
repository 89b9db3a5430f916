import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { addTestColleague } from '#identity/test-people.ts';
import { openTestService } from '../fixtures/service.ts';
import { startScriptedTarget } from '../scripted-target/server.ts';

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
const post = (path: string, body: object, who = as) => call('POST', path, { as: who, body });

test('a scan goes from its start to its summary', async () => {
  const { status, body } = await post('/v1/scan/start', { scan_name: 'first', model, datasets });
  assert.equal(status, 200);
  assert.deepEqual(body, { scan_id: body.scan_id, status: 200 });
  assert.match(body.scan_id, /^scan_[\w-]{24}$/);
  const done = await until(body.scan_id, 'Finished');
  const total = readDataSets().get('FINRA')?.cases.length;
  assert.deepEqual(
    [done.id, done.kind, done.progress.done, done.progress.total, done.started_at],
    [done.scan_id, 'model_scan', done.passed_line, done.total, done.scan_time],
  );
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

test('TOML starts the same scan; without data sets it has all', async () => {
  const toml = (text: string) =>
    call('POST', '/v1/scan/start', { as, raw: text, headers: { 'content-type': 'application/toml' } });
  const head = `[model]\nbase_url = "${target.url}"\napi_key = "${key}"\nmodel_name = "scripted"\n`;
  const { body } = await toml(
    `scan_name = "toml"\n${head}[model.extra_headers]\nx-team = "red"\n[scan]\nqpm = 100000\nis_user_model = true\napplication_id = "app"\n[[scan.datasets]]\nname = "FINRA"\n`,
  );
  const done = await until(body.scan_id, 'Finished');
  assert.equal(done.total, readDataSets().get('FINRA')?.cases.length);
  assert.equal(target.log.at(-1)?.headers['x-team'], 'red');
  const { body: all } = await toml(`[scan]\nscan_name = "toml all"\n${head}`);
  const { body: progress } = await post('/v1/scan/progress', { scan_id: all.scan_id });
  assert.equal(progress.total, cases.length);
  await post('/v1/scan/pause', { scan_id: all.scan_id });
  const { status, body: refused } = await toml('[scan\nscan_name = ');
  assert.equal(status, 400);
  assert.match(refused.detail, /not valid TOML, at line 1, column/);
});

test('a sandbox scan has 24 fixed cases and is no usage', async () => {
  const before = await post('/v1/scan/usage', { mode: 'all_time' });
  const { body } = await post('/v1/sandbox/scan/start', { scan_name: 'sandbox', model });
  const done = await until(body.scan_id, 'Finished');
  assert.deepEqual([done.total, done.sandbox], [24, true]);
  const usage = await post('/v1/scan/usage', { mode: 'all_time' });
  assert.equal(usage.body.total_scans, before.body.total_scans);
});

test('every bad request is answered 400 and names its field', async () => {
  const good = { scan_name: 'bad', model, datasets };
  const refused = async (body: object, pattern: RegExp, path = '/v1/scan/start') => {
    const answer = await post(path, body);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.match(answer.body.detail, pattern);
    assert.ok(!answer.body.detail.includes(key));
  };
  await refused({ ...good, scan_name: undefined }, /'scan_name' is required/);
  await refused({ ...good, scan_name: '' }, /'scan_name'/);
  await refused({ ...good, model: undefined }, /'model' is required/);
  for (const field of ['base_url', 'api_key', 'model_name'] as const)
    await refused(
      { ...good, model: { ...model, [field]: undefined } },
      new RegExp(`'model.${field}' is required`, 'i'),
    );
  await refused({ ...good, model: { ...model, temperature: 3 } }, /'model.temperature'/);
  await refused({ ...good, model: { ...model, max_tokens: 0 } }, /'model.max_tokens'/);
  await refused({ ...good, model: { ...model, base_url: 'ftp://a.example' } }, /'model.base_url'/);
  await refused({ ...good, model: { ...model, base_url: 'http://10.0.0.8/v1' } }, /'model.base_url'/);
  await refused({ ...good, model: { ...model, base_url: 'http://u:p@127.0.0.1/v1' } }, /'model.base_url'/);
  await refused({ ...good, model: { ...model, extra_headers: { host: 'a' } } }, /'model.extra_headers'/);
  await refused({ ...good, datasets: undefined }, /'datasets' is required/);
  await refused({ ...good, datasets: [] }, /'datasets'/);
  await refused({ ...good, datasets: [{}] }, /'datasets\[0\].name' is required/);
  await refused({ ...good, datasets: [{ name: 'Nothing' }] }, /'datasets\[0\].name'/);
  await refused({ ...good, algorithms: ['Nothing'] }, /'algorithms\[0\]'/);
  await refused({ ...good, input_modalities: ['image'] }, /'input_modalities\[0\]' must be "text"/);
  await refused({ ...good, output_modalities: ['audio'] }, /'output_modalities\[0\]'/);
  await refused({ ...good, qpm: 0 }, /'qpm'/);
  await refused({ ...good, concurrency: 0 }, /'concurrency'/);
  for (const concurrency of [257, 10_001])
    await refused({ ...good, concurrency }, /'concurrency' must be at most 256/);
  await refused({ ...good, scan_name: 'first' }, /'scan_name' "first" is taken/);
  await refused({}, /'scan_id' is required/, '/v1/scan/summary');
  await refused({}, /'scan_id' is required/, '/v1/scan/download');
  await refused({}, /'scan_id' is required/, '/v1/scan/pause');
  await refused({}, /'scan_id' is required/, '/v1/scan/retry');
  await refused({}, /'mode' is required/, '/v1/scan/usage');
  await refused({ mode: 'weekly' }, /'mode'/, '/v1/scan/usage');
  await refused({ mode: 'custom' }, /'start' or 'end'/, '/v1/scan/usage');
  const [start_, end] = ['2026-02-01T00:00:00Z', '2026-01-01T00:00:00Z'];
  await refused({ mode: 'custom', start: start_, end }, /'end' must not be before 'start'/, '/v1/scan/usage');
  await refused({ since: 'yesterday' }, /'since'/, '/v1/scan/progress');
  await refused({ status: ['Done'] }, /'status/, '/v1/scan/progress');
  const broken = await call('POST', '/v1/scan/start', { as, raw: '{"scan_name":' });
  assert.equal(broken.status, 400);
  const typed = { as, raw: 'a', headers: { 'content-type': 'text/csv' } };
  assert.equal((await call('POST', '/v1/scan/start', typed)).status, 400);
});

test('no key is 401, an unknown scan 404, another state than needed 400', async () => {
  assert.equal((await call('POST', '/v1/scan/progress', { body: {} })).status, 401);
  const unknown = { scan_id: 'scan_unknown' };
  for (const path of ['progress', 'summary', 'download', 'pause', 'retry'])
    assert.equal((await post(`/v1/scan/${path}`, unknown)).status, 404, path);
  const { body: all } = await post('/v1/scan/progress', {});
  const { scan_id: finished } = all.find((each: { status: string }) => each.status === 'Finished');
  assert.match((await post('/v1/scan/pause', { scan_id: finished })).body.detail, /The scan is Finished/);
  const retried = await post('/v1/scan/retry', { scan_id: finished });
  assert.deepEqual([retried.status, /The scan is Finished/.test(retried.body.detail)], [400, true]);
});

test('a paused scan sends nothing, has no summary, and goes on where it was', async () => {
  const scanId = await start({ scan_name: 'paused', model, datasets, concurrency: 1, qpm: 2 });
  const begun = await until(scanId, 'Scanning');
  assert.ok(begun.remaining_time > 0);
  const { body: paused } = await post('/v1/scan/pause', { scan_id: scanId });
  assert.deepEqual(paused, { status: 'paused', scan_id: scanId });
  const asked = target.log.length;
  for (const path of ['summary', 'download']) {
    const { status, body } = await post(`/v1/scan/${path}`, { scan_id: scanId });
    assert.equal(status, 400);
    assert.match(body.detail, /Paused/);
  }
  assert.equal((await post('/v1/scan/pause', { scan_id: scanId })).status, 400);
  assert.equal(target.log.length, asked);
  const { body: retried } = await post('/v1/scan/retry', { scan_id: scanId });
  assert.deepEqual(retried, { scan_id: scanId, status: 200 });
  const continued = await post('/v1/scan/start', {
    scan_name: 'paused',
    model,
    datasets,
    continue_flag: true,
  });
  assert.equal(continued.status, 400, 'it runs already');
  await post('/v1/scan/pause', { scan_id: scanId });
  const again = await post('/v1/scan/start', { scan_name: 'paused', model, datasets, continue_flag: true });
  assert.equal(again.body.scan_id, scanId);
  assert.equal((await call('DELETE', `/v1/scan/${scanId}`, { as })).status, 200);
  assert.equal((await post('/v1/scan/progress', { scan_id: scanId })).status, 404);
});

test('progress of all scans is sorted, bounded by since, and private unless shared', async () => {
  const { body: all } = await post('/v1/scan/progress', {});
  const times = all.map((each: { created_at: string }) => each.created_at);
  assert.deepEqual(times, times.toSorted());
  const { body: later } = await post('/v1/scan/progress', { since: times[1] });
  assert.equal(later.length, all.length - 1);
  const states = [...new Set(all.map((each: { status: string }) => each.status))];
  for (const state of states) {
    const { body: some } = await post('/v1/scan/progress', { status: [state] });
    const wanted = all.filter((each: { status: string }) => each.status === state);
    assert.deepEqual(some, wanted, String(state));
  }
  assert.equal((await post('/v1/scan/progress', { status: states })).body.length, all.length);
  const mine = await start({ scan_name: 'of a member', model, datasets }, tokens.member);
  await until(mine, 'Finished');
  const colleague = await addTestColleague(call, tokens.admin);
  const sees = async (who: string) => (await post('/v1/scan/progress', { scan_id: mine }, who)).status;
  assert.deepEqual([await sees(colleague), await sees(tokens.stranger), await sees(as)], [404, 404, 200]);
  const shared = await call('PATCH', `/v1/scan/${mine}`, {
    as: tokens.member,
    body: { visibility: 'tenant' },
  });
  assert.equal(shared.body.visibility, 'tenant');
  assert.deepEqual([await sees(colleague), await sees(tokens.stranger)], [200, 404]);
  assert.equal((await post('/v1/scan/pause', { scan_id: mine }, colleague)).status, 403);
  const owned = await post('/v1/scan/progress', { owner: 'me' }, tokens.member);
  assert.deepEqual(
    owned.body.map((each: { scan_id: string }) => each.scan_id),
    [mine],
  );
  const names = await post('/v1/scan/start', { scan_name: 'first', model, datasets }, tokens.stranger);
  assert.equal(names.status, 200, 'names are unique within a tenant');
});

test('usage counts finished scans by period', async () => {
  const { body: month } = await post('/v1/scan/usage', { mode: 'current_billing_cycle' });
  const { body: ever } = await post('/v1/scan/usage', { mode: 'all_time' });
  assert.equal(month.total_scans, ever.total_scans);
  assert.ok(month.total_scans >= 2 && month.period.start.endsWith('-01T00:00:00.000Z'));
  const { body: none } = await post('/v1/scan/usage', { mode: 'custom', end: '2020-01-01T00:00:00Z' });
  assert.deepEqual([none.total_scans, none.period], [0, null]);
  const { body: some } = await post('/v1/scan/usage', { mode: 'custom', start: '2020-01-01T00:00:00Z' });
  assert.deepEqual([some.total_scans, some.period.end], [ever.total_scans, ever.period.end]);
});

test('a finished scan that is deleted stays counted as usage, a sandbox scan is not counted then either', async () => {
  const finished = await start({ scan_name: 'spent', model, datasets });
  await until(finished, 'Finished');
  const { body: sandbox } = await post('/v1/sandbox/scan/start', { scan_name: 'sandbox to go', model });
  await until(sandbox.scan_id, 'Finished');
  const usage = async (mode: object) => {
    const { as_of: _, ...counted } = (await post('/v1/scan/usage', mode)).body;
    return counted;
  };
  const month = { mode: 'current_billing_cycle' };
  const before = [await usage(month), await usage({ mode: 'all_time' })];
  for (const id of [finished, sandbox.scan_id])
    assert.equal((await call('DELETE', `/v1/scan/${id}`, { as })).status, 200);
  assert.deepEqual([await usage(month), await usage({ mode: 'all_time' })], before);
});

test('data sets are listed, a model can be probed, progress is streamed', async () => {
  const { body } = await call('GET', '/v1/scan/datasets', { as });
  assert.equal(body.datasets.length, 20);
  assert.equal(body.algorithms.length, 8);
  const { body: good } = await post('/v1/scan/probe', { model });
  assert.equal(good.ok, true);
  const { body: wrong } = await post('/v1/scan/probe', { model: { ...model, api_key: 'sk-wrong-key-000' } });
  assert.equal(wrong.ok, false);
  assert.match(wrong.detail, /'model.api_key'/);
  assert.ok(!wrong.detail.includes('sk-wrong-key-000'));
  const scanId = await start({ scan_name: 'watched', model, datasets });
  const { body: events } = await call('GET', `/v1/scan/${scanId}/events`, { as });
  assert.match(events, /event: progress\ndata: .*"status":"Finished"/);
});
