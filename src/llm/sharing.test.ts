import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScripted } from './fixtures/scripted.ts';

const ask = (text: string) => ({ system: 'The policy: no bread.', user: `The data: "rye ${text}"` });
const slowly = [{ when: { user: 'rye' }, do: { delayMs: 100 } }];

test('five hundred equal concurrent questions make one request', async () => {
  await using scripted = await openScripted({ rules: slowly });
  await scripted.model.capabilities();
  const before = scripted.server.stats.calls;
  const answers = await Promise.all(Array.from({ length: 500 }, () => scripted.model.classify(ask('same'))));
  assert.equal(scripted.server.stats.calls - before, 1);
  assert.equal(new Set(answers.map(({ verdict }) => JSON.stringify(verdict))).size, 1);
  assert.equal(scripted.model.status().usage.shared, 499);
});

test('a reply is shared only while its request is in progress', async () => {
  await using scripted = await openScripted({});
  await scripted.model.classify(ask('same'));
  const before = scripted.server.stats.calls;
  await scripted.model.classify(ask('same'));
  assert.equal(scripted.server.stats.calls - before, 1);
});

test('a caller’s short deadline does not shorten that of others sharing the request', async () => {
  await using scripted = await openScripted({ rules: [{ when: { user: 'rye' }, do: { delayMs: 300 } }] });
  await scripted.model.capabilities();
  const hasty = scripted.model.classify(ask('same'), { timeoutMs: 150 });
  const patient = scripted.model.classify(ask('same'), { timeoutMs: 30_000 });
  await assert.rejects(hasty, { code: 'llm_timeout' });
  assert.ok((await patient).verdict);
});

test('concurrent requests stay within the limit, and none is lost', async () => {
  await using scripted = await openScripted({ rules: slowly }, { maxConcurrent: 3 });
  await scripted.model.capabilities();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => scripted.model.classify(ask(`number ${i}`))),
  );
  assert.equal(answers.length, 12);
  assert.equal(scripted.server.stats.mostInFlight, 3);
});

test('callers waiting for a free slot fail at their deadline', async () => {
  await using scripted = await openScripted(
    { rules: [{ when: { user: 'rye' }, do: { hang: true } }] },
    { maxConcurrent: 1 },
  );
  await scripted.model.capabilities();
  const startedAt = performance.now();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, i) => scripted.model.classify(ask(`number ${i}`), { timeoutMs: 2000 })),
  );
  assert.ok(performance.now() - startedAt < 9_900, 'all wait at the same time');
  for (const outcome of outcomes)
    assert.equal(outcome.status === 'rejected' && (outcome.reason as { code: string }).code, 'llm_timeout');
});

test('requests over the token budget wait, or are refused when the deadline is too short', async () => {
  let now = Date.now();
  await using scripted = await openScripted({}, { tokensPerMinute: 6000, clock: { now: () => now } });
  await scripted.model.capabilities();
  now += 60_000;
  // 24,000 characters are about 6,000 tokens: a whole minute.
  const long = 'word '.repeat(4800);
  await scripted.model.classify(ask(long));
  await assert.rejects(scripted.model.classify(ask(`${long}again`), { timeoutMs: 500 }), /budget/);
  now += 60_000;
  assert.ok((await scripted.model.classify(ask(`${long}later`))).verdict);
});

test('requests that never reached the model use no token budget', async () => {
  await using scripted = await openScripted(
    { rules: [{ when: { user: 'away' }, do: { status: 404 } }] },
    { tokensPerMinute: 6000, clock: { now: () => 0 } },
  );
  await scripted.model.capabilities();
  const away = `away ${'word '.repeat(2000)}`;
  for (let i = 0; i < 20; i++)
    await assert.rejects(scripted.model.classify(ask(`${away}${i}`)), /answered 404/);
});

test('usage figures equal the sum of the observations', async () => {
  await using scripted = await openScripted({
    rules: [{ when: { user: 'broken' }, do: { broken: 'shape' } }],
  });
  await Promise.all([scripted.model.classify(ask('same')), scripted.model.classify(ask('same'))]);
  await assert.rejects(scripted.model.classify(ask('broken'), { timeoutMs: 30_000 }));
  const { usage } = scripted.model.status();
  assert.equal(usage.questions, scripted.observations.length);
  assert.equal(usage.requests, scripted.server.stats.calls);
  assert.equal(usage.failures.llm_malformed, 1);
  assert.equal(usage.shared, 1);
});
