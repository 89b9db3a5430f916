import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findEntry } from '#findings/frameworks.ts';
import { deviceRows } from '../fixtures/rows.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock } = service;
const as = tokens.admin;
const ruleOf = async (id: string, who = as) =>
  (await call('GET', '/api/v1/rules', { as: who })).body.rules.find((rule: { id: string }) => rule.id === id);

test('the catalogue has its rules, with what the tenant has changed', async () => {
  const { body } = await call('GET', '/api/v1/rules', { as: tokens.member });
  assert.ok(body.rules.filter((rule: { id: string }) => !rule.id.startsWith('ai-connect-')).length >= 160);
  assert.ok(body.rules.filter((rule: { id: string }) => rule.id.startsWith('ai-connect-')).length >= 100);
  assert.deepEqual(
    [...new Set(body.categories.map((each: { group: string }) => each.group))],
    ['active', 'upcoming'],
  );
  const named = ['ollama', 'ai-connect-openai', 'behavior-credential-read'];
  assert.deepEqual(
    named.map((id) => body.rules.find((rule: { id: string }) => rule.id === id)?.name),
    ['Ollama', 'OpenAI', 'Credential read'],
  );
  const changed = await call('PATCH', '/api/v1/rules/ollama', {
    as,
    body: { severity_override: 'CRITICAL' },
  });
  assert.deepEqual(
    [changed.body.severity_override, changed.body.enabled, changed.body.severity],
    ['CRITICAL', true, (await ruleOf('ollama')).severity],
  );
  await call('PATCH', '/api/v1/rules/ollama', { as, body: { enabled: false } });
  assert.deepEqual(
    [(await ruleOf('ollama')).severity_override, (await ruleOf('ollama')).enabled],
    ['CRITICAL', false],
  );
  await call('PATCH', '/api/v1/rules/ollama', { as, body: { severity_override: null } });
  assert.equal((await ruleOf('ollama')).severity_override, null);
  assert.equal((await ruleOf('ollama', tokens.stranger)).enabled, true);
});

test('many are changed together, or none', async () => {
  const put = (rules: unknown[], who = as) => call('PUT', '/api/v1/rules/bulk', { as: who, body: { rules } });
  const bad = await put([
    { rule_id: 'cursor', enabled: false },
    { rule_id: 'nobody', enabled: false },
  ]);
  assert.equal(bad.status, 422);
  assert.match(bad.body.detail, /'nobody'/);
  assert.equal((await ruleOf('cursor')).enabled, true);
  const { body } = await put([
    { rule_id: 'cursor', enabled: false },
    { rule_id: 'zed-agent', severity_override: 'LOW' },
    { rule_id: 'aider' },
  ]);
  assert.equal(body.updated, 3);
  assert.deepEqual(
    [(await ruleOf('cursor')).enabled, (await ruleOf('zed-agent')).severity_override],
    [false, 'LOW'],
  );
  assert.equal((await put([{ rule_id: 'cursor', severity_override: 'AWFUL' }])).status, 422);
  assert.equal((await put([{ enabled: true }])).status, 400);
  assert.equal((await put([], tokens.member)).status, 403);
  assert.equal((await call('PATCH', '/api/v1/rules/nobody', { as, body: {} })).status, 404);
});

test('detections of a disabled rule are left out until it is enabled again', async () => {
  const rows = deviceRows('d', clock.now() - 60_000);
  await call('POST', '/api/v1/shadow-ai/telemetry', {
    as,
    body: [rows.start(0, { uid: 'a', image: '/usr/bin/aider' })],
  });
  const total = async () => (await call('GET', '/api/v1/shadow-ai/events', { as })).body.total;
  assert.equal(await total(), 1);
  await call('PATCH', '/api/v1/rules/aider', { as, body: { enabled: false } });
  assert.equal(await total(), 0);
  await call('PATCH', '/api/v1/rules/aider', { as, body: { enabled: true } });
  assert.equal(await total(), 1);
});

test('techniques are those of the published lists', async () => {
  const { body } = await call('GET', '/api/v1/rules', { as });
  const wrong = body.rules.flatMap(({ id, mitre }: { id: string; mitre: string[] | null }) =>
    (mitre ?? [])
      .filter(
        (each) =>
          !findEntry({ framework: each.startsWith('AML') ? 'mitre-atlas' : 'mitre-attack', id: each }),
      )
      .map((each) => `${id}: ${each}`),
  );
  assert.deepEqual(wrong, []);
});
