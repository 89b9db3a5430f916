import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decodeJwt } from 'jose';
import { createSessions } from '../sessions/sessions.ts';
import { adminPassword, openTestIdentity, userPassword } from '../testing.ts';
import { findUser } from '../users/store.ts';

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());
const { call, login, addUser, db, clock } = server;
const day = 24 * 60 * 60 * 1000;

const refresh = (token: string, path = '/auth/refresh') => call(path, { body: { refresh_token: token } });

const events = async (event: string) =>
  db.query('select * from identity.audit_events where event = $1 order by id', [event]);

test('login returns tokens with the documented claims, at both paths', async () => {
  for (const url of ['/auth/login', '/auth-api/api/v1/auth/login']) {
    const { status, body } = await call(url, { body: { username: 'admin', password: adminPassword } });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'refresh_token', 'token_type']);
    assert.equal(body.token_type, 'bearer');
    assert.equal(body.expires_in, 900);
    const { iat, exp, sub, jti, ...claims } = decodeJwt(body.access_token);
    const [tenant] = await db.query(`select id from identity.tenants where name = 'system'`);
    assert.deepEqual(claims, {
      iss: 'bulwark',
      aud: 'bulwark',
      username: 'admin',
      tenant: tenant!['id'],
      tenant_name: 'system',
      roles: ['admin'],
      permissions: ['gateway:start', 'gateway:stop', 'tenant:override', 'users:manage'],
    });
    assert.equal(exp! - iat!, 900);
    assert.ok(jti);
    assert.deepEqual((await call('/auth/me', { token: body.access_token })).body, {
      id: sub,
      username: 'admin',
    });
  }
});

test('a wrong username, password and tenant give identical responses', async () => {
  const bodies = [
    { username: 'admin', password: 'wrong password' },
    { username: 'nobody', password: adminPassword },
    { username: 'admin', password: adminPassword, tenant_name: 'nowhere' },
    { username: `admin' or '1'='1`, password: adminPassword },
    { username: 'admin', password: `' or 1=1 --` },
    { username: 'admin', password: adminPassword, tenant_name: `system'; drop table identity.users; --` },
  ];
  const answers = await Promise.all(bodies.map((body) => call('/auth/login', { body })));
  for (const { status, headers, body } of answers) {
    assert.equal(status, 401);
    assert.equal(headers['www-authenticate'], 'Bearer error="invalid_token"');
    assert.deepEqual(body, answers[0]!.body);
  }
  await login();
});

test('usernames match regardless of case and width', async () => {
  await login('ADMIN');
  await login('ａｄｍｉｎ');
});

test('invalid input is refused before any password check: 400 for missing fields, otherwise 422', async () => {
  const good = { username: 'admin', password: adminPassword };
  const cases: [number, RegExp, unknown][] = [
    [400, /'username' is required/, { password: 'x' }],
    [400, /'password' is required/, { username: 'admin' }],
    [422, /'username'.*NUL/, { ...good, username: 'ad\0min' }],
    [422, /'username'.*surrogates/, { ...good, username: 'ad\ud800' }],
    [422, /'username'.*255/, { ...good, username: 'x'.repeat(1024 * 1024) }],
    [422, /'password'.*1024/, { ...good, password: 'x'.repeat(1025) }],
    [422, /'password'.*1024 bytes/, { ...good, password: 'ü'.repeat(513) }],
    [422, /'tenant_name'/, { ...good, tenant_name: '' }],
    [422, /'username' must be a string/, { ...good, username: { $ne: '' } }],
    [422, /'username' must be a string/, { ...good, username: ['admin'] }],
    [422, /body must be an object/, [good]],
  ];
  for (const [status, detail, body] of cases) {
    const answer = await call('/auth/login', { body });
    assert.equal(answer.status, status, JSON.stringify(answer.body).slice(0, 300));
    assert.match(answer.body.detail, detail);
    assert.ok(answer.body.detail.length < 500);
  }
});

test('a failed login takes similar CPU time whether the user exists or not', async () => {
  await login();
  const cpuMs = async (username: string, from: string) => {
    const before = process.cpuUsage();
    for (let i = 0; i < 6; i++)
      await call('/auth/login', { body: { username, password: 'wrong password' }, from });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  await cpuMs('warm-up', '10.0.0.1');
  const known = await cpuMs('admin', '10.0.0.2');
  const unknown = await cpuMs('nobody-of-that-name', '10.0.0.3');
  const ratio = unknown / known;
  assert.ok(ratio > 0.5 && ratio < 2, `${known} ms against ${unknown} ms of CPU`);
});

test('after 10 failures in 15 minutes for one username and address: 429, even with the right password', async () => {
  const from = '192.0.2.7';
  await addUser('throttled');
  const attempt = (password: string, address = from, username = 'throttled') =>
    call('/auth/login', { body: { username, password }, from: address });
  // All at once: none may pass between counting and checking.
  const burst = await Promise.all(Array.from({ length: 30 }, () => attempt('wrong password')));
  assert.equal(burst.filter(({ status }) => status === 401).length, 10);
  assert.equal(burst.filter(({ status }) => status === 429).length, 20);
  const refused = await attempt(userPassword);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '900');
  assert.equal(
    (await attempt(userPassword, from, 'THROTTLED')).status,
    429,
    'another spelling of the username counts too',
  );
  assert.equal(
    (await attempt(userPassword, `::ffff:${from}`)).status,
    429,
    'another form of the address counts too',
  );
  assert.equal((await attempt(userPassword, '192.0.2.8')).status, 200, 'another address is not throttled');
  assert.equal((await attempt('x', from, 'another')).status, 401, 'another username is not throttled');
  clock.advance(14 * 60_000);
  assert.equal((await attempt(userPassword)).headers['retry-after'], '60');
  clock.advance(61_000);
  assert.equal((await attempt(userPassword)).status, 200);
});

