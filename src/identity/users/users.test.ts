import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminPassword, openTestIdentity, userPassword } from '../testing.ts';

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());
const { call, login, addUser, db, clock } = server;

const { access_token: root } = await login();
const acme = (await call('/auth/tenants', { token: root, body: { name: 'acme' } })).body;
const { id: chiefId, token: chief } = await addUser('chief', 'acme', ['admin']);
const { id: workerId, token: worker } = await addUser('worker', 'acme');

type Body = Record<string, unknown>;
const change = (id: string, body: Body, token: string, query = '') =>
  call(`/auth/users/${id}${query}`, { method: 'PATCH', token, body });
const remove = (id: string, token: string, query = '') =>
  call(`/auth/users/${id}${query}`, { method: 'DELETE', token });
const namesOf = ({ body }: { body: { users: { username: string }[] } }) =>
  body.users.map(({ username }) => username);
const rootId = (await call('/auth/me', { token: root })).body.id;

test('an administrator sees the users of their own tenant, without secrets; a system administrator also those of others', async () => {
  const { status, body } = await call('/auth/users', { token: chief });
  assert.equal(status, 200);
  assert.equal(body.total, 2);
  const { created_at, ...first } = body.users[0];
  assert.match(created_at, /Z$/);
  assert.deepEqual(first, {
    id: chiefId,
    username: 'chief',
    tenant_id: acme.id,
    tenant_name: 'acme',
    roles: ['admin'],
    enabled: true,
    email: null,
    source: 'local',
  });
  assert.deepEqual(namesOf(await call('/auth/users?limit=1&offset=1', { token: chief })), ['worker']);
  assert.deepEqual(namesOf(await call('/auth/users', { token: root })), ['admin']);
  assert.deepEqual(namesOf(await call(`/auth/users?tenant_id=${acme.id}`, { token: root })), [
    'chief',
    'worker',
  ]);
});

test('users and tenants of another tenant are 404, and a member gets 403 for all of these operations', async () => {
  const system = (await call('/auth/users', { token: root })).body.users[0].tenant_id;
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const id of [rootId, unknown, 'x', "'--"]) {
    assert.equal((await change(id, { enabled: false }, chief)).status, 404);
    assert.equal((await remove(encodeURIComponent(id), chief)).status, 404);
  }
  for (const tenant of [system, unknown, 'x']) {
    assert.equal((await call(`/auth/users?tenant_id=${tenant}`, { token: chief })).status, 404);
    assert.equal((await change(rootId, { enabled: false }, chief, `?tenant_id=${tenant}`)).status, 404);
    assert.equal((await remove(rootId, chief, `?tenant_id=${tenant}`)).status, 404);
    const opened = await call(`/auth/tenants/${tenant}`, {
      method: 'PATCH',
      token: chief,
      body: { self_registration: true },
    });
    assert.equal(opened.status, 404);
  }
  assert.equal((await change(chiefId, { enabled: false }, root)).status, 404, '404 without tenant_id');
  assert.deepEqual(
    (await call('/auth/tenants', { token: chief })).body.tenants.map(({ name }: { name: string }) => name),
    ['acme'],
  );
  assert.equal((await call('/auth/tenants', { token: chief, body: { name: 'mine' } })).status, 403);
  for (const answer of [
    await call('/auth/users', { token: worker }),
    await change(workerId, { roles: ['admin'] }, worker),
    await remove(chiefId, worker),
    await call('/auth/tenants', { token: worker }),
    await call('/auth/tenants', { token: worker, body: { name: 'mine' } }),
  ])
    assert.equal(answer.status, 403);
});

test('the system tenant keeps at least one administrator, also under concurrent changes', async () => {
  for (const body of [{ enabled: false }, { roles: ['member'] }])
    assert.equal((await change(rootId, body, root)).status, 409);
  assert.equal((await remove(rootId, root)).status, 409);
  const admins = [{ id: rootId, token: root }];
  for (let i = 0; i < 7; i++) admins.push(await addUser(`admin-${i}`, 'system', ['admin']));
  const answers = await Promise.all(admins.map(({ id, token }) => change(id, { roles: ['member'] }, token)));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 409]);
  const last = admins[answers.findIndex(({ status }) => status === 409)]!;
  assert.equal((await change(rootId, { roles: ['admin'] }, last.token)).status, 200);
  if (last.id !== rootId) assert.equal((await remove(last.id, root)).status, 200);
});

