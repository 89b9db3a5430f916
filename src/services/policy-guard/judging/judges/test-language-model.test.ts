import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../../fixtures/service.ts';
import { openJudgingService } from './fixtures/judging-service.ts';

const judging = await openJudgingService();
after(() => judging[Symbol.asyncDispose]());
const { service, model } = judging;
const path = '/api/judge/language_model/test';

test('the test sends a request to the model and reports its capabilities', async () => {
  const { status, body } = await service.call('POST', path, { as: service.tokens.admin });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.answered, body.error, body.model], [true, null, 'scripted']);
  assert.ok(body.latency_ms > 0 && body.reply.length > 0);
  assert.equal(body.endpoint, model.url);
  assert.equal(typeof body.capabilities.logprobs, 'boolean');
  const again = await service.call('POST', path, { as: service.tokens.admin });
  assert.equal(again.body.usage.requests, body.usage.requests + 1, 'its capabilities are known by now');
});

test('a failing model is reported in the result, not as an error of the service', async () => {
  model.play({ rules: [{ when: { user: 'ready' }, do: { status: 500 } }] });
  const { status, body } = await service.call('POST', path, { as: service.tokens.admin });
  assert.deepEqual([status, body.answered, body.reply, body.latency_ms], [200, false, null, null]);
  assert.ok(body.error.length > 0);
  model.play({});
});

test('only system administrators may run the test; without a model it is 409', async () => {
  for (const as of [service.tokens.member, service.tokens.stranger])
    assert.equal((await service.call('POST', path, { as })).status, 403);
  await using bare = await openTestService();
  const { status, body } = await bare.call('POST', path, { as: bare.tokens.admin });
  assert.equal(status, 409);
  assert.match(body.detail, /llm\.base_url/);
});
