import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { after, test } from 'node:test';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { algorithms, startOidcIssuer, type TokenRequest } from '../../../test/fixtures/oidc-issuer.ts';
import type { Operation } from '#base/contract/operation.ts';
import { authOperations } from '../contract/auth.ts';
import { openTestIdentity } from '../testing.ts';

const issuer = await startOidcIssuer();
const server = await openTestIdentity({
  BULWARK_OIDC_ISSUER: issuer.url,
  BULWARK_OIDC_ROLES_CLAIM: 'realm.roles',
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});
const { app, db, clock } = server;

const forBoth: Operation = { ...authOperations.me, access: 'jwt_or_key' };

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const me = (token: string) => app.inject({ url: '/auth/me', headers: bearer(token) });
const users = (token: string) => app.inject({ url: '/auth/users', headers: bearer(token) });

const seconds = () => Math.floor(clock.now() / 1000);

let subjects = 0;
/** A token of a new user of `system`. */
const mint = ({ claims, expiresInSeconds = 300, ...request }: TokenRequest = {}) => {
  const sub = `subject-${++subjects}`;
  const usual = { sub, tenant: 'system', preferred_username: `${sub}@example.com` };
  const times = { iat: seconds(), exp: seconds() + expiresInSeconds };
  return issuer.mint({ ...request, claims: { ...usual, ...times, ...claims } });
};

const assertRefused = async (token: string, challenge: string) => {
  const response = await me(token);
  assert.equal(response.statusCode, 401, response.body);
  assert.equal(response.headers['www-authenticate'], `Bearer error="${challenge}"`);
  return response.json().detail as string;
};

test('a token of the issuer is accepted in each of the three algorithms, and its user is created once', async () => {
  for (const alg of algorithms) {
    const sub = `with-${alg}`;
    const claims = { sub, preferred_username: sub };
    const first = await me(await mint({ alg, claims }));
    assert.equal(first.statusCode, 200, first.body);
    assert.equal(first.json().username, sub);
    const [second, third] = await Promise.all([
      me(await mint({ alg, claims })),
      me(await mint({ alg, claims })),
    ]);
    assert.deepEqual([second.json(), third.json()], [first.json(), first.json()]);
  }
});

test('many concurrent first tokens of one user create one user', async () => {
  const claims = { sub: 'rush' };
  const tokens = await Promise.all(
    Array.from({ length: 8 }, (_, i) => mint({ claims: { ...claims, jti: `${i}` } })),
  );
  const answers = await Promise.all(tokens.map(me));
  const ids = new Set(answers.map((answer) => answer.json().id));
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    tokens.map(() => 200),
  );
  assert.equal(ids.size, 1);
});

test('a username at the issuer gives no access to the local user of the same name', async () => {
  const response = await me(await mint({ claims: { preferred_username: 'admin' } }));
  assert.equal(response.statusCode, 200);
  assert.equal(response.json().username, `admin@${new URL(issuer.url).host}`);
  const [admin] = await db.query(`select id from identity.users where username = 'admin'`);
  assert.notEqual(response.json().id, admin!['id']);
});

test('roles are read from the configured claim, as a list or space-separated; unknown roles are ignored', async () => {
  for (const roles of [['admin', 'wizard'], 'wizard admin'])
    assert.equal((await users(await mint({ claims: { realm: { roles } } }))).statusCode, 200);
  for (const roles of [undefined, [], ['wizard'], 'administrator', { admin: true }, 7])
    assert.equal((await users(await mint({ claims: { realm: { roles } } }))).statusCode, 403);
});

test('the newest token decides the roles: an older token does not restore them', async () => {
  const now = seconds();
  const claims = { sub: 'demoted' };
  const before = await mint({ claims: { ...claims, iat: now - 10, realm: { roles: ['admin'] } } });
  assert.equal((await users(before)).statusCode, 200);
  const later = await mint({ claims: { ...claims, iat: now, realm: { roles: ['member'] } } });
  assert.equal((await users(later)).statusCode, 403);
  assert.equal((await users(before)).statusCode, 403, 'at once, for the older token too');
  const unseen = await mint({ claims: { ...claims, iat: now - 5, realm: { roles: ['admin'] } } });
  assert.equal((await users(unseen)).statusCode, 403);
});

