/** `/api/alerts` of the front door, on its own server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { openAlerts } from '#alerts/alerts.ts';
import { alertMigrations } from '#alerts/migrations.ts';
import { eventMigrations } from '#base/events/migrations.ts';
import { openWebhooks } from '#base/events/webhooks/open-webhooks.ts';
import { mount } from '#base/http/mount.ts';
import { createHttpServer, serverSettings } from '#base/http/server.ts';
import { callInto } from '#base/http/testing.ts';
import { addTestPeople } from '#identity/test-people.ts';
import { openTestContext } from '../../test/fixtures/service-context.ts';
import { dashboardSections } from './config.ts';
import { createFrontDoor } from './front-door.ts';

const received: { readonly path: string; readonly headers: Record<string, string>; readonly body: string }[] =
  [];
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ path: request.url ?? '', headers: request.headers as Record<string, string>, body });
    response.end('ok');
  });
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const stack = new AsyncDisposableStack();
const context = await openTestContext(stack, {
  sections: dashboardSections,
  migrations: [eventMigrations, alertMigrations],
});
const { db, jobs, identity, config, log } = context;
const webhooks = await openWebhooks(context, stack);
const alerts = stack.use(await openAlerts({ ...context, webhooks, mailer: undefined }));
await jobs.start();
const dashboardFolder = join(config.dataDir, 'dashboard');
await mkdir(join(dashboardFolder, 'dist'), { recursive: true });
await writeFile(join(dashboardFolder, 'dist', 'index.html'), '<!doctype html><title>Bulwark</title>');
const door = stack.use(
  await createFrontDoor({
    ...context,
    alerts,
    settings: [],
    dashboardFolder,
    serviceNames: ['red-team'],
    addressOf: () => 'http://127.0.0.1:1',
  }),
);
/** What each service answers. */
const service = createHttpServer({ service: 'any', log, ...serverSettings(config) });
mount(service, alerts.operations, alerts.handlers, {
  strictAnswers: true,
  authenticate: (operation, headers) => identity.authenticate(operation, headers),
});
const call = callInto(door.app);
const callService = callInto(service);
const tokens = await addTestPeople(db, call);
const as = tokens.admin;
const [admin] = await db.query<{ tenantId: string }>(
  `select tenant_id as "tenantId" from identity.users where username = 'admin'`,
);
after(async () => {
  await service.close();
  await stack.disposeAsync();
  receiver.closeAllConnections();
  receiver.close();
});

const path = '/api/alerts';
const condition = { threshold: 0.5, min_count: 4 };
const sent = { name: 'Too many', measure: 'flag_rate', condition, window: '5m' };
const create = async (fields: object = {}) => {
  const { status, body } = await call('POST', path, { as, body: { ...sent, ...fields } });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};
const fire = async () => {
  for (let i = 0; i < 4; i++)
    alerts.count({
      tenantId: admin?.tenantId ?? '',
      source: 'texts',
      subject: 'guard-1',
      subjectName: 'Support',
      stopped: true,
    });
  await alerts.evaluate();
};
const until = async (isSo: () => boolean, what: string) => {
  for (let i = 0; i < 400 && !isSo(); i++) await sleep(25);
  assert.ok(isSo(), what);
};
const typesAt = (where: string) =>
  received
    .filter((each) => each.path === where)
    .map(({ body }) => (JSON.parse(body) as { type?: string }).type);