test('a deleted user’s name can be used again, for a new user', async () => {
  const { id } = await addUser('again');
  assert.equal((await remove(id, root)).status, 200);
  assert.equal((await remove(id, root)).status, 404);
  assert.notEqual((await addUser('again')).id, id);
});

test('disabling a user or setting a new password ends all their sign-ins', async () => {
  const { id } = await addUser('signed-in');
  const refresh = (refresh_token: string) => call('/auth/refresh', { body: { refresh_token } });
  const first = await login('signed-in', userPassword);
  await change(id, { enabled: false }, root);
  await assert.rejects(login('signed-in', userPassword));
  await change(id, { enabled: true }, root);
  assert.equal((await refresh(first.refresh_token)).status, 401);
  const second = await login('signed-in', userPassword);
  assert.equal((await change(id, { password: 'another password' }, root)).status, 200);
  assert.equal((await refresh(second.refresh_token)).status, 401);
  await assert.rejects(login('signed-in', userPassword));
  const { access_token: before } = await login('signed-in', 'another password');
  clock.advance(1000);
  assert.equal((await call('/auth/me', { token: before })).status, 200);
  assert.equal((await change(id, { password: 'a third password' }, root)).status, 200);
  const refused = await call('/auth/me', { token: before });
  assert.deepEqual(
    [refused.status, refused.headers['www-authenticate']],
    [401, 'Bearer error="invalid_token"'],
  );
  const { access_token: afterwards } = await login('signed-in', 'a third password');
  assert.equal((await call('/auth/me', { token: afterwards })).status, 200);
  await change(id, { password: 'another password' }, root);
  await login('signed-in', 'another password');
  assert.equal((await change(id, { password: 'short' }, root)).status, 422);
});

test(
  'a concurrent change by an administrator does not restore an older password',
  { skip: process.env['BULWARK_TEST_DATABASE'] !== 'postgres' && 'one connection cannot overtake itself' },
  async () => {
    const { id } = await addUser('renewing');
    const [written, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const renewing = db.transaction(async (tx) => {
      await tx.query('update identity.users set password_hash = $2 where id = $1', [id, 'the newer one']);
      written.resolve();
      await goOn.promise;
    });
    await written.promise;
    const changing = change(id, { email: 'renewing@example.com' }, root);
    await sleep(300);
    goOn.resolve();
    await renewing;
    assert.equal((await changing).status, 200);
    const [user] = await db.query('select password_hash, email from identity.users where id = $1', [id]);
    assert.deepEqual(user, { password_hash: 'the newer one', email: 'renewing@example.com' });
  },
);

test('changing one’s own password needs the current one, and guesses are limited', async () => {
  const { token } = await addUser('own');
  const set = (current_password: string, new_password: string) =>
    call('/auth/password', { method: 'PUT', token, body: { current_password, new_password } });
  assert.equal((await set('wrong password', 'the next password')).status, 403);
  assert.equal((await set(userPassword, 'short')).status, 422);
  assert.equal((await set(userPassword, 'the next password')).status, 200);
  await login('own', 'the next password');
  const answers = [];
  for (let i = 0; i < 11; i++) answers.push((await set('wrong password', 'yet another one')).status);
  assert.deepEqual(answers, [...Array<number>(10).fill(403), 429]);
});

test('actions of administrators are recorded in the audit log', async () => {
  const events = await db.query<{ event: string; details: Body }>(
    `select event, details from identity.audit_events where event like 'user_%' or event like 'tenant_%' or event = 'password_changed'`,
  );
  const names = new Set(events.map(({ event }) => event));
  assert.deepEqual([...names].toSorted(), [
    'password_changed',
    'tenant_created',
    'user_deleted',
    'user_updated',
  ]);
  for (const secret of [userPassword, adminPassword, 'another password'])
    assert.ok(!JSON.stringify(events).includes(secret));
});
