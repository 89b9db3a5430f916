import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { eventMigrations } from '#base/events/migrations.ts';
import { openWebhooks } from '#base/events/webhooks/open-webhooks.ts';
import { mount } from '#base/http/mount.ts';
import { createHttpServer, serverSettings } from '#base/http/server.ts';
import { callInto } from '#base/http/testing.ts';
import { createMailer } from '#base/mail/mailer.ts';
import { Secret } from '#base/config/secret.ts';
import { shiftedClock } from '#base/shifted-clock.ts';
import { addTestPeople } from '#identity/test-people.ts';
import { startMailCatcher } from '../../test/fixtures/mail-catcher.ts';
import { openTestContext } from '../../test/fixtures/service-context.ts';
import { openAlerts } from './alerts.ts';
import { alertMigrations } from './migrations.ts';

interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}
const received: Received[] = [];
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ path: request.url ?? '', headers: request.headers as Record<string, string>, body });
    response.end('ok');
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const catcher = await startMailCatcher();

const stack = new AsyncDisposableStack();
const context = await openTestContext(stack, {
  sections: {},
  migrations: [eventMigrations, alertMigrations],
});
const { db, jobs, identity, log } = context;
/** Of alerts alone: tokens and signatures would expire. */
const clock = shiftedClock();
const webhooks = await openWebhooks(context, stack);
const mailer = createMailer({ url: new Secret(catcher.url), from: 'Bulwark <alerts@example.com>' });
const deps = { ...context, clock, webhooks, mailer };
const alerts = stack.use(await openAlerts(deps));
await jobs.start();
const app = createHttpServer({ service: 'alerts', log, ...serverSettings(context.config) });
identity.mount(app, { apiKeys: false, counted: (caller) => caller });
mount(app, alerts.operations, alerts.handlers, {
  strictAnswers: true,
  authenticate: (operation, headers) => identity.authenticate(operation, headers),
});
const call = callInto(app);
const tokens = await addTestPeople(db, call);
const [admin] = await db.query<{ tenantId: string }>(
  `select tenant_id as "tenantId" from identity.users where username = 'admin'`,
);
const tenantId = admin?.tenantId ?? '';
after(async () => {
  await app.close();
  await stack.disposeAsync();
  await catcher[Symbol.asyncDispose]();
  receiver.closeAllConnections();
  receiver.close();
});

const root = '/api/v1/alerts';
const as = tokens.admin;
const minuteMs = 60_000;

/** Nothing of an earlier test is in any window, and nothing is left of it. */
beforeEach(async () => {
  clock.advance(2 * 1440 * minuteMs);
  // Channels first: what fires is resolved with its rule, and would be told.
  for (const { channel_id: id } of (await call('GET', `${root}/channels`, { as })).body.channels)
    await call('DELETE', `${root}/channels/${id}`, { as });
  for (const { rule_id: id } of (await call('GET', `${root}/rules`, { as })).body.rules)
    await call('DELETE', `${root}/rules/${id}`, { as });
  received.length = 0;
  catcher.mails.length = 0;
});

const count = (
  times: number,
  {
    stopped = 0,
    failed = 0,
    subject = 'guard-1',
    tenant = tenantId,
  }: Partial<{
    stopped: number;
    failed: number;
    subject: string;
    tenant: string;
  }> = {},
) => {
  for (let i = 0; i < times; i++)
    alerts.count({
      tenantId: tenant,
      source: 'texts',
      subject,
      subjectName: `Guard ${subject}`,
      stopped: i < stopped,
      failed: i < failed,
    });
};

const makeRule = async (fields: object = {}) => {
  const sent = {
    name: 'Too many',
    measure: 'flag_rate',
    window_minutes: 5,
    threshold: 0.5,
    min_count: 4,
    ...fields,
  };
  const { status, body } = await call('POST', `${root}/rules`, { as, body: sent });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};
const makeChannel = async (fields: object) => {
  const { status, body } = await call('POST', `${root}/channels`, { as, body: { name: 'Us', ...fields } });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};
const stateOf = async (ruleId: string) => {
  const { body } = await call('GET', `${root}/rules`, { as });
  return body.rules.find(({ rule_id }: { rule_id: string }) => rule_id === ruleId);
};
const incidents = async (state = 'all', who = as) =>
  (await call('GET', `${root}/incidents?state=${state}`, { as: who })).body.incidents;
const until = async (isSo: () => boolean, what: string) => {
  for (let i = 0; i < 400 && !isSo(); i++) await sleep(25);
  assert.ok(isSo(), what);
};