test('an alert is made, listed, changed and deleted, and is a rule of every service', async () => {
  const made = await create({ targets: [{ kind: 'webhook', url: `${receiverUrl}/a` }] });
  assert.deepEqual(
    [made.name, made.measure, made.service, made.window, made.state, made.enabled, made.subject],
    ['Too many', 'flag_rate', 'policy-guard', '5m', 'waiting', true, null],
  );
  assert.deepEqual(made.condition, { operator: '>=', ...condition });
  const [{ secret, ...target }] = made.targets;
  assert.match(secret, /^whsec_/);
  assert.deepEqual([target.kind, target.url, target.problem], ['webhook', `${receiverUrl}/a`, null]);
  const one = `${path}/${made.alert_id}`;
  assert.deepEqual((await call('GET', one, { as })).body, { ...made, targets: [target] });
  const { rules } = (await callService('GET', '/api/v1/alerts/rules', { as })).body;
  assert.deepEqual(
    rules.map((rule: { rule_id: string; target_count: number }) => [rule.rule_id, rule.target_count]),
    [[made.alert_id, 1]],
  );
  const atService = { name: 'Errors', measure: 'service_errors', subject: 'mcp_scan', threshold: 3 };
  await callService('POST', '/api/v1/alerts/rules', { as, body: atService });
  const { body: list } = await call('GET', path, { as });
  assert.deepEqual(
    list.alerts.map((alert: { service: string; window: string }) => [alert.service, alert.window]),
    [
      ['policy-guard', '5m'],
      ['mcp-scan', '15m'],
    ],
  );
  const { body: second } = await call('GET', `${path}?limit=1&offset=1`, { as });
  assert.deepEqual([second.total, second.alerts.length, second.alerts[0].name], [2, 1, 'Errors']);
  const changed = await call('PUT', one, {
    as,
    body: { name: 'Blocked', measure: 'blocked_actions', condition: { threshold: 3 }, window: 120 },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.deepEqual(
    [changed.body.service, changed.body.window, changed.body.targets],
    ['action-guard', '2h', [target]],
    'targets that are left out stay',
  );
  for (const each of list.alerts)
    assert.equal((await call('DELETE', `${path}/${each.alert_id}`, { as })).status, 200);
  assert.equal((await call('GET', one, { as })).status, 404);
  assert.deepEqual((await call('GET', path, { as })).body, { alerts: [], total: 0 });
});

test('targets are told in place of the channels, and that it is over too when they or the alert go', async () => {
  const channel = { name: 'All', kind: 'webhook', url: `${receiverUrl}/all` };
  await callService('POST', '/api/v1/alerts/channels', { as, body: channel });
  const own = await create({
    targets: [
      { kind: 'webhook', url: `${receiverUrl}/own` },
      { kind: 'slack', url: `${receiverUrl}/slack` },
    ],
  });
  const plain = await create({ name: 'Everyone' });
  assert.deepEqual(plain.targets, []);
  await fire();
  await until(() => received.length >= 3, 'all were told');
  assert.deepEqual(
    [typesAt('/all'), typesAt('/own'), typesAt('/slack').length],
    [['alert.firing'], ['alert.firing'], 1],
  );
  const hook = received.find((each) => each.path === '/own');
  assert.ok(hook !== undefined);
  new Webhook(own.targets[0].secret).verify(hook.body, hook.headers);
  const channels = (await callService('GET', '/api/v1/alerts/channels', { as })).body.channels;
  assert.deepEqual(
    channels.map(({ name }: { name: string }) => name),
    ['All'],
    'targets are no channels of the tenant',
  );
  // The hook is replaced; Slack stays, whose URL is not shown.
  const read = (await call('GET', `${path}/${own.alert_id}`, { as })).body;
  assert.equal(read.targets[1].url, null);
  const body = { ...sent, targets: [{ kind: 'webhook', url: `${receiverUrl}/new` }, read.targets[1]] };
  const after = (await call('PUT', `${path}/${own.alert_id}`, { as, body })).body;
  assert.ok(
    after.targets.some(({ target_id: id }: { target_id: string }) => id === read.targets[1].target_id),
  );
  await until(() => typesAt('/own').length === 2, 'the target that was left out is told that it is over');
  assert.equal(typesAt('/own')[1], 'alert.resolved');
  await alerts.evaluate();
  await until(() => typesAt('/new').length === 1, 'the new one is told');
  await call('DELETE', `${path}/${own.alert_id}`, { as });
  await until(() => typesAt('/new').length === 2, 'that it is over, when the alert is deleted');
  assert.equal(typesAt('/new')[1], 'alert.resolved');
  assert.deepEqual(typesAt('/all'), ['alert.firing']);
  await until(() => typesAt('/slack').length === 4, 'Slack is told each time');
  await sleep(200);
  await alerts.evaluate();
  const left = await db.query('select 1 from alerts.channels where rule_id is not null');
  const destinations = await db.query('select 1 from events.webhook_destinations');
  assert.deepEqual([left.length, destinations.length], [0, 1], 'nothing is left of targets that are gone');
  await call('DELETE', `${path}/${plain.alert_id}`, { as });
});

test('a target is tested and its deliveries are listed like those of a channel; it is removed with its alert', async () => {
  const alert = await create({ targets: [{ kind: 'mail', mail_to: ['a@example.com'] }] });
  assert.equal(alert.targets[0].problem, 'No mail server is configured (smtp.url).');
  const channel = `/api/v1/alerts/channels/${alert.targets[0].target_id}`;
  assert.equal((await callService('POST', `${channel}/test`, { as })).status, 409, 'no mail server');
  assert.deepEqual((await callService('GET', `${channel}/deliveries`, { as })).body, { deliveries: [] });
  assert.equal((await callService('DELETE', channel, { as })).status, 409);
  await call('DELETE', `${path}/${alert.alert_id}`, { as });
  assert.equal((await callService('GET', `${channel}/deliveries`, { as })).status, 404);
});

test('alerts are for administrators of the tenant, by a token or a key', async () => {
  const alert = await create();
  const one = `${path}/${alert.alert_id}`;
  const key = (await call('POST', '/api/api-keys', { as, body: { name: 'k' } })).body.key;
  assert.equal((await call('GET', path, { headers: { 'x-api-key': key } })).body.total, 1);
  const refused = await call('GET', path);
  assert.equal(refused.status, 401);
  assert.match(String(refused.headers['www-authenticate']), /missing_auth/);
  for (const [method, url, body] of [
    ['GET', path],
    ['GET', one],
    ['POST', path, sent],
    ['PUT', one, sent],
    ['DELETE', one],
  ] as const) {
    const asked = { ...(body !== undefined && { body }) };
    assert.equal((await call(method, url, { ...asked, as: tokens.member })).status, 403, method);
    if (url === one)
      assert.equal((await call(method, url, { ...asked, as: tokens.stranger })).status, 404, method);
  }
  assert.deepEqual((await call('GET', path, { as: tokens.stranger })).body, { alerts: [], total: 0 });
  assert.equal((await call('PATCH', one, { as, body: sent })).status, 405);
  await call('DELETE', one, { as });
  const { paths } = (await call('GET', '/openapi.json')).body;
  assert.deepEqual(Object.keys(paths[path]).toSorted(), ['get', 'post']);
  assert.deepEqual(Object.keys(paths[`${path}/{alert_id}`]).toSorted(), ['delete', 'get', 'put']);
});

test('what cannot be is refused with the field and the way out, and leaves nothing', async () => {
  const before = await db.query('select 1 from events.webhook_destinations');
  const hook = { kind: 'webhook', url: `${receiverUrl}/x` };
  const tries: [status: number, words: RegExp, fields: object][] = [
    [400, /'name' is required/, { name: undefined }],
    [400, /'condition' is required/, { condition: undefined }],
    [400, /'condition.threshold' is required/, { condition: {} }],
    [422, /'measure' must be one of "flag_rate"/, { measure: 'weather' }],
    [422, /'condition.threshold' must be at most 1 for a share/, { condition: { threshold: 25 } }],
    [422, /'condition.operator'/, { condition: { ...condition, operator: '<' } }],
    [422, /'window' must be a length such as 15m, 2h or 1d/, { window: 'soon' }],
    [422, /'window' must be at most 1d/, { window: '25h' }],
    [422, /'window' must be at least 1/, { window: 0 }],
    [422, /'targets' must have at most 5 items/, { targets: Array.from({ length: 6 }, () => hook) }],
    [422, /'targets\[0\].kind'/, { targets: [{ kind: 'pager' }] }],
    [400, /'targets\[0\].url' is required/, { targets: [{ kind: 'slack' }] }],
    [400, /'targets\[1\].mail_to' is required/, { targets: [hook, { kind: 'mail' }] }],
    [422, /'targets\[1\].url'/, { targets: [hook, { ...hook, url: 'http://169.254.169.254/latest' }] }],
    [422, /'targets\[0\].target_id' is not a target/, { targets: [{ ...hook, target_id: 'x' }] }],
  ];
  for (const [status, words, fields] of tries) {
    const answer = await call('POST', path, { as, body: { ...sent, ...fields } });
    assert.match(answer.body.detail ?? '', words);
    assert.equal(answer.status, status, answer.body.detail);
  }
  const now = await db.query('select 1 from events.webhook_destinations');
  assert.equal(now.length, before.length);
});
