import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { toOpenApiDocument } from '#base/contract/openapi.ts';
import { openTestDatabase } from '#base/db/testing.ts';
import { AppError } from '#base/errors.ts';
import { createHttpServer } from '#base/http/server.ts';
import { createLog } from '#base/log/log.ts';
import { authOperations } from './contract/auth.ts';
import { createIdentity } from './identity.ts';
import { identityMigrations } from './migrations.ts';
import { openTestIdentity, userPassword } from './testing.ts';

const log = createLog({ level: 'silent' });
const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-identity-'));
after(() => rm(dataDir, { recursive: true }));

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());

const configure = (env: Record<string, string> = {}) =>
  loadConfig(platformSections, { BULWARK_DATA_DIR: dataDir, ...env });

test('of several processes that start at once on an empty database exactly one creates the administrator', async () => {
  await using db = await openTestDatabase([identityMigrations]);
  const start = () =>
    createIdentity({ config: configure(), db, log, clock: systemClock, strictAnswers: true });
  const all = await Promise.all(Array.from({ length: 6 }, start));
  const [first, ...more] = all.flatMap(({ firstAdmin }) => firstAdmin ?? []);
  assert.equal(more.length, 0);
  assert.equal(first!.username, 'admin');
  assert.ok(first!.password!.length >= 24);
  const app = createHttpServer({ service: 'test', log, bodyLimitBytes: 1024 });
  all[0]!.mount(app, { apiKeys: false, counted: (caller) => caller });
  const payload = { username: 'admin', password: first!.password };
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/auth/login', payload });
  assert.equal(statusCode, 200);
  const token = JSON.parse(body).access_token;
  const headers = { authorization: `Bearer ${token}` };
  for (const each of all)
    assert.equal(
      (await each.authenticate(authOperations.me, headers))?.username,
      'admin',
      'all share one key',
    );
  assert.equal((await app.inject({ url: '/api/api-keys', headers })).statusCode, 404);
  const tables = ['users', 'tenants', 'audit_events'];
  const rows = await Promise.all(tables.map((table) => db.query(`select * from identity.${table}`)));
  assert.ok(!JSON.stringify(rows).includes(first!.password!));
  const again = await start();
  assert.equal(again.firstAdmin, undefined);
  for (const each of [...all, again]) await each[Symbol.asyncDispose]();
  const key = join(dataDir, 'secrets', 'jwt');
  assert.equal((await stat(key)).mode & 0o777, 0o600);
  assert.ok(Buffer.from((await readFile(key, 'utf8')).trim()).length >= 32);
});

test('a configured administrator password is not returned, and does not change the password of an existing administrator', async () => {
  assert.deepEqual(server.identity.firstAdmin, { username: 'admin', password: undefined });
  await using later = await openTestIdentity({ BULWARK_ADMIN_PASSWORD: 'something else' }, { db: server.db });
  assert.equal(later.identity.firstAdmin, undefined);
  await assert.rejects(later.login('admin', 'something else'));
  await later.login();
});

test('renewing a lost administrator password sets a new one at startup and ends old sessions', async () => {
  await using own = await openTestIdentity();
  const before = await own.login();
  const { username, password } = await own.identity.renewAdminPassword();
  assert.equal(username, 'admin');
  await assert.rejects(own.login());
  const body = { refresh_token: before.refresh_token };
  assert.equal((await own.call('/auth/refresh', { body })).status, 401);
  const { access_token: token } = await own.login('admin', password);
  assert.equal((await own.call('/auth/me', { token })).status, 200);
  const events = await own.db.query<{ event: string }>('select event from identity.audit_events');
  assert.ok(events.some(({ event }) => event === 'admin_password_renewed'));
  await own.db.query("update identity.users set issuer = 'https://id.example.com', subject = 'a'");
  await assert.rejects(own.identity.renewAdminPassword(), /the issuer/);
});

test('with authentication off, requests without a credential act as the administrator; invalid credentials are still refused', async () => {
  await using open = await openTestIdentity({ BULWARK_AUTH_ENABLED: 'false' }, { db: server.db });
  const caller = await open.identity.authenticate(authOperations.me, {});
  const { access_token: token } = await server.login();
  const me = (await server.call('/auth/me', { token })).body;
  assert.partialDeepStrictEqual(caller, {
    userId: me.id,
    username: 'admin',
    tenantName: 'system',
    roles: ['admin'],
    via: 'anonymous',
  });
  assert.equal((await open.call('/api/api-keys', { body: { name: 'k' } })).status, 201);
  assert.equal(
    (await open.call('/auth/register', { body: { username: 'ada', password: userPassword } })).status,
    201,
  );
  assert.equal((await open.call('/auth/me', { token: 'wrong' })).status, 401);
  assert.equal((await open.call('/auth/me', { token: (await open.login()).access_token })).status, 200);
});