test('a successful login resets the failure count; addresses of one IPv6 network count together', async () => {
  const attempt = (password: string, i: number) =>
    call('/auth/login', { body: { username: 'admin', password }, from: `2001:db8:1:2::${i.toString(16)}` });
  for (let i = 0; i < 9; i++) assert.equal((await attempt('wrong password', i)).status, 401);
  assert.equal((await attempt(adminPassword, 9)).status, 200);
  for (let i = 0; i < 10; i++) assert.equal((await attempt('wrong password', i)).status, 401);
  assert.equal((await attempt(adminPassword, 77)).status, 429);
});

test('old failures are deleted from the table', async () => {
  clock.advance(20 * 60_000);
  await call('/auth/login', { body: { username: 'somebody', password: 'wrong password' } });
  const rows = await db.query('select key from identity.login_failures');
  assert.equal(rows.length, 1);
});

test('refresh returns the same fields as login, at both paths, with a new refresh token', async () => {
  let { refresh_token: token } = await login();
  for (const path of ['/auth/refresh', '/auth-api/api/v1/auth/refresh', '/auth/refresh']) {
    const { status, body } = await refresh(token, path);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'refresh_token', 'token_type']);
    assert.notEqual(body.refresh_token, token);
    assert.equal((await call('/auth/me', { token: body.access_token })).status, 200);
    token = body.refresh_token;
  }
});

test('reusing a refresh token revokes its whole token family, and no other', async () => {
  const { refresh_token: first } = await login();
  const { refresh_token: other } = await login();
  const { refresh_token: second } = (await refresh(first)).body;
  const { refresh_token: third } = (await refresh(second)).body;
  const before = (await events('refresh_reuse')).length;
  const reused = await refresh(first);
  assert.equal(reused.status, 401);
  assert.match(reused.body.detail, /already used/);
  assert.equal(reused.headers['www-authenticate'], 'Bearer error="invalid_token"');
  for (const token of [second, third]) assert.equal((await refresh(token)).status, 401);
  assert.equal((await events('refresh_reuse')).length, before + 1);
  assert.equal((await refresh(other)).status, 200);
});

test('of many concurrent refreshes with one token exactly one succeeds', async () => {
  const { refresh_token: token } = await login();
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 401, 401, 401, 401, 401, 401, 401],
  );
});

test('each refresh token lasts 7 days from its creation', async () => {
  const { refresh_token: first } = await login();
  clock.advance(7 * day - 1000);
  const { status, body } = await refresh(first);
  assert.equal(status, 200);
  clock.advance(7 * day);
  const late = await refresh(body.refresh_token);
  assert.equal(late.status, 401);
  assert.equal(late.headers['www-authenticate'], 'Bearer error="token_expired"');
});

test('a sign-in in progress while the password changes opens no session', async () => {
  const sessions = createSessions({ db, clock });
  const { id } = await addUser('changing');
  const before = (await findUser(db, id))!;
  const silent = async () => {};
  assert.ok(await sessions.begin(before, silent));
  const { access_token: root } = await login();
  const body = { password: 'another password' };
  await call(`/auth/users/${id}`, { method: 'PATCH', token: root, body });
  assert.equal(await sessions.begin(before, silent), undefined);
  assert.ok(await sessions.begin((await findUser(db, id))!, silent));
});

test('anything but a refresh token of ours is refused', async () => {
  const { access_token: access } = await login();
  for (const token of ['x', access, `' or 1=1 --`, '\0', 'A'.repeat(43)])
    assert.equal((await refresh(token)).status, 401);
  assert.equal((await refresh('')).status, 422);
  assert.equal((await refresh('x'.repeat(5000))).status, 422);
  assert.equal((await call('/auth/refresh', { body: {} })).status, 400);
});

test('logout invalidates the refresh token; repeating it is harmless', async () => {
  const { refresh_token: token } = await login();
  const next = (await refresh(token)).body.refresh_token;
  for (let i = 0; i < 2; i++) {
    const { status, body } = await call('/auth/logout', { body: { refresh_token: next } });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['message']);
  }
  assert.equal((await refresh(next)).status, 401);
});

test('audit events record who did what from where, and contain no secret', async () => {
  const tokens = await login();
  await refresh(tokens.refresh_token);
  await call('/auth/login', {
    body: { username: 'mallory', password: 'guessed-secret' },
    from: '203.0.113.9',
  });
  const [failed] = (await events('login_failed')).slice(-1);
  assert.equal(failed!['address'], '203.0.113.9');
  assert.deepEqual(failed!['details'], { username: 'mallory', tenant_name: 'system' });
  const [ok] = (await events('login')).slice(-1);
  assert.ok(ok!['user_id'] && ok!['tenant_id'] && ok!['request_id']);
  const everything = JSON.stringify(
    await Promise.all(
      ['audit_events', 'sessions', 'refresh_tokens', 'users'].map((table) =>
        db.query(`select * from identity.${table}`),
      ),
    ),
  );
  for (const secret of ['guessed-secret', adminPassword, tokens.refresh_token, tokens.access_token])
    assert.ok(!everything.includes(secret));
});
