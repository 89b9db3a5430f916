import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openScripted } from '#llm/fixtures/scripted.ts';
import type { Action, Script } from '../../../../test/fixtures/scripted-model/script.ts';
import { openTestService } from '../fixtures/service.ts';

/** Long enough for any answer on a busy machine, short enough to be waited for. */
const timeoutMs = 2500;
let shiftMs = 0;
const scripted = await openScripted(
  {},
  { timeoutMs, attemptTimeoutMs: 2000, attempts: 2, clock: { now: () => Date.now() + shiftMs } },
);
await scripted.model.capabilities();
const service = await openTestService({
  languageModel: scripted.model,
  env: { BULWARK_LLM_TIMEOUT_MS: String(timeoutMs) },
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await scripted[Symbol.asyncDispose]();
});
const as = service.tokens.admin;

const setOf = async (rules: Record<string, { description: string; severity: string }>): Promise<string> => {
  const policy = await service.call('POST', '/api/v1/policies/policy', {
    as,
    body: { name: 'House', rules },
  });
  const set = await service.call('POST', '/api/v1/policies/sets', {
    as,
    body: { name: 'House', policy_ids: [policy.body.policy_id] },
  });
  return set.body.policy_id;
};

/** One rule that the engine understands exactly, and one that only a model can judge. */
const deletion = { description: 'Never delete files.', severity: 'High' };
const taste = { description: 'Replies keep a tone that suits a house of mourning.', severity: 'Medium' };
const both = await setOf({ deletion, taste });
const tasteAlone = await setOf({ taste });

const harmless = { tool: 'read_file', params: { path: 'notes.txt' } };
const deleting = { tool: 'delete_file', params: { path: 'notes.txt' } };

const together = { hasSchema: true, system: 'For each rule' };
const alone = { system: 'this one rule' };
const broken = (rule: number, confidence: number, evidence = 'It jokes about the dead.') => ({
  json: { broken: [{ rule, confidence, evidence }] },
});
const play = (...rules: NonNullable<Script['rules']>) => scripted.server.play({ rules });
const judge = async (request: object, policyId = tasteAlone) => {
  const { status, body } = await service.judge({ policyId, ...harmless, ...request });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

test('a violation that only the model sees blocks', async () => {
  play({ when: together, do: broken(1, 0.95) });
  const answer = await judge({});
  assert.deepEqual([answer.allowed, answer.service_status], [false, 'ok']);
  assert.equal(answer.violations_detail[0].description, taste.description);
  assert.equal(answer.violations_detail[0].confidence, 0.95);
  assert.match(answer.violations_detail[0].reason, /It jokes about the dead/);
});

for (const [name, verdict, expected] of [
  ['confirmed', { A: 0.85, B: 0.1, C: 0.05 }, [false, 1, 0]],
  ['left in doubt', { A: 0.3, B: 0.4, C: 0.3 }, [true, 0, 1]],
  ['dropped', { A: 0.02, B: 0.08, C: 0.9 }, [true, 0, 0]],
] as const)
  test(`a doubt is asked about again by itself: ${name}`, async () => {
    play({ when: together, do: broken(1, 0.5) }, { when: alone, do: { verdict } });
    const answer = await judge({});
    assert.deepEqual([answer.allowed, answer.violations_count, answer.warnings_count], expected);
    assert.equal(scripted.server.stats.calls, 2);
  });

test('what is settled, and what the action cannot break, is not asked about', async () => {
  play({ when: together, do: { json: { broken: [] } } });
  await judge({}, both);
  const asked = scripted.server.stats.requests[0]?.messages[0]?.content ?? '';
  assert.match(asked, /house of mourning/);
  assert.doesNotMatch(asked, /Never delete/);
});

test('the model clears nothing that the engine found', async () => {
  play(
    { when: together, do: { json: { broken: [] } } },
    { when: alone, do: { verdict: { A: 0, B: 0, C: 1 } } },
  );
  const answer = await judge(deleting, both);
  assert.equal(answer.allowed, false);
  assert.equal(answer.violations_detail[0].description, deletion.description);
});

test('a quick answer does not ask what the engine has settled, and otherwise asks once', async () => {
  play({ when: together, do: { json: { broken: [{ rule: 1, confidence: 0.5 }] } } });
  await judge({ ...deleting, more: { fast_mode: true } }, both);
  assert.equal(scripted.server.stats.calls, 0);
  const answer = await judge({ more: { fast_mode: true } });
  assert.equal(scripted.server.stats.calls, 1);
  assert.equal(answer.warnings_count, 1);
});

test('numbers of rules that were not asked about, and odd evidence, do no harm', async () => {
  const evidence = `\u202e\0${'x'.repeat(5000)}`;
  play({
    when: together,
    do: { json: { broken: [0, -1, 2, 999, 1].map((rule) => ({ rule, confidence: 0.9, evidence })) } },
  });
  const answer = await judge({});
  assert.equal(answer.violations_count, 1);
  assert.ok(answer.violations_detail[0].reason.length < 400);
});

/**
 * After several consecutive failures the model is not called for five seconds, which would hide what is tested here.
 */
async function forgetFailures(): Promise<void> {
  shiftMs += 6000;
  play();
  await scripted.model.complete({ messages: [{ role: 'user', content: 'Are you there?' }], maxTokens: 8 });
}

for (const [name, action] of [
  ['never answers', { hang: true }],
  ['slow', { delayMs: 60_000 }],
  ['500', { status: 500 }],
  ['429', { status: 429, retryAfterSeconds: 30 }],
  ['broken JSON', { broken: 'json' }],
  ['hangs up', { cutOff: 'during' }],
  ['refuses', { refuse: 'text' }],
  ['talks', { reply: 'All is well with this one.' }],
  ['another shape', { json: { verdict: 'fine' } }],
] as const satisfies [string, Action][])
  test(`a model that fails leaves the engine’s verdict, in time, and it is said: ${name}`, async () => {
    await forgetFailures();
    play({ do: action });
    const [blocked, allowed] = [await judge(deleting, both), await judge({})];
    assert.deepEqual([blocked.allowed, blocked.service_status], [false, 'degraded']);
    assert.deepEqual([allowed.allowed, allowed.service_status], [true, 'degraded']);
    assert.ok(scripted.server.stats.calls >= 2, 'each asked the model');
  });
