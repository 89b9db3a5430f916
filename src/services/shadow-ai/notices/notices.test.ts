import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { startMailCatcher } from '../../../../test/fixtures/mail-catcher.ts';
import { deviceRows } from '../fixtures/rows.ts';
import { openTestService } from '../fixtures/service.ts';

/** A receiver of webhooks that refuses the first message once. */
const received: { headers: Record<string, string>; body: string }[] = [];
let refusals = 1;
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    if (refusals-- > 0) return response.writeHead(503).end();
    received.push({ headers: request.headers as Record<string, string>, body });
    return response.end('{}');
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

const catcher = await startMailCatcher();
const service = await openTestService({
  withJobs: true,
  env: { BULWARK_SMTP_URL: catcher.url, BULWARK_SMTP_FROM: 'Shadow AI <shadow@example.com>' },
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await catcher[Symbol.asyncDispose]();
  receiver.closeAllConnections();
  receiver.close();
});
const { call, tokens, clock, db } = service;
const path = '/api/v1/shadow-ai/notices';
const as = tokens.admin;

let devices = 0;
const detect = async (commands: readonly string[], who = as) => {
  const device = deviceRows(`laptop-${++devices}`, clock.now() - 60_000);
  const rows = commands.map((cmd, i) =>
    device.start(i, { uid: `${i}`, image: `/usr/bin/${cmd.split(' ')[0]}`, cmd, user: 'ana' }),
  );
  const sent = await call('POST', '/api/v1/shadow-ai/telemetry', { as: who, body: rows });
  assert.ok(sent.status < 300, JSON.stringify(sent.body));
};

const until = async (isSo: () => boolean, what: string) => {
  for (let i = 0; i < 400; i++) {
    if (isSo()) return;
    await sleep(100);
  }
  assert.fail(what);
};

const typesOf = () =>
  received.map(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { agent_framework?: string } };
    return `${type} ${data.agent_framework ?? ''}`;
  });

let secret = '';

test('only administrators see and change what is told; another tenant has its own', async () => {
  await detect(['aider']);
  assert.equal((await call('GET', path, { as: tokens.member })).status, 403);
  assert.equal((await call('PUT', path, { as: tokens.member, body: {} })).status, 403);
  assert.equal((await call('POST', `${path}/test`, { as })).status, 409);
  const bad = await call('PUT', path, { as, body: { mail_to: ['nobody'] } });
  assert.equal(bad.status, 422);
  assert.match(JSON.stringify(bad.body), /mail_to/);

  const saved = await call('PUT', path, {
    as,
    body: { min_severity: 'CRITICAL', mail_to: ['security@example.com'], webhook_url: webhookUrl },
  });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  secret = saved.body.webhook_secret;
  assert.match(secret, /^whsec_/);
  const shown = await call('GET', path, { as });
  assert.equal(shown.body.webhook_url, webhookUrl);
  assert.ok(!JSON.stringify(shown.body).includes(secret));
  assert.equal((await call('GET', path, { as: tokens.stranger })).body.webhook_url ?? null, null);
});

test('a new tool is told once by mail and signed webhook, also after a failure; known and allowed ones are not', async () => {
  await call('PUT', '/api/v1/shadow-ai/allowed-tools/ollama', {
    as,
    body: { owner: 'platform team', reason: 'the pilot' },
  });
  await detect(['claude', 'aider', 'ollama serve']);
  await detect(['claude']);
  await until(() => received.length > 0 && catcher.mails.length > 0, 'Nothing was told.');
  await sleep(1000);
  assert.deepEqual(typesOf(), ['shadow_ai.tool.found claude-code']);
  const [message] = received;
  assert.ok(message !== undefined);
  new Webhook(secret).verify(message.body, message.headers);
  assert.throws(() => new Webhook(secret).verify(`${message.body} `, message.headers));
  assert.equal(catcher.mails.length, 1);
  assert.match(catcher.mails[0]?.source ?? '', /Subject: \[Bulwark\] New AI tool: claude-code/);
  assert.deepEqual(catcher.mails[0]?.to, ['security@example.com']);

  const { body } = await call('GET', `${path}/deliveries`, { as });
  assert.deepEqual(
    body.deliveries.map(({ attempts }: { attempts: { status: number }[] }) =>
      attempts.map(({ status }) => status),
    ),
    [[503, 200]],
  );
});

test('each grave detection is told, by the severity that the tenant gives its rule', async () => {
  await call('PATCH', '/api/v1/rules/aider', { as, body: { severity_override: 'CRITICAL' } });
  await detect(['aider']);
  await until(() => typesOf().includes('shadow_ai.detection.found aider'), 'The detection was not told.');
});

test('a test reaches both, and nothing is told after all is switched off', async () => {
  const before = received.length;
  const tested = await call('POST', `${path}/test`, { as });
  assert.deepEqual(tested.body.sent_to.toSorted(), ['mail', 'webhook']);
  await until(() => received.length > before, 'The test did not arrive.');
  await catcher.caught(3);
  await call('PUT', path, { as, body: { new_tools: false } });
  await detect(['gemini', 'aider']);
  const count = received.length;
  await sleep(1500);
  assert.equal(received.length, count);
  const [{ left } = { left: 1 }] = await db.query<{ left: number }>(
    'select count(*)::int as left from events.webhook_destinations',
  );
  assert.equal(left, 0);
});
