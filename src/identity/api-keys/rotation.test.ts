/** Replacing keys, when each was last used, and the keys of a tenant. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '#base/contract/operation.ts';
import { authOperations } from '../contract/auth.ts';
import { openPresence } from '../presence.ts';
import { openTestIdentity } from '../testing.ts';

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());
const { call, login, addUser, clock, identity, db } = server;
const { access_token: root } = await login();
const forBoth: Operation = { ...authOperations.me, access: 'jwt_or_key' };
const callerOf = async (key: string) => identity.authenticate(forBoth, { 'x-api-key': key });
const dayMs = 86_400_000;

const create = async (body: object, token: string) => {
  const made = await call('/api/api-keys', { token, body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
};
const rotate = (id: string, body: object, token: string) =>
  call(`/api/api-keys/${id}/rotate`, { token, body });
const keysOf = async (token: string, query = '') =>
  (await call(`/api/api-keys${query}`, { token })).body.api_keys as Record<string, string | null>[];

test('a rotated key has a successor with its name, scope and lifetime, and works until its time is over', async () => {
  const { token } = await addUser('rotator');
  const expires = new Date(clock.now() + 30 * dayMs).toISOString();
  const old = await create({ name: 'support chat', expires_at: expires }, token);
  clock.advance(60_000);
  const { status, body: next } = await rotate(old.id, { old_key_ends_in_minutes: 5 }, token);
  assert.equal(status, 201);
  assert.equal(next.name, 'support chat');
  assert.equal(next.scope, 'all');
  assert.notEqual(next.key, old.key);
  const lifetime = (key: Record<string, string>) =>
    Date.parse(key['expires_at'] ?? '') - Date.parse(key['created_at'] ?? '');
  assert.equal(lifetime(next), lifetime(old));
  await Promise.all([callerOf(old.key), callerOf(next.key)]);
  clock.advance(5 * 60_000);
  await assert.rejects(callerOf(old.key), { status: 401 });
  await callerOf(next.key);
  assert.equal((await rotate(old.id, {}, token)).status, 409, 'it has expired');
  const [event] = await db.query<{ details: Record<string, unknown> }>(
    "select details from identity.audit_events where event = 'api_key_rotated'",
  );
  assert.equal(event?.details['new_key_id'], next.id);
  assert.ok(!JSON.stringify(event).includes(next.key));
});

test('a key is never prolonged by its rotation, and ends at once if so wanted', async () => {
  const { token } = await addUser('hasty');
  const short = await create({ name: 'k', expires_at: new Date(clock.now() + 60_000).toISOString() }, token);
  assert.equal((await rotate(short.id, { old_key_ends_in_minutes: 600 }, token)).status, 201);
  clock.advance(60_000);
  await assert.rejects(callerOf(short.key), { status: 401 });
  const endless = await create({ name: 'k' }, token);
  const { body: next } = await rotate(endless.id, { old_key_ends_in_minutes: 0 }, token);
  assert.equal(next.expires_at, null);
  await assert.rejects(callerOf(endless.key), { status: 401 });
  for (const minutes of [-1, 43_201, 1.5, 'soon'])
    assert.equal((await rotate(next.id, { old_key_ends_in_minutes: minutes }, token)).status, 422);
});

test('of two rotations at once each makes a key, and nobody rotates the key of another', async () => {
  const { token } = await addUser('double');
  const { token: neighbour } = await addUser('neighbour');
  const { id } = await create({ name: 'k' }, token);
  const made = await Promise.all([rotate(id, {}, token), rotate(id, {}, token)]);
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201],
  );
  for (const [other, who] of [
    [id, neighbour],
    [id, root],
    ['00000000-0000-4000-8000-000000000000', token],
    ['x', token],
  ] as const)
    assert.equal((await rotate(other, {}, who)).status, 404);
});

test('what was opened with a key ends when the key is rotated, so that it cannot outlive the key', async () => {
  const { token } = await addUser('streamer');
  const { id, key } = await create({ name: 'k' }, token);
  using presence = openPresence({ clock, identity, onError: (error) => assert.fail(String(error)) });
  const caller = await callerOf(key);
  assert.ok(caller !== undefined);
  const ended = new Promise<void>((resolve) => {
    presence.enter(() => caller, resolve);
  });
  await rotate(id, { old_key_ends_in_minutes: 60 }, token);
  await ended;
});

test('the last use of a key is known to the minute, without a query on the way', async () => {
  const { token } = await addUser('user of keys');
  const { id, key } = await create({ name: 'k' }, token);
  const lastUse = async () => (await keysOf(token)).find((each) => each['id'] === id)?.['last_used_at'];
  assert.equal(await lastUse(), null);
  const until = async (at: number) => {
    const wanted = new Date(at).toISOString();
    for (let tries = 0; (await lastUse()) !== wanted; tries++) {
      assert.ok(tries < 1000, `${await lastUse()} is not ${wanted}`);
      await pause(10);
    }
  };
  const first = clock.now();
  for (let i = 0; i < 5; i++) {
    await callerOf(key);
    clock.advance(1000);
  }
  await until(first);
  clock.advance(60_000);
  const second = clock.now();
  await callerOf(key);
  await until(second);
  await assert.rejects(callerOf(`blwk_${'A'.repeat(43)}`), { status: 401 });
});

test('an administrator lists and deletes the keys of the tenant, and sees whose they are', async () => {
  await call('/auth/tenants', { token: root, body: { name: 'acme' } });
  const { token: chief } = await addUser('chief', 'acme', ['admin']);
  const { id: workerId, token: worker } = await addUser('worker', 'acme');
  const { id, key } = await create({ name: 'of the worker' }, worker);
  assert.deepEqual(await keysOf(chief), []);
  const [listed] = await keysOf(chief, '?owner=all');
  assert.deepEqual([listed?.['id'], listed?.['user_id'], listed?.['user_name']], [id, workerId, 'worker']);
  assert.ok(!(await keysOf(root, '?owner=all')).some((each) => each['id'] === id), 'of another tenant');
  assert.deepEqual(
    (await keysOf(worker, '?owner=all')).map((each) => each['id']),
    [id],
  );
  const remove = (token: string) => call(`/api/api-keys/${id}`, { method: 'DELETE', token });
  assert.equal((await remove(root)).status, 404);
  await callerOf(key);
  assert.equal((await remove(chief)).status, 200);
  await assert.rejects(callerOf(key), { status: 401 });
});
