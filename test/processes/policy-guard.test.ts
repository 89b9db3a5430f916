/** Two `bulwark serve policy-guard` on one PostgreSQL and one Redis: changes by one apply to the other. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startScriptedModel, type ScriptedModel } from '../fixtures/scripted-model/server.ts';
import { startTogether, whyNot, type Together } from './together.ts';

const skip = await whyNot();
let model: ScriptedModel;
let together: Together;

before(async () => {
  if (skip !== false) return;
  model = await startScriptedModel();
  together = await startTogether('policy-guard', 2, {
    BULWARK_LLM_BASE_URL: model.url,
    BULWARK_LLM_MODEL: 'scripted',
    BULWARK_LLM_TIMEOUT_MS: '60000',
    BULWARK_LLM_ATTEMPT_TIMEOUT_MS: '60000',
    BULWARK_POLICY_GUARD_JUDGE_TIMEOUT_MS: '60000',
  });
});

after(async () => {
  if (skip !== false) return;
  await together[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const call: Together['call'] = (...args) => together.call(...args);

/** A guard with a group of one custom policy, created through the first process. */
async function makeGuard(block: string, settings: object = {}) {
  const group = await call(0, 'POST', '/api/policy_groups', {
    name: 'Shared',
    policies: [{ name: 'Pastry', block_activities: [block] }],
  });
  const guard = await call(0, 'POST', '/api/guards', {
    name: 'Shared',
    policy_group_uuids: [group.group_uuid],
    settings,
  });
  return { group, guardUuid: String(guard.guard_uuid) };
}

const judge = (at: number, guardUuid: string, text: string) =>
  call(at, 'POST', '/api/topic_guard', { guard_uuid: guardUuid, text });

/** Requests to the model for verdicts on texts that contain the words. */
const asked = (words: string) =>
  model.stats.requests.filter(
    ({ logprobs, messages }) => logprobs === true && messages[1]?.content.includes(words),
  ).length;

test('a policy changed through one process is used by the other', { skip }, async (context) => {
  const { group, guardUuid } = await makeGuard('Praising croissants', { engine: 'embedded' });
  const text = 'Recommend shares to buy';
  assert.equal((await judge(1, guardUuid, text)).flag, false);
  const [{ _id: policyId }] = group.policies;
  await call(0, 'PUT', `/api/policy_groups/${group.group_uuid}/policies/${policyId}`, {
    block_activities: ['Recommend shares to buy'],
  });
  const startedAt = performance.now();
  let flag = false;
  // The documented limit is a second; a busy machine may take longer to notice.
  while (!flag && performance.now() - startedAt < 20_000) ({ flag } = await judge(1, guardUuid, text));
  assert.equal(flag, true);
  context.diagnostic(`seen after ${Math.round(performance.now() - startedAt)} ms`);
});

test('a guard changed through one process is used by the other', { skip }, async () => {
  const { guardUuid } = await makeGuard('Praising croissants', { engine: 'embedded' });
  assert.equal((await judge(1, guardUuid, 'Hello')).guard, 'Shared');
  await call(0, 'PUT', `/api/guards/${guardUuid}`, { name: 'Renamed' });
  const startedAt = performance.now();
  let name = 'Shared';
  while (name === 'Shared' && performance.now() - startedAt < 20_000)
    name = (await judge(1, guardUuid, 'Hello')).guard;
  assert.equal(name, 'Renamed');
});

test('a verdict of one process is served from the cache by the other', { skip }, async () => {
  const { guardUuid } = await makeGuard('Praising croissants');
  const first = await judge(0, guardUuid, 'A walnut loaf.');
  // Cache writes are not awaited: the first process's write may still be in progress.
  let hits = 0;
  for (let i = 0; i < 200 && hits === 0; i++) {
    const second = await judge(1, guardUuid, 'A walnut loaf.');
    assert.deepEqual(second.results, first.results);
    ({ hits } = await call(1, 'GET', '/api/cache/stats'));
    await sleep(20);
  }
  assert.ok(hits > 0);
  assert.equal(asked('walnut loaf'), 1);
});

test('500 equal calls to both processes at once make one request to the model', { skip }, async () => {
  const { guardUuid } = await makeGuard('Praising éclairs');
  model.play({ rules: [{ when: { user: 'poppy seeds' }, do: { delayMs: 300 } }] });
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, i) => judge(i % 2, guardUuid, 'Bread with poppy seeds.')),
  );
  for (const { results } of answers) {
    assert.equal(results[0].engine, 'llm');
    assert.equal(results[0].degraded, false);
    assert.deepEqual(results[0].probs, answers[0].results[0].probs);
  }
  assert.equal(asked('poppy seeds'), 1);
});
