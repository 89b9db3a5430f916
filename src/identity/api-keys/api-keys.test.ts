import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '#base/contract/operation.ts';
import { AppError } from '#base/errors.ts';
import { authOperations } from '../contract/auth.ts';
import { openTestIdentity } from '../testing.ts';

const env = { BULWARK_JWT_SECRET: 'a secret of at least 32 characters' };
const server = await openTestIdentity(env);
/** Another process on the same database. */
const elsewhere = await openTestIdentity(env, { db: server.db, clock: server.clock });
after(async () => {
  await elsewhere[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
const { call, login, addUser, db, clock, identity } = server;

const { access_token: root } = await login();
const forBoth: Operation = { ...authOperations.me, access: 'jwt_or_key' };
const create = (body: object, token = root) => call('/api/api-keys', { token, body });
const remove = (id: string, token = root) => call(`/api/api-keys/${id}`, { method: 'DELETE', token });
const callerOf = (key: string, at = identity) => at.authenticate(forBoth, { 'x-api-key': key });

const challengeOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => assert.fail('it was accepted'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.status, 401);
  return error.headers['www-authenticate'];
};

test('a key is shown once, listed without its secret, stored as a hash, and can be deleted', async () => {
  const { status, body } = await create({ name: 'ci' });
  assert.equal(status, 201);
  const { key, ...kept } = body;
  assert.match(key, /^blwk_[A-Za-z0-9_-]{43}$/);
  assert.equal(kept.key_prefix, key.slice(0, 12));
  assert.deepEqual(Object.keys(kept).sort(), [
    'created_at',
    'expires_at',
    'id',
    'key_prefix',
    'last_used_at',
    'name',
    'scope',
    'user_id',
    'user_name',
  ]);
  assert.equal(kept.user_name, 'admin');
  assert.equal(kept.last_used_at, null);
  assert.equal(kept.scope, 'all');
  assert.equal(kept.expires_at, null);
  assert.deepEqual((await call('/api/api-keys', { token: root })).body, { api_keys: [kept], total: 1 });
  assert.ok(!JSON.stringify(await db.query('select * from identity.api_keys')).includes(key));
  assert.ok(!JSON.stringify(await db.query('select * from identity.audit_events')).includes(key));
  assert.equal((await remove(kept.id)).status, 200);
  assert.equal((await remove(kept.id)).status, 404);
  assert.deepEqual((await call('/api/api-keys', { token: root })).body, { api_keys: [], total: 0 });
});

test('a key authenticates as its user in both headers', async () => {
  const { id: userId, token } = await addUser('maker');
  const { body } = await create({ name: 'k' }, token);
  const expected = {
    userId,
    username: 'maker',
    tenantName: 'system',
    roles: ['member'],
    permissions: ['gateway:start', 'gateway:stop'],
    via: 'api_key',
    apiKeyId: body.id,
  };
  for (const headers of [
    { 'x-api-key': body.key },
    { authorization: `Bearer ${body.key}` },
    { 'x-api-key': body.key, authorization: 'Basic eDp5' },
    { 'x-api-key': body.key, authorization: `Bearer ${root}` },
  ]) {
    const caller = await identity.authenticate(forBoth, headers);
    assert.partialDeepStrictEqual(caller, expected);
  }
});

test('an operation that accepts only access tokens refuses an API key with that reason', async () => {
  const { key } = (await create({ name: 'k' })).body;
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
    const answer = await call('/api/api-keys', { headers });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"');
    assert.match(answer.body.detail, /does not accept API keys/);
  }
  assert.equal((await call('/auth/me', { token: root, headers: { 'x-api-key': key } })).status, 200);
});

test('malformed, unknown and altered keys are refused', async () => {
  const { key } = (await create({ name: 'k' })).body;
  const others = [
    `${key}x`,
    key.slice(0, -1),
    key.toUpperCase(),
    `blwk_${'A'.repeat(43)}`,
    'blwk_',
    "' or 1=1 --",
    root,
    '\0',
    `${key}, ${key}`,
  ];
  for (const other of others)
    assert.equal(await challengeOf(callerOf(other)), 'Bearer error="invalid_token"');
});

test('a key with a narrower scope works only for operations that name this scope', async () => {
  const { body } = await create({ name: 'ci', scope: 'policies' });
  assert.equal(body.scope, 'policies');
  const headers = { 'x-api-key': body.key };
  const named: Operation = { ...forBoth, access: 'jwt', keyScope: 'policies' };
  assert.equal((await identity.authenticate(named, headers))?.apiKeyId, body.id);
  await assert.rejects(identity.authenticate(forBoth, headers), (error) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.status, 403);
    assert.match(error.detail, /has the scope policies; this operation needs one with the scope all/);
    return true;
  });
  assert.equal((await call('/auth/me', { headers })).status, 200, 'the user it acts as');
  assert.equal((await call('/api/api-keys', { headers })).status, 401);
  const { key } = (await create({ name: 'all' })).body;
  await challengeOf(identity.authenticate(named, { 'x-api-key': key }));
});

