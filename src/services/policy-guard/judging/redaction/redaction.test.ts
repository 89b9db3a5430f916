/** Redaction through HTTP: directly, and in responses of guards that redact. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sensitiveKinds } from '#engine/redact/finding.ts';
import { SensitiveKind } from '../../contract/redaction.ts';
import { builtInGroup, openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, keys } = service;

const text = 'Mail anna@example.com, card 4111 1111 1111 1111.';
const redact = (body: object, key = keys.admin) => call('POST', '/api/redact', { key, body });

const guardWith = async (settings: object) => {
  const { status, body } = await call('POST', '/api/guards', {
    as: tokens.admin,
    body: { name: 'Redacting', policy_group_uuids: [builtInGroup], settings },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};
const ask = async (guardUuid: string, asked: string) =>
  (await call('POST', '/api/topic_guard', { key: keys.admin, body: { text: asked, guard_uuid: guardUuid } }))
    .body;

test('a text is returned without personal data, with the kind and position of each finding', async () => {
  const { status, body } = await redact({ text });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body, {
    redacted_text: 'Mail [EMAIL], card [PAYMENT_CARD].',
    findings: [
      { kind: 'email', type: 'email', start: 5, end: 21, replacement: '[EMAIL]' },
      { kind: 'payment_card', type: 'payment_card', start: 28, end: 47, replacement: '[PAYMENT_CARD]' },
    ],
  });
  assert.deepEqual((await redact({ text: '' })).body, { redacted_text: '', findings: [] });
  assert.equal(
    (await redact({ text, kinds: ['email'], style: 'mask' })).body.redacted_text,
    'Mail ****@*******.***, card 4111 1111 1111 1111.',
  );
  assert.deepEqual(SensitiveKind.options, [...sensitiveKinds]);
});

test('the hash of a value is stable within a tenant, and differs between tenants', async () => {
  const hashes = async (asked: string, key = keys.admin): Promise<string[]> =>
    (await redact({ text: asked, style: 'hash' }, key)).body.findings.map(
      ({ replacement }: { replacement: string }) => replacement,
    );
  const [first, second] = await hashes('call +44 20 7946 0958 or +44 (20) 7946-0958');
  assert.match(first ?? '', /^\[PHONE:[0-9a-f]{12}\]$/);
  assert.equal(first, second);
  assert.deepEqual(await hashes('ring +442079460958'), [first]);
  assert.notDeepEqual(await hashes('ring +442079460958', keys.stranger), [first]);
});

test('invalid requests are refused', async () => {
  for (const [body, status] of [
    [{}, 400],
    [{ text: 1 }, 422],
    [{ text, kinds: ['age'] }, 422],
    [{ text, kinds: [] }, 422],
    [{ text, style: 'blur' }, 422],
    [{ text: 'x'.repeat(1_000_001) }, 422],
  ] as const)
    assert.equal((await redact(body)).status, status, JSON.stringify(body).slice(0, 80));
  assert.equal((await call('POST', '/api/redact', { body: { text } })).status, 401);
});

test('a guard with redaction returns the whole text redacted, also from the cache and when truncated', async () => {
  const { guard_uuid: plain } = await guardWith({});
  assert.equal('redacted_text' in (await ask(plain, text)), false);
  const made = await guardWith({ redact: {}, max_text_length: 10, cache_enabled: true });
  assert.deepEqual(made.settings.redact, { style: 'label' });
  for (const _ of ['judged', 'from the cache'])
    assert.equal((await ask(made.guard_uuid, text)).redacted_text, 'Mail [EMAIL], card [PAYMENT_CARD].');
  const moderation = await call('POST', '/api/v1/moderations', {
    key: keys.admin,
    body: { input: ['Hello', text], model: made.guard_uuid },
  });
  assert.deepEqual(
    moderation.body.results.map(({ redacted_text }: { redacted_text: string }) => redacted_text),
    ['Hello', 'Mail [EMAIL], card [PAYMENT_CARD].'],
  );

  const change = (redactSetting: unknown) =>
    call('PUT', `/api/guards/${made.guard_uuid}`, {
      as: tokens.admin,
      body: { settings: { redact: redactSetting } },
    });
  const only = await change({ kinds: ['email'], style: 'mask' });
  assert.deepEqual(only.body.settings.redact, { kinds: ['email'], style: 'mask' });
  assert.match((await ask(made.guard_uuid, text)).redacted_text, /4111/);
  assert.equal((await change({ kinds: ['x'] })).status, 422);
  assert.equal((await change(null)).body.settings.redact, null);
  assert.equal('redacted_text' in (await ask(made.guard_uuid, text)), false);
});

test('redacting a long text does not block other requests', async () => {
  const long = redact({
    text: 'Order 12345 was sent to the warehouse, and it is not there yet. '.repeat(15_000),
  });
  let others = 0;
  let isDone = false;
  void long.then(() => (isDone = true));
  while (!isDone) {
    await sleep(1);
    await call('GET', '/health');
    others++;
  }
  assert.equal((await long).status, 200);
  assert.ok(others > 3, `${others} others were answered`);
});
