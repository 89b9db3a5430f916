/** Who changed users, keys and tenants, and who signed in and out, is in the audit trail with what each field was and is. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callInto } from '#base/http/testing.ts';
import { walkAuditedOperations } from '../../test/fixtures/audited-operations.ts';
import { openTestIdentity, userPassword } from './testing.ts';

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());
const { app, db, identity, login } = server;
const call = callInto(app);
const { access_token: admin } = await login();
const walk = await walkAuditedOperations(call, admin, {
  operations: identity.operations({ apiKeys: true, savedViews: true }),
  db,
});
const { change } = walk;
const newPassword = 'another password for tests';

test('users: roles, e-mail addresses and whether they may sign in, never a password', async () => {
  const made = await change('POST', '/auth/register', {
    body: { username: 'anna', password: userPassword, email: 'anna@example.com' },
  });
  const { id } = made.body;
  assert.deepEqual([made.event, made.user_name, made.details.name], ['register', 'admin', 'anna']);
  assert.equal(made.details['id'], id);
  assert.deepEqual(made.details.changes, {
    username: { old: null, new: 'anna' },
    roles: { old: null, new: ['member'] },
    email: { old: null, new: 'anna@example.com' },
  });

  const changed = await change('PATCH', `/auth/users/${id}`, {
    body: { roles: ['admin'], email: null, enabled: false, password: newPassword },
  });
  assert.deepEqual([changed.event, changed.details.name], ['user_updated', 'anna']);
  assert.deepEqual(changed.details.changes, {
    roles: { old: ['member'], new: ['admin'] },
    email: { old: 'anna@example.com', new: null },
    enabled: { old: true, new: false },
  });
  assert.equal(changed.details['password'], 'renewed');
  const same = await change('PATCH', `/auth/users/${id}`, { body: { enabled: false } });
  assert.deepEqual([same.details.changes, same.details['password']], [{}, undefined]);
  await change('PATCH', `/auth/users/${id}`, { body: { enabled: true } });

  const { access_token: own } = await login('anna', newPassword);
  const renewed = await change('PUT', '/auth/password', {
    as: own,
    body: { current_password: newPassword, new_password: userPassword },
  });
  assert.deepEqual([renewed.event, renewed.user_name], ['password_changed', 'anna']);

  const gone = await change('DELETE', `/auth/users/${id}`);
  assert.deepEqual([gone.event, gone.details.name], ['user_deleted', 'anna']);
  assert.deepEqual(gone.details.changes?.['roles'], { old: ['admin'], new: null });
  const trail = JSON.stringify(await db.query('select * from identity.audit_events'));
  for (const secret of [userPassword, newPassword, '$argon2']) assert.ok(!trail.includes(secret));
});

test('API keys: what they are for and when they end, never the key', async () => {
  const made = await change('POST', '/api/api-keys', { body: { name: 'pipeline', scope: 'policies' } });
  const { id, key } = made.body;
  assert.deepEqual([made.event, made.details.name, made.details['id']], ['api_key_created', 'pipeline', id]);
  assert.deepEqual(made.details.changes, {
    name: { old: null, new: 'pipeline' },
    scope: { old: null, new: 'policies' },
  });
  const next = await change('POST', `/api/api-keys/${id}/rotate`, { body: { old_key_ends_in_minutes: 5 } });
  assert.deepEqual([next.event, next.details['new_key_id']], ['api_key_rotated', next.body.id]);
  assert.deepEqual(Object.keys(next.details.changes ?? {}), ['expires_at']);
  assert.equal(next.details.changes?.['expires_at']?.old, null);
  const gone = await change('DELETE', `/api/api-keys/${next.body.id}`);
  assert.deepEqual([gone.event, gone.details.name], ['api_key_deleted', 'pipeline']);
  assert.deepEqual(gone.details.changes?.['scope'], { old: 'policies', new: null });
  const trail = JSON.stringify(await db.query('select * from identity.audit_events'));
  for (const secret of [key, next.body.key]) assert.ok(!trail.includes(secret));
});

test('tenants: whether anybody may register', async () => {
  const made = await change('POST', '/auth/tenants', { body: { name: 'acme' } });
  assert.deepEqual([made.event, made.details.name], ['tenant_created', 'acme']);
  const { id } = made.body;
  const opened = await change('PATCH', `/auth/tenants/${id}`, {
    body: { self_registration: true },
    ofTenant: id,
  });
  assert.deepEqual([opened.event, opened.details.name], ['tenant_updated', 'acme']);
  assert.deepEqual(opened.details.changes, { self_registration: { old: false, new: true } });
});

test('signing in and out; a refused sign-in has an entry of its own', async () => {
  const body = { username: 'admin', password: 'correct horse battery staple' };
  const signedIn = await change('POST', '/auth/login', { body });
  assert.deepEqual([signedIn.event, signedIn.user_name], ['login', 'admin']);
  await change('POST', '/auth-api/api/v1/auth/login', { body });
  const { refresh_token } = signedIn.body;
  const out = await change('POST', '/auth/logout', { body: { refresh_token } });
  assert.deepEqual([out.event, out.user_name], ['logout', 'admin']);
});

test('what is refused leaves no entry', async () => {
  const count = async () =>
    (await db.query("select 1 as one from identity.audit_events where event not like 'login%'")).length;
  const before = await count();
  const taken = { username: 'admin', password: userPassword };
  const refused = [
    await call('POST', '/auth/register', { as: admin, body: taken }),
    await call('POST', '/auth/tenants', { as: admin, body: { name: 'acme' } }),
    await call('DELETE', '/auth/users/nobody', { as: admin }),
    await call('DELETE', '/api/api-keys/none', { as: admin }),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    [409, 409, 404, 404],
  );
  assert.equal(await count(), before);
});

test('every changing operation is recorded, or here is why it is not', () => {
  const views = 'A view keeps the filters of a list and shows nothing that its reader may not read anyway.';
  const renews = 'Goes on with a sign-in that has its entry; a token that is used twice has one.';
  walk.assertComplete({
    createSavedView: views,
    updateSavedView: views,
    deleteSavedView: views,
    refresh: renews,
    authApiRefresh: renews,
  });
});
