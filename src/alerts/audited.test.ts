/** Who changed which alert tells whom of what is in the audit trail. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventMigrations } from '#base/events/migrations.ts';
import { openWebhooks } from '#base/events/webhooks/open-webhooks.ts';
import { mount } from '#base/http/mount.ts';
import { createHttpServer, serverSettings } from '#base/http/server.ts';
import { callInto } from '#base/http/testing.ts';
import { addTestPeople } from '#identity/test-people.ts';
import { walkAuditedOperations } from '../../test/fixtures/audited-operations.ts';
import { openTestContext } from '../../test/fixtures/service-context.ts';
import { openAlerts } from './alerts.ts';
import { alertMigrations } from './migrations.ts';

const stack = new AsyncDisposableStack();
const context = await openTestContext(stack, {
  sections: {},
  migrations: [eventMigrations, alertMigrations],
});
const { config, db, identity, log } = context;
const webhooks = await openWebhooks(context, stack);
const alerts = stack.use(await openAlerts({ ...context, webhooks, mailer: undefined }));
const app = createHttpServer({ service: 'alerts', log, ...serverSettings(config) });
identity.mount(app, { apiKeys: false, counted: (caller) => caller });
const options = {
  strictAnswers: true,
  authenticate: identity.authenticate.bind(identity),
};
mount(app, alerts.operations, alerts.handlers, options);
mount(app, alerts.frontDoor.operations, alerts.frontDoor.handlers, options);
const call = callInto(app);
const { admin, member } = await addTestPeople(db, call);
after(async () => {
  await app.close();
  await stack.disposeAsync();
});
const operations = { ...alerts.operations, ...alerts.frontDoor.operations };
const walk = await walkAuditedOperations(call, admin, { operations, db });
const { change } = walk;
const root = '/api/v1/alerts';
const secretPath = 'services/T0/B0/secretsecret';

test('rules: what they measure, from when on they fire, and until when they are muted', async () => {
  const rule = { name: 'Many stopped', measure: 'flagged_texts', window_minutes: 60, threshold: 5 };
  const made = await change('POST', `${root}/rules`, { body: rule });
  const id = made.body.rule_id;
  assert.deepEqual(
    [made.event, made.user_name, made.details.name, made.details['id']],
    ['alert_rule_created', 'admin', 'Many stopped', id],
  );
  assert.deepEqual(made.details.changes?.['threshold'], { old: null, new: 5 });
  const changed = await change('PUT', `${root}/rules/${id}`, {
    body: { ...rule, threshold: 500, enabled: false },
  });
  assert.deepEqual([changed.event, changed.details.name], ['alert_rule_changed', 'Many stopped']);
  assert.deepEqual(changed.details.changes, {
    threshold: { old: 5, new: 500 },
    enabled: { old: true, new: false },
  });
  const muted = await change('POST', `${root}/rules/${id}/mute`, { body: { minutes: 30 } });
  assert.deepEqual(
    [muted.event, Object.keys(muted.details.changes ?? {})],
    ['alert_rule_muted', ['muted_until']],
  );
  const told = await change('POST', `${root}/rules/${id}/mute`, { body: { minutes: null } });
  assert.equal(told.event, 'alert_rule_unmuted');
  assert.equal(told.details.changes?.['muted_until']?.new, null);
  const gone = await change('DELETE', `${root}/rules/${id}`);
  assert.deepEqual(gone.details.changes?.['threshold'], { old: 500, new: null });
});

test('channels and targets: whom they tell, of webhooks only at which host', async () => {
  const url = `https://hooks.example.com/${secretPath}`;
  const made = await change('POST', `${root}/channels`, { body: { name: 'Chat', kind: 'slack', url } });
  const id = made.body.channel_id;
  assert.deepEqual([made.event, made.details.name], ['alert_channel_created', 'Chat']);
  assert.deepEqual(made.details.changes?.['told_at'], {
    old: null,
    new: [`https://hooks.example.com (${id})`],
  });
  const gone = await change('DELETE', `${root}/channels/${id}`);
  assert.deepEqual(
    [gone.event, gone.details.changes?.['kind']],
    ['alert_channel_deleted', { old: 'slack', new: null }],
  );

  const alert = {
    name: 'Calls',
    measure: 'blocked_actions',
    window: 60,
    condition: { threshold: 5 },
    targets: [{ kind: 'mail', mail_to: ['a@example.com'] }],
  };
  const created = await change('POST', '/api/alerts', { body: alert });
  const path = `/api/alerts/${created.body.alert_id}`;
  assert.deepEqual(created.details.changes?.['targets'], { old: null, new: ['mail: a@example.com'] });
  const replaced = await change('PUT', path, {
    body: { ...alert, targets: [{ kind: 'webhook', url }] },
  });
  const { targets } = replaced.details.changes ?? {};
  assert.deepEqual(targets?.old, ['mail: a@example.com']);
  assert.match(String(targets?.new), /^webhook: https:\/\/hooks\.example\.com \([\w-]+\)$/);
  assert.deepEqual(Object.keys(replaced.details.changes ?? {}), ['targets']);
  const deleted = await change('DELETE', path);
  assert.equal(deleted.event, 'alert_rule_deleted');
  const trail = JSON.stringify(await db.query('select * from identity.audit_events'));
  assert.ok(!trail.includes(secretPath));
});

test('what is refused leaves no entry', async () => {
  const count = async () =>
    (await db.query("select 1 as one from identity.audit_events where event like 'alert%'")).length;
  const before = await count();
  const rule = { name: 'Mine', measure: 'flagged_texts', window_minutes: 60, threshold: 5 };
  assert.equal((await call('POST', `${root}/rules`, { as: member, body: rule })).status, 403);
  assert.equal((await call('DELETE', `${root}/rules/none`, { as: admin })).status, 404);
  assert.equal(await count(), before);
});

test('every changing operation is recorded, or here is why it is not', () => {
  walk.assertComplete({ testAlertChannel: 'Sends a message that says it is a test.' });
});
