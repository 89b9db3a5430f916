import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestIdentity, userPassword } from '../testing.ts';

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());
const { call, login, addUser, db } = server;

const { access_token: root } = await login();
const makeTenant = async (name: string, self_registration = false) =>
  (await call('/auth/tenants', { token: root, body: { name, self_registration } })).body;
const register = (body: object, token?: string) =>
  call('/auth/register', { body: { password: userPassword, ...body }, token });

await makeTenant('closed');
const open = await makeTenant('open', true);

test('an administrator adds a user, who can sign in and is a member', async () => {
  const { status, body } = await register({ username: 'ada' }, root);
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body).sort(), ['id', 'tenant_name', 'username']);
  assert.equal(body.tenant_name, 'system');
  const { access_token: token } = await login('ada', userPassword);
  assert.deepEqual((await call('/auth/me', { token })).body, { id: body.id, username: 'ada' });
  assert.equal((await call('/auth/users', { token })).status, 403);
});

test('an existing username is refused in any case and width, and is free in another tenant', async () => {
  await addUser('grace');
  for (const username of ['grace', 'GRACE', 'ｇrace']) {
    const { status, body } = await register({ username }, root);
    assert.equal(status, 409);
    assert.match(body.detail, /taken/);
  }
  assert.equal((await register({ username: 'grace', tenant_name: 'closed' }, root)).status, 201);
});

test('of many concurrent registrations of one name exactly one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => register({ username: 'wanted' }, root)));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409, 409, 409, 409, 409],
  );
});

test('an open tenant accepts self-registration, as a member only', async () => {
  const { status } = await register({ username: 'visitor', tenant_name: 'open' });
  assert.equal(status, 201);
  const asAdmin = await register({ username: 'climber', tenant_name: 'open', roles: ['admin'] });
  assert.equal(asAdmin.status, 403);
  assert.match(asAdmin.body.detail, /'roles'/);
  const { token } = await addUser('keeper', 'open', ['admin']);
  await call(`/auth/tenants/${open.id}`, { method: 'PATCH', token, body: { self_registration: false } });
  assert.equal((await register({ username: 'late', tenant_name: 'open' })).status, 401);
});

test('self-registrations from one address are limited', async () => {
  await makeTenant('crowded', true);
  const join = (from: string) =>
    call('/auth/register', {
      body: { username: 'one', password: userPassword, tenant_name: 'crowded' },
      from,
    });
  for (let i = 0; i < 100; i++) assert.equal((await join('192.0.2.1')).status, i === 0 ? 201 : 409);
  const refused = await join('192.0.2.1');
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '900');
  assert.equal((await join('192.0.2.2')).status, 409);
  const { token } = await addUser('neighbour');
  const asMember = { username: 'one', password: userPassword, tenant_name: 'crowded' };
  assert.equal((await call('/auth/register', { body: asMember, token, from: '192.0.2.1' })).status, 429);
});

test('joining the system tenant or a closed tenant needs an administrator, and unknown tenants are not revealed', async () => {
  const { token: member } = await addUser('member');
  const { token: otherAdmin } = await addUser('chief', 'closed', ['admin']);
  for (const tenant_name of ['system', 'closed', 'nowhere']) {
    const anonymous = await register({ username: 'eve', tenant_name });
    assert.equal(anonymous.status, 401);
    assert.equal(anonymous.headers['www-authenticate'], 'Bearer error="missing_auth"');
    assert.equal((await register({ username: 'eve', tenant_name }, member)).status, 403);
  }
  for (const tenant_name of ['system', 'nowhere'])
    assert.equal((await register({ username: 'eve', tenant_name }, otherAdmin)).status, 404);
  assert.equal((await register({ username: 'mate', tenant_name: 'closed' }, otherAdmin)).status, 201);
  assert.equal((await register({ username: 'eve', tenant_name: 'nowhere' }, root)).status, 404);
});

test('the system tenant cannot be opened for self-registration, even by a change in the database', async () => {
  const { body } = await call('/auth/tenants', { token: root });
  const system = body.tenants.find(({ name }: { name: string }) => name === 'system');
  const opened = await call(`/auth/tenants/${system.id}`, {
    method: 'PATCH',
    token: root,
    body: { self_registration: true },
  });
  assert.equal(opened.status, 409);
  await db.query(`update identity.tenants set self_registration = true where name = 'system'`);
  assert.equal((await register({ username: 'eve' })).status, 401);
  await db.query(`update identity.tenants set self_registration = false where name = 'system'`);
});

test('an invalid token or an API key is refused, although registration works without a credential', async () => {
  await makeTenant('lobby', true);
  const wrong = await register({ username: 'x', tenant_name: 'lobby' }, 'not.a.token');
  assert.equal(wrong.status, 401);
  const { body } = await call('/api/api-keys', { token: root, body: { name: 'k' } });
  assert.equal((await register({ username: 'x' }, body.key)).status, 401);
});

test('invalid usernames and passwords are refused with the reason', async () => {
  const cases: [RegExp, object][] = [
    [/at least 8 characters/, { username: 'short', password: '1234567' }],
    [/1024 bytes/, { username: 'long', password: '€'.repeat(400) }],
    [/NUL/, { username: 'nul\0name' }],
    [/control characters/, { username: 'line\nbreak' }],
    [/control characters/, { username: 'x\r\nSet-Cookie: a=b' }],
    [/space/, { username: ' admin' }],
    [/control characters/, { username: 'adm\u200bin' }],
    [/255/, { username: 'x'.repeat(1024 * 1024) }],
    [/'roles/, { username: 'wizard', roles: ['wizard'] }],
    [/'roles'/, { username: 'nothing', roles: [] }],
  ];
  for (const [detail, body] of cases) {
    const answer = await register(body, root);
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    assert.match(answer.body.detail, detail);
  }
  assert.equal((await call('/auth/register', { body: { username: 'x' } })).status, 400);
});

test('a name that looks like SQL or HTML is stored unchanged', async () => {
  for (const username of [`Robert'); drop table users; --`, '<script>alert(1)</script>', 'Zoë 🦊']) {
    const { status, body } = await register({ username }, root);
    assert.equal(status, 201);
    assert.equal(body.username, username);
    await login(username, userPassword);
  }
});