test('with authentication off, requests from other sites, also through DNS rebinding, are refused', async () => {
  const { db } = server;
  const ask = async (headers: Record<string, string>, env: Record<string, string> = {}) => {
    await using open = await openTestIdentity({ BULWARK_AUTH_ENABLED: 'false', ...env }, { db });
    return (await open.call('/api/api-keys', { headers })).status;
  };
  const local = { host: 'localhost:8100' };
  for (const headers of [
    local,
    { host: '[::1]:8100', origin: 'http://127.0.0.1:22100', 'sec-fetch-site': 'same-origin' },
  ])
    assert.equal(await ask(headers), 200);
  for (const headers of [
    { host: 'rebound.example:8100' },
    { ...local, origin: 'https://evil.example' },
    { ...local, origin: 'null' },
    { ...local, 'sec-fetch-site': 'cross-site' },
  ])
    assert.equal(await ask(headers), 403, JSON.stringify(headers));
  assert.equal(await ask({ host: 'guards.example' }, { BULWARK_INSECURE_PUBLIC: 'true' }), 200);
});

test('tenant_id is refused with 403 without the permission, and with 404 for a tenant out of reach', async () => {
  const { identity, call, login, addUser } = server;
  const { access_token: root } = await login();
  const acme = (await call('/auth/tenants', { token: root, body: { name: 'acme' } })).body.id;
  const callerOf = async (token: string) =>
    (await identity.authenticate(authOperations.me, { authorization: `Bearer ${token}` }))!;
  const admin = await callerOf(root);
  const member = await callerOf((await addUser('member', 'acme')).token);
  const chief = await callerOf((await addUser('chief', 'acme', ['admin'])).token);
  const statusOf = (promise: Promise<string>) =>
    promise.then(
      () => 200,
      (error: unknown) => (error instanceof AppError ? error.status : 500),
    );
  for (const caller of [admin, member, chief]) {
    assert.equal(await identity.tenantFor(caller, undefined), caller.tenantId);
    assert.equal(await identity.tenantFor(caller, ''), caller.tenantId);
  }
  assert.equal(await identity.tenantFor(admin, acme), acme);
  assert.equal(await identity.tenantFor(chief, acme), acme);
  assert.equal(await statusOf(identity.tenantFor(chief, admin.tenantId)), 404);
  assert.equal(await statusOf(identity.tenantFor(member, acme)), 403);
  for (const unknown of ['00000000-0000-4000-8000-000000000000', 'acme', "'", '\0'])
    assert.equal(await statusOf(identity.tenantFor(admin, unknown)), 404);
});

test('services can write their own audit events', async () => {
  const { identity, db } = server;
  const caller = await identity.authenticate(authOperations.me, {
    authorization: `Bearer ${(await server.login()).access_token}`,
  });
  await identity.audit({ event: 'guard_deleted', caller, details: { guard_uuid: 'gd_1' } }, db);
  const [row] = await db.query(`select * from identity.audit_events where event = 'guard_deleted'`);
  assert.equal(row!['user_id'], caller!.userId);
  assert.equal(row!['tenant_id'], caller!.tenantId);
  assert.deepEqual(row!['details'], { guard_uuid: 'gd_1' });
});

test('the mounted operations are exactly the documented ones', async () => {
  const document = toOpenApiDocument(server.identity.operations({ apiKeys: true }), {
    title: 'Identity',
    version: '0',
    description: '',
  });
  const routes = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      method: method.toUpperCase(),
      url: path.replaceAll(/\{\w+\}/g, 'x'),
    })),
  );
  assert.ok(routes.length >= 17);
  for (const { method, url } of routes) {
    const { statusCode } = await server.app.inject({ method: method as 'GET', url });
    assert.ok([400, 401].includes(statusCode), `${method} ${url}: ${statusCode}`);
  }
  assert.equal(Object.keys(server.identity.operations({ apiKeys: false })).includes('listApiKeys'), false);
});