test('an email address is stored unless the issuer marks it as unverified, as boolean or string', async () => {
  const email = 'boss@example.com';
  const kept = [];
  for (const email_verified of [undefined, true, 'true', false, 'false']) {
    const sub = `mailed-${String(email_verified)}-${typeof email_verified}`;
    assert.equal((await me(await mint({ claims: { sub, email, email_verified } }))).statusCode, 200);
    const [user] = await db.query('select email from identity.users where subject = $1', [sub]);
    kept.push(user!['email']);
  }
  assert.deepEqual(kept, [email, email, email, null, null]);
});

test('a token with an unknown tenant, or without one, is refused', async () => {
  const unknown = await me(await mint({ claims: { tenant: 'nowhere' } }));
  assert.equal(unknown.statusCode, 403);
  assert.match(unknown.json().detail, /'nowhere'.*does not exist/);
  const none = await me(await mint({ claims: { tenant: undefined } }));
  assert.equal(none.statusCode, 403);
  assert.match(none.json().detail, /'tenant'/);
});

test('a user who moves to another tenant loses access to the previous one', async () => {
  await db.query(
    `insert into identity.tenants (id, name, created_at) values (gen_random_uuid(), 'acme', now())`,
  );
  const now = seconds();
  const before = await mint({ claims: { sub: 'mover', iat: now - 10 } });
  assert.equal((await me(before)).statusCode, 200);
  const moved = await mint({ claims: { sub: 'mover', iat: now, tenant: 'acme' } });
  assert.equal((await me(moved)).statusCode, 200);
  assert.match(await assertRefused(before, 'invalid_token'), /another tenant/);
});

test('tokens we issue for a user of the issuer have the standard claims only', async () => {
  const token = await mint({ claims: { sub: 'caller' } });
  const { id } = (await me(token)).json();
  const caller = await server.identity.authenticate(forBoth, bearer(token));
  assert.ok(caller);
  const ours = await server.identity.tokenFor(caller);
  assert.equal((await me(ours)).json().id, id);
  assert.deepEqual(Object.keys(decodeJwt(ours)).sort(), [
    'aud',
    'exp',
    'iat',
    'iss',
    'jti',
    'permissions',
    'roles',
    'sub',
    'tenant',
    'tenant_name',
    'username',
  ]);
  const admin = await mint({ claims: { sub: 'reader', realm: { roles: ['admin'] } } });
  const { users: all } = (await users(admin)).json() as { users: { id: string; source: string }[] };
  assert.equal(all.find((user) => user.id === id)?.source, 'oidc');
});

test('a deleted user of the issuer is not created again', async () => {
  const admin = await mint({ claims: { sub: 'boss', realm: { roles: ['admin'] } } });
  const token = await mint({ claims: { sub: 'leaver' } });
  const { id } = (await me(token)).json();
  const deleted = await app.inject({ method: 'DELETE', url: `/auth/users/${id}`, headers: bearer(admin) });
  assert.equal(deleted.statusCode, 200, deleted.body);
  await assertRefused(token, 'invalid_token');
  await assertRefused(await mint({ claims: { sub: 'leaver', jti: 'another' } }), 'invalid_token');
});

test('invalid claims are refused with their reason', async () => {
  const now = seconds();
  assert.match(await assertRefused(await mint({ claims: { aud: 'others' } }), 'invalid_token'), /'aud'/);
  assert.match(
    await assertRefused(await mint({ claims: { iss: 'https://evil.example' } }), 'invalid_token'),
    /'iss'/,
  );
  assert.match(await assertRefused(await mint({ claims: { nbf: now + 60 } }), 'invalid_token'), /'nbf'/);
  assert.match(await assertRefused(await mint({ claims: { exp: undefined } }), 'invalid_token'), /'exp'/);
  await assertRefused(await mint({ claims: { exp: now - 60 } }), 'token_expired');
  assert.match(await assertRefused(await mint({ claims: { iat: now + 60 } }), 'invalid_token'), /'iat'/);
  for (const sub of ['', 'nul\0', 'x'.repeat(256), '\ud800'])
    await assertRefused(await mint({ claims: { sub } }), 'invalid_token');
});

test('an expired token is refused although it was accepted before', async () => {
  // By the test's clock, which does not advance while the issuer's does.
  const token = await mint({ claims: { exp: Math.floor(clock.now() / 1000) + 60 } });
  assert.equal((await me(token)).statusCode, 200);
  clock.advance(66_000);
  await assertRefused(token, 'token_expired');
});

