/** Which engine decided, and whether the result is degraded, in every API and the query log. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reflectedClient } from '../../apis/grpc/fixtures/reflected-client.ts';
import { about, openJudgingService, pastry } from './fixtures/judging-service.ts';

const judging = await openJudgingService();
after(() => judging[Symbol.asyncDispose]());
const { service, model } = judging;
const address = await service.guard.grpc.listen({
  service: 'test',
  host: '127.0.0.1',
  port: 0,
  portSetting: 'none',
});
const client = await reflectedClient(address, 'bulwark.topicguard.v1.TopicGuardService');
after(() => client[Symbol.dispose]());

const { guardUuid } = await judging.guard([pastry], { settings: { engine: 'llm', log_requests: true } });

const overGrpc = async (text: string) => {
  const { answer, error } = await client.call(
    'CheckTopicSafety',
    { text, guard_uuid: guardUuid },
    { 'x-api-key': service.keys.admin },
    {},
  );
  assert.equal(error, undefined);
  const { results } = answer as unknown as { results: { engine: string; degraded: boolean }[] };
  return [results[0]?.engine, results[0]?.degraded];
};

const logged = async () => {
  const { body } = await service.call('GET', `/api/queries?guard_uuid=${guardUuid}`, {
    as: service.tokens.admin,
  });
  const { body: detail } = await service.call('GET', `/api/queries/${body.queries[0].query_id}`, {
    as: service.tokens.admin,
  });
  const [{ engine, degraded }] = detail.results;
  assert.deepEqual([detail.engine, detail.degraded], [engine, degraded]);
  return [engine, degraded];
};

test('a verdict of the model is reported as llm and not degraded', async () => {
  model.play({});
  const answer = await judging.ask(guardUuid, 'Is there any cake?');
  assert.deepEqual([answer.results[0].engine, answer.results[0].degraded], ['llm', false]);
  assert.deepEqual(await logged(), ['llm', false]);
  assert.deepEqual(await overGrpc('Is there any bread?'), ['llm', false]);
});

test('a verdict of the embedded engine in place of the model is reported as degraded', async () => {
  model.play({ rules: [about('scones', { status: 404 })] });
  const answer = await judging.ask(guardUuid, 'Are there scones?');
  assert.deepEqual([answer.results[0].engine, answer.results[0].degraded], ['embedded', true]);
  assert.deepEqual(await logged(), ['embedded', true]);
  assert.deepEqual(await overGrpc('No scones today?'), ['embedded', true]);
  assert.deepEqual(await logged(), ['embedded', true]);
});

test('a stream does not use the model, and reports so', async () => {
  const { body } = await service.guard.app.inject({
    method: 'POST',
    url: '/api/topic_guard/stream',
    headers: { 'content-type': 'application/x-ndjson', 'x-api-key': service.keys.admin },
    payload: `${JSON.stringify({ guard_uuid: guardUuid, text: 'What time is it?' })}\n`,
  });
  assert.match(body, /event: end\ndata: \{"offset":16,"flagged":false,"engine":"embedded","degraded":true\}/);
  assert.deepEqual(await logged(), ['embedded', true]);
});
