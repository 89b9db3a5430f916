import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { addTestColleague } from '#identity/test-people.ts';
import { openTestService } from '../fixtures/service.ts';
import { startScriptedTarget } from '../scripted-target/server.ts';

const cases = readDataSets().get('FINRA')?.cases ?? [];
const [service, target] = await Promise.all([
  openTestService(),
  startScriptedTarget({ persona: 'complies', cases }),
]);
after(async () => {
  await service[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});
const { app, call, tokens, start, until, db } = service;
const as = tokens.admin;
const model = { base_url: target.url, api_key: 'sk-of-the-target-1234', model_name: 'scripted' };
const scan = async (name: string, changed: object = {}) => {
  const scanId = await start({
    scan_name: name,
    model: { ...model, ...changed },
    datasets: [{ name: 'FINRA' }],
  });
  await until(scanId, 'Finished');
  return scanId;
};
const first = await scan('first');
let second = '';
const results = (query: string, who = as) => call('GET', `/v1/scan/${first}/results?${query}`, { as: who });

test('results are filtered, paged, and in the order asked for', async () => {
  const { body: failed } = await results('result=failed&limit=5');
  assert.ok(failed.total > 5 && failed.results.length === 5);
  for (const each of failed.results) {
    assert.equal(each.score, 0);
    assert.ok(each.tries.at(-1).messages.length > 0 && each.tries.at(-1).reply.length > 0);
  }
  const { body: newest } = await results('order=newest&limit=500');
  const sent = newest.results.map(({ tries }: { tries: { sent_at: string }[] }) => tries[0]?.sent_at ?? '');
  assert.ok(Date.parse(sent[0]) >= Date.parse(sent.at(-1)));
  const { body: grave } = await results('severity=critical');
  assert.ok(grave.results.every(({ severity }: { severity: string }) => severity === 'critical'));
  for (const [query, field] of [
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['offset=-1', 'offset'],
    ['result=bad', 'result'],
    ['order=random', 'order'],
  ]) {
    const { status, body } = await results(query ?? '');
    assert.deepEqual([status, body.detail.includes(`'${field}'`)], [400, true], body.detail);
  }
});

test('an objection to a verdict is stored, counted, replaced and taken back', async () => {
  const { body: page } = await results('result=failed&limit=2');
  const [one, other] = page.results;
  const path = (number: number) => `/v1/scan/${first}/results/${number}/objection`;
  const put = (number: number, note: string, who = as) =>
    call('PUT', path(number), { as: who, body: { note } });
  assert.equal((await put(one.number, 'It declines in its second sentence.')).status, 200);
  await put(one.number, 'It declines at the end.');
  await put(other.number, 'A quotation.');
  const { body: objected } = await results('objected=true');
  assert.deepEqual([objected.total, objected.objections], [2, 2]);
  assert.equal(
    objected.results.find(({ number }: { number: number }) => number === one.number).objection.note,
    'It declines at the end.',
  );
  const { body: counted } = await call('GET', '/v1/scan/objections', { as });
  assert.equal(counted.total, 2);
  const judge = counted.judges.find(({ objections }: { objections: number }) => objections > 0);
  assert.ok(judge.judged > judge.objections);
  assert.equal((await call('DELETE', path(other.number), { as })).status, 200);
  assert.equal((await call('DELETE', path(other.number), { as })).status, 404);
  assert.equal((await put(999_999, 'No such test.')).status, 404);
  assert.equal((await put(one.number, '')).status, 400);
  assert.equal((await put(one.number, 'Of another tenant.', tokens.stranger)).status, 404);
  const colleague = await addTestColleague(call, as);
  assert.equal((await put(one.number, 'Not shared.', colleague)).status, 404);
  // The score stays.
  const { body: again } = await results('objected=true');
  assert.equal(again.results[0].score, 0);
});

test('the trend has the finished scans of a model, oldest first', async () => {
  second = await scan('second');
  await scan('other', { model_name: 'another model' });
  const { body } = await call('GET', '/v1/scan/trend?model_name=scripted', { as });
  assert.deepEqual(
    body.scans.map(({ scan_name: name }: { scan_name: string }) => name),
    ['first', 'second'],
  );
  assert.ok(body.scans[0].averages.FINRA < 100);
  const { body: last } = await call('GET', '/v1/scan/trend?model_name=scripted&limit=1', { as });
  assert.deepEqual([last.scans.length, last.scans[0].scan_name], [1, 'second']);
  const { body: none } = await call('GET', '/v1/scan/trend?model_name=scripted', { as: tokens.stranger });
  assert.deepEqual(none.scans, []);
});

test('the report is made once, kept, and deleted with its scan', async () => {
  const report = async () =>
    app.inject({
      method: 'GET',
      url: `/v1/scan/${first}/report`,
      headers: { authorization: `Bearer ${as}` },
    });
  const made = await report();
  assert.equal(made.statusCode, 200);
  assert.equal(made.headers['content-type'], 'application/pdf');
  assert.equal(made.rawPayload.subarray(0, 5).toString(), '%PDF-');
  const files = () => db.query("select * from artifacts.artifacts where status = 'ready'");
  const before = await files();
  assert.equal(before.length, 1);
  assert.deepEqual((await report()).rawPayload, made.rawPayload);
  assert.equal((await files()).length, 1);
  await call('DELETE', `/v1/scan/${first}`, { as });
  assert.equal((await files()).length, 0);
});

test('a defence needs the policy guard, and says so where it cannot be reached', async () => {
  const { body: page } = await call('GET', `/v1/scan/${second}/results?result=failed&limit=1`, { as });
  const path = `/v1/scan/${second}/results/${page.results[0].number}/defend`;
  const { status } = await call('POST', path, { as });
  assert.equal(status, 503);
});
