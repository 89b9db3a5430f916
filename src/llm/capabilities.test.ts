import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openScripted } from './fixtures/scripted.ts';

const good = {
  topLogprobs: 20,
  jsonSchema: true,
  reasoning: 'none',
  maxTokensField: 'max_tokens',
  temperature: true,
  logprobs: true,
  judges: true,
} as const;

const question = { system: 'The policy: no bombs.', user: 'The data: "a bomb"' };

for (const [name, always, differs] of [
  ['a server that can all', {}, {}],
  ['none of the log-probabilities', { logprobs: 'missing' }, { logprobs: false, topLogprobs: 0 }],
  ['refuses logprobs', { rejects: ['logprobs'] }, { logprobs: false, topLogprobs: 0 }],
  ['enforces no schema', { jsonSchema: false }, { jsonSchema: false }],
  ['refuses response_format', { rejects: ['response_format'] }, { jsonSchema: false }],
  ['wants max_completion_tokens', { rejects: ['max_tokens'] }, { maxTokensField: 'max_completion_tokens' }],
  ['takes no temperature', { rejects: ['temperature'] }, { temperature: false }],
  ['thinks', { reasoning: 'field' }, { reasoning: 'field' }],
  ['judges nothing', { verdict: { A: 0.1, B: 0.1, C: 0.8 } }, { judges: false }],
  [
    'refuses all judgement',
    { refuse: 'text' },
    { logprobs: false, topLogprobs: 0, jsonSchema: false, judges: false },
  ],
] as const)
  test(`a probe detects: ${name}`, async () => {
    await using scripted = await openScripted({
      always: { ...always, ...('rejects' in always ? { rejects: [...always.rejects] } : {}) } as never,
    });
    assert.deepEqual(await scripted.model.capabilities(), { ...good, ...differs });
    if (!('refuse' in always)) assert.ok((await scripted.model.classify(question)).verdict);
  });

test('concurrent callers share one probe, and its result is kept', async () => {
  await using scripted = await openScripted({});
  await Promise.all(Array.from({ length: 50 }, () => scripted.model.capabilities()));
  const calls = scripted.server.stats.calls;
  assert.ok(calls <= 8, `${calls} calls`);
  await scripted.model.capabilities();
  assert.equal(scripted.server.stats.calls, calls);
});

test('the server is probed again after an hour, and when it refuses a parameter that it accepted before', async () => {
  let now = Date.now();
  await using scripted = await openScripted({}, { clock: { now: () => now } });
  await scripted.model.capabilities();
  const probedAt = () => scripted.model.status().probedAt;
  scripted.server.play({});
  now += 61 * 60 * 1000;
  // Older results are used meanwhile.
  await scripted.model.capabilities();
  while (probedAt() !== now) await sleep(5);
  assert.ok(scripted.server.stats.calls > 0);
  now += 61 * 1000;
  scripted.server.play({ always: { rejects: ['max_tokens'] } });
  await assert.rejects(scripted.model.classify(question), { code: 'llm_unavailable' });
  assert.ok((await scripted.model.classify(question)).verdict.A > 0.8);
  assert.equal((await scripted.model.capabilities()).maxTokensField, 'max_completion_tokens');
});

test('a hanging probe does not delay questions while older results are available', async () => {
  let now = Date.now();
  await using scripted = await openScripted({}, { clock: { now: () => now } });
  await scripted.model.capabilities();
  scripted.server.play({ rules: [{ when: { user: 'ready' }, do: { hang: true } }] });
  now += 61 * 60 * 1000;
  assert.equal((await scripted.model.classify(question, { timeoutMs: 2000 })).method, 'logprobs');
});

test('a text that the server refuses by naming a parameter does not cause repeated probes', async () => {
  await using scripted = await openScripted({
    rules: [{ when: { user: 'too long' }, do: { rejects: ['max_tokens'] } }],
  });
  await scripted.model.capabilities();
  scripted.server.play({ rules: [{ when: { user: 'too long' }, do: { rejects: ['max_tokens'] } }] });
  const long = { ...question, user: 'The data: "too long"' };
  for (let i = 0; i < 3; i++) {
    await assert.rejects(scripted.model.classify(long), { code: 'llm_unavailable' });
    await scripted.model.classify(question);
  }
  assert.equal(scripted.server.stats.calls, 6);
});

test('the status reports the known capabilities', async () => {
  await using scripted = await openScripted({});
  assert.equal(scripted.model.status().available, false);
  assert.equal(scripted.model.status().capabilities, undefined);
  await scripted.model.classify(question);
  const status = scripted.model.status();
  assert.equal(status.available, true);
  assert.deepEqual(status.capabilities, good);
  assert.equal(status.usage.requests, scripted.server.stats.calls);
  assert.ok(status.usage.promptTokens > 0);
});