test('tokens with alg “none”, or signed with the public key as HMAC secret, are refused', async () => {
  const claims = { tenant: 'system', preferred_username: 'eve', realm: { roles: ['admin'] } };
  const common = <T extends SignJWT | UnsecuredJWT>(jwt: T) =>
    jwt.setIssuer(issuer.url).setAudience('bulwark').setSubject('eve').setIssuedAt().setExpirationTime('1h');
  await assertRefused((common(new UnsecuredJWT(claims)) as UnsecuredJWT).encode(), 'invalid_token');
  const [rsa] = issuer.publicKeys();
  const publicKey = createPublicKey({ key: rsa!, format: 'jwk' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const confused = (common(new SignJWT(claims)) as SignJWT).setProtectedHeader({
    alg: 'HS256',
    kid: rsa!.kid!,
  });
  await assertRefused(await confused.sign(new TextEncoder().encode(pem)), 'invalid_signature');
});

test('rotated keys are found, unknown keys do not cause repeated requests to the issuer, and old keys stop working', async () => {
  clock.advance(10_000);
  const before = await mint({ claims: { sub: 'rotating' } });
  assert.equal((await me(before)).statusCode, 200);
  await issuer.rotate();
  const asked = () => issuer.asked.get('/jwks') ?? 0;
  const atFirst = asked();
  const rotated = await mint({ claims: { sub: 'rotating', jti: '2' } });
  assert.equal((await me(rotated)).statusCode, 200);
  assert.equal(asked(), atFirst + 1);
  await using stranger = await startOidcIssuer();
  const foreign = () => stranger.mint({ claims: { iss: issuer.url, jti: String(Math.random()) } });
  for (let i = 0; i < 5; i++) await assertRefused(await foreign(), 'invalid_signature');
  assert.equal(asked(), atFirst + 1);
  clock.advance(5 * 60_000 - 1);
  const long = await mint({
    claims: { sub: 'rotating', jti: '3', exp: seconds() + 7200 },
  });
  assert.equal((await me(long)).statusCode, 200);
  await issuer.rotate();
  clock.advance(11 * 60_000);
  await assertRefused(long, 'invalid_signature');
});

test('an issuer that responds incorrectly is reported as server_misconfigured, not as an invalid token', async () => {
  const token = await mint({ claims: { exp: seconds() + 90_000 } });
  for (const broken of [
    { status: 500, body: 'oops' },
    { status: 200, body: 'no json' },
    { status: 200, body: '{"issuer":"https://evil.example","jwks_uri":"https://evil.example/jwks"}' },
    { status: 200, body: ' '.repeat(2 * 1024 * 1024) },
    { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } },
  ]) {
    clock.advance(2 * 60 * 60_000);
    issuer.broken = broken;
    assert.match(await assertRefused(token, 'server_misconfigured'), /issuer/);
  }
  issuer.broken = undefined;
  clock.advance(10_000);
  assert.equal((await me(token)).statusCode, 200);
  issuer.broken = { status: 500, body: '' };
  clock.advance(30 * 60_000);
  assert.equal((await me(token)).statusCode, 200, 'the previous keys are used for another hour');
  issuer.broken = undefined;
});

test('a trailing slash in the configured issuer makes no difference', async () => {
  await using other = await openTestIdentity({ BULWARK_OIDC_ISSUER: `${issuer.url}/` }, { db, clock });
  const token = await mint();
  assert.equal((await other.call('/auth/me', { token })).status, 200);
});

test('without a configured issuer its tokens are refused', async () => {
  await using other = await openTestIdentity({}, { db, clock });
  const { status, body } = await other.call('/auth/me', { token: await mint() });
  assert.equal(status, 401);
  assert.match(body.detail, /algorithm/);
});

test('the roles of an API key follow the newest token of its user', async () => {
  const now = seconds();
  const claims = { sub: 'automating', iat: now - 2, realm: { roles: ['admin'] } };
  const { body } = await server.call('/api/api-keys', { token: await mint({ claims }), body: { name: 'k' } });
  const caller = () => server.identity.authenticate(forBoth, { 'x-api-key': body.key });
  assert.deepEqual((await caller())?.roles, ['admin']);
  await me(await mint({ claims: { ...claims, iat: now, realm: { roles: ['member'] } } }));
  assert.deepEqual((await caller())?.roles, ['member']);
});