test('an expiry must lie in the future, and the key stops working at that time', async () => {
  const at = (ms: number) => new Date(clock.now() + ms).toISOString();
  for (const expires_at of [
    at(-1000),
    at(0),
    '2020-01-01T00:00:00Z',
    'tomorrow',
    7,
    '2030-01-01',
    '9999-12-31T23:59:59-01:00',
  ])
    assert.equal((await create({ name: 'k', expires_at })).status, 422, String(expires_at));
  const { status, body } = await create({ name: 'k', expires_at: at(60_000), scope: 'all' });
  assert.equal(status, 201);
  assert.equal(body.expires_at, at(60_000));
  await callerOf(body.key);
  clock.advance(60_000);
  assert.equal(await challengeOf(callerOf(body.key)), 'Bearer error="token_expired"');
  const { access_token: token } = await login();
  assert.equal((await create({ name: 'k', expires_at: null }, token)).status, 201);
});

test('an invalid body is refused: 400 for a missing name, otherwise 422', async () => {
  assert.equal((await create({})).status, 400);
  for (const body of [
    { name: '' },
    { name: 'a\0b' },
    { name: 'x'.repeat(256) },
    { name: 'k', scope: 'read' },
    { name: 7 },
  ])
    assert.equal((await create(body)).status, 422);
});

test('users can neither list nor delete the keys of other users', async () => {
  const { token } = await addUser('neighbour');
  const { id } = (await create({ name: 'mine' })).body;
  assert.deepEqual((await call('/api/api-keys', { token })).body, { api_keys: [], total: 0 });
  for (const unknown of [id, '00000000-0000-4000-8000-000000000000', 'x', "' or 1=1 --", '%00'])
    assert.equal((await remove(encodeURIComponent(unknown), token)).status, 404);
  assert.ok(
    (await call('/api/api-keys', { token: root })).body.api_keys.some(
      (each: { id: string }) => each.id === id,
    ),
  );
});

test('the list is paged', async () => {
  const { token } = await addUser('collector');
  for (let i = 0; i < 5; i++) {
    await create({ name: `k${i}` }, token);
    clock.advance(1);
  }
  const page = (await call('/api/api-keys?limit=2&offset=3', { token })).body;
  assert.deepEqual(
    page.api_keys.map(({ name }: { name: string }) => name),
    ['k3', 'k4'],
  );
  assert.equal(page.total, 5);
  assert.equal((await call('/api/api-keys?limit=0', { token })).status, 422);
});

const refusedSoon = async (key: string) => {
  for (const until = Date.now() + 20_000; Date.now() < until; await pause(10))
    if (
      await callerOf(key, elsewhere.identity).then(
        () => false,
        () => true,
      )
    )
      return;
  assert.fail('it is still accepted elsewhere');
};

test('deleted keys, and keys of disabled or deleted users, stop working at once here and soon in other processes', async () => {
  const { access_token: token } = await login();
  const { id, key } = (await create({ name: 'k' }, token)).body;
  await Promise.all([callerOf(key), callerOf(key, elsewhere.identity)]);
  await remove(id, token);
  await challengeOf(callerOf(key));
  await refusedSoon(key);

  const user = await addUser('ending');
  const second = (await create({ name: 'k' }, user.token)).body.key;
  await Promise.all([callerOf(second), callerOf(second, elsewhere.identity)]);
  const change = (body: object) => call(`/auth/users/${user.id}`, { method: 'PATCH', token, body });
  await change({ enabled: false });
  await challengeOf(callerOf(second));
  await refusedSoon(second);
  await change({ enabled: true, roles: ['admin'] });
  assert.deepEqual((await callerOf(second))?.roles, ['admin'], 'roles are the current ones');
  await call(`/auth/users/${user.id}`, { method: 'DELETE', token });
  await challengeOf(callerOf(second));
  await refusedSoon(second);
});

test('authenticating again with the same key or token needs no database query', async (context) => {
  const { access_token: token } = await login();
  const { key } = (await create({ name: 'fast' }, token)).body;
  const ways = {
    key: { 'x-api-key': key },
    'key as bearer': { authorization: `Bearer ${key}` },
    jwt: { authorization: `Bearer ${token}` },
  };
  for (const [way, headers] of Object.entries(ways)) {
    await identity.authenticate(forBoth, headers);
    const { mock } = context.mock.method(db, 'query');
    for (let i = 0; i < 100; i++) await identity.authenticate(forBoth, headers);
    assert.equal(mock.callCount(), 0, way);
    mock.restore();
  }
});