test('a share fires from its threshold and enough texts on, and is resolved when it falls', async () => {
  const { rule_id: id, state } = await makeRule();
  assert.equal(state, 'waiting');
  count(3, { stopped: 3 });
  await alerts.evaluate();
  assert.equal((await stateOf(id)).state, 'ok', 'fewer than min_count');
  count(3, { stopped: 0 });
  await alerts.evaluate();
  const firing = await stateOf(id);
  assert.deepEqual([firing.state, firing.value, firing.counted], ['firing', 0.5, 6]);
  count(1);
  await alerts.evaluate();
  assert.equal((await stateOf(id)).state, 'ok');
  const [incident] = await incidents();
  assert.deepEqual(
    [incident.rule_name, incident.peak, incident.resolution, incident.resolved_at !== null],
    ['Too many', 0.5, 'recovered', true],
  );
});

test('what is older than the window does not count', async () => {
  const { rule_id: id } = await makeRule({ measure: 'flagged_texts', threshold: 5 });
  count(5, { stopped: 5 });
  await alerts.evaluate();
  assert.equal((await stateOf(id)).state, 'firing');
  clock.advance(7 * minuteMs);
  await alerts.evaluate();
  assert.deepEqual([(await stateOf(id)).state, (await stateOf(id)).value], ['ok', 0]);
});

test('a rule can be about one guard, whose name it shows', async () => {
  const one = await makeRule({ measure: 'degraded_rate', subject: 'guard-1' });
  const all = await makeRule({ measure: 'degraded_rate', name: 'All' });
  count(4, { failed: 4 });
  count(20, { subject: 'guard-2' });
  await alerts.evaluate();
  const named = await stateOf(one.rule_id);
  assert.deepEqual([named.state, named.subject_name], ['firing', 'Guard guard-1']);
  assert.equal((await stateOf(all.rule_id)).state, 'ok');
  const { body } = await call('GET', `${root}/subjects`, { as });
  assert.ok(body.subjects.some((each: { name: string }) => each.name === 'Guard guard-2'));
});

test('each channel is told once when a rule fires and once when it is resolved, whoever evaluates', async () => {
  const { secret: signing } = await makeChannel({ kind: 'webhook', url: `${receiverUrl}/hook` });
  const slack = await makeChannel({ kind: 'slack', url: `${receiverUrl}/services/T0/B0/verysecret` });
  await makeChannel({ kind: 'mail', mail_to: ['a@example.com', 'b@example.com'] });
  assert.equal(slack.secret, null);
  assert.doesNotMatch(JSON.stringify((await call('GET', `${root}/channels`, { as })).body), /verysecret/);
  await makeRule({ name: '<!channel> *x*\nSubject: y' });
  count(4, { stopped: 4 });
  // As several processes would: the same database, each with its own connections and counts.
  await using other = await openAlerts({ ...deps, jobs: noJobs });
  await alerts.evaluate();
  await Promise.all([alerts.evaluate(), other.evaluate(), alerts.evaluate(), other.evaluate()]);
  await catcher.caught(1);
  await until(() => received.length >= 2, 'the webhooks came');
  clock.advance(7 * minuteMs);
  await Promise.all([alerts.evaluate(), other.evaluate()]);
  await alerts.evaluate();
  await catcher.caught(2);
  await until(() => received.length >= 4, 'the resolution came');
  await sleep(200);
  const hooks = received.filter(({ path }) => path === '/hook');
  const verified = hooks.map(({ headers, body }) => new Webhook(signing).verify(body, headers) as Hook);
  assert.deepEqual(
    verified.map(({ type }) => type),
    ['alert.firing', 'alert.resolved'],
  );
  assert.deepEqual([verified[0]?.data.value, verified[0]?.data.threshold], [1, 0.5]);
  const slacks = received.filter(({ path }) => path.startsWith('/services'));
  assert.equal(slacks.length, 2);
  const message = JSON.parse(slacks[0]?.body ?? '') as { text: string; blocks: { type: string }[] };
  assert.match(message.text, /Firing: &lt;!channel&gt;/);
  assert.ok(message.blocks.every(({ type }) => type === 'section'));
  assert.equal(catcher.mails.length, 2);
  assert.deepEqual(catcher.mails[0]?.to, ['a@example.com', 'b@example.com']);
  assert.doesNotMatch(catcher.mails[0]?.source ?? '', /^Subject: y/m, 'a name adds no header');
});

interface Hook {
  readonly type: string;
  readonly data: { readonly value: number; readonly threshold: number };
}

/** Of a process that only evaluates here. */
const noJobs = {
  ...jobs,
  define: async () => {},
  schedule: async () => {},
  send: jobs.send.bind(jobs),
} as typeof jobs;

test('a muted rule tells nobody; what still fires afterwards is told then', async () => {
  await makeChannel({ kind: 'webhook', url: `${receiverUrl}/hook` });
  const { rule_id: id } = await makeRule({ window_minutes: 60 });
  const mute = (minutes: number | null) =>
    call('POST', `${root}/rules/${id}/mute`, { as, body: { minutes } });
  assert.notEqual((await mute(10)).body.muted_until, null);
  count(4, { stopped: 4 });
  await alerts.evaluate();
  const [quiet] = await incidents('firing');
  assert.equal(quiet.told, false);
  clock.advance(11 * minuteMs);
  await alerts.evaluate();
  assert.equal((await incidents('firing'))[0].told, true);
  await until(() => received.length === 1, 'it was told after the mute');
  assert.equal((await mute(null)).body.muted_until, null);
});

test('switching a rule off or deleting it resolves what fires; the history stays', async () => {
  await makeChannel({ kind: 'webhook', url: `${receiverUrl}/hook` });
  const { rule_id: id } = await makeRule();
  count(4, { stopped: 4 });
  await alerts.evaluate();
  const off = { name: 'Too many', measure: 'flag_rate', threshold: 0.5, enabled: false };
  const { body } = await call('PUT', `${root}/rules/${id}`, { as, body: off });
  assert.equal(body.state, 'off');
  await call('DELETE', `${root}/rules/${id}`, { as });
  const [incident] = await incidents();
  assert.deepEqual([incident.resolution, incident.rule_name], ['rule_changed', 'Too many']);
  await until(() => received.length === 2, 'both were told');
});

test('a test arrives, is recorded, and needs a mail server for mail', async () => {
  const { channel_id: hook } = await makeChannel({ kind: 'webhook', url: `${receiverUrl}/hook` });
  const { channel_id: mail } = await makeChannel({ kind: 'mail', mail_to: ['a@example.com'] });
  for (const id of [hook, mail])
    assert.equal((await call('POST', `${root}/channels/${id}/test`, { as })).status, 200);
  await catcher.caught(1);
  await until(() => received.length === 1, 'the test came');
  const { body } = await call('GET', `${root}/channels/${hook}/deliveries`, { as });
  assert.equal(body.deliveries.length, 1);
});

test('rules and channels are for administrators, and another tenant sees none of them', async () => {
  const { rule_id: id } = await makeRule();
  const { channel_id: channel } = await makeChannel({ kind: 'webhook', url: `${receiverUrl}/hook` });
  count(4, { stopped: 4 });
  await alerts.evaluate();
  assert.equal((await call('GET', `${root}/rules`, { as: tokens.member })).status, 403);
  const { stranger } = tokens;
  assert.deepEqual((await call('GET', `${root}/rules`, { as: stranger })).body.rules, []);
  assert.deepEqual(await incidents('all', stranger), []);
  assert.deepEqual((await call('GET', `${root}/subjects`, { as: stranger })).body.subjects, []);
  const tries: [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object][] = [
    ['DELETE', `rules/${id}`],
    ['POST', `rules/${id}/mute`, { minutes: 5 }],
    ['PUT', `rules/${id}`, { name: 'x', measure: 'flag_rate', threshold: 0.5 }],
    ['DELETE', `channels/${channel}`],
    ['POST', `channels/${channel}/test`],
    ['GET', `channels/${channel}/deliveries`],
  ];
  for (const [method, path, body] of tries)
    assert.equal(
      (await call(method, `${root}/${path}`, { as: stranger, ...(body && { body }) })).status,
      404,
      path,
    );
});

test('what cannot be is refused with the field and the way out', async () => {
  const refused = async (path: string, body: object) => {
    const answer = await call('POST', `${root}/${path}`, { as, body });
    return [answer.status, JSON.stringify(answer.body)] as const;
  };
  const rule = { name: 'x', measure: 'flag_rate', threshold: 25 };
  const [status, words] = await refused('rules', rule);
  assert.equal(status, 422);
  assert.match(words, /threshold.*at most 1 for a share/);
  assert.equal((await refused('rules', { ...rule, measure: 'flagged_texts', threshold: 1.5 }))[0], 422);
  assert.equal((await refused('rules', { ...rule, threshold: 0.5, window_minutes: 0 }))[0], 422);
  const metadata = { name: 'x', kind: 'slack', url: 'http://169.254.169.254/latest' };
  assert.equal((await refused('channels', metadata))[0], 422);
  assert.equal((await refused('channels', { ...metadata, url: 'file:///etc/passwd' }))[0], 422);
  for (let i = 0; i < 10; i++) await makeChannel({ kind: 'mail', mail_to: ['a@example.com'] });
  assert.equal((await refused('channels', { name: 'x', kind: 'mail', mail_to: ['a@example.com'] }))[0], 409);
});
