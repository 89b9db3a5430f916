import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { decodeJwt, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { openTestIdentity, userPassword } from '../testing.ts';

const secret = 'a secret of at least 32 characters';
const server = await openTestIdentity({ BULWARK_JWT_SECRET: secret });
after(() => server[Symbol.asyncDispose]());
const { call, login, addUser, clock } = server;

const { access_token: good } = await login();
const [header = '', payload = '', signature = ''] = good.split('.');
const key = new TextEncoder().encode(secret);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const forge = (claims: JWTPayload, alg = 'HS256', secretKey: Uint8Array = key) =>
  new SignJWT({ ...decodeJwt(good), ...claims }).setProtectedHeader({ alg }).sign(secretKey);

const assertRefused = async (token: string, challenge: string) => {
  const { status, headers, body } = await call('/auth/me', { token });
  assert.equal(status, 401, token);
  assert.equal(headers['www-authenticate'], `Bearer error="${challenge}"`, token);
  assert.match(body.detail, /^[A-Z].*\.$/);
  return body.detail as string;
};

test('an issued token is accepted, and so is one signed with our key', async () => {
  assert.equal((await call('/auth/me', { token: good })).status, 200);
  assert.equal((await call('/auth/me', { token: await forge({ jti: 'another' }) })).status, 200);
});

test('tampered tokens are refused', async () => {
  const claims = decodeJwt(good);
  await assertRefused(
    `${header}.${base64url({ ...claims, roles: ['admin'], sub: 'x' })}.${signature}`,
    'invalid_signature',
  );
  await assertRefused(`${header}.${payload}.${randomBytes(32).toString('base64url')}`, 'invalid_signature');
  await assertRefused(`${header}.${payload}.`, 'invalid_signature');
  await assertRefused(await forge({}, 'HS256', randomBytes(32)), 'invalid_signature');
  await assertRefused(
    `${base64url({ alg: 'HS256', typ: 'x' })}.${payload}.${signature}`,
    'invalid_signature',
  );
});

test('only our signing algorithm is accepted', async () => {
  const claims = decodeJwt(good);
  await assertRefused(new UnsecuredJWT(claims).encode(), 'invalid_token');
  for (const alg of ['none', 'None', 'NONE', 'nOnE', 'HS1', '', 'RS256', 'PS256', 'ES256', 'EdDSA'])
    for (const last of ['', signature])
      await assertRefused(`${base64url({ alg, typ: 'JWT' })}.${payload}.${last}`, 'invalid_token');
  for (const alg of ['HS384', 'HS512']) {
    const head = base64url({ alg });
    const mac = createHmac(`sha${alg.slice(2)}`, secret)
      .update(`${head}.${payload}`)
      .digest('base64url');
    await assertRefused(`${head}.${payload}.${mac}`, 'invalid_token');
  }
  const critical = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', crit: ['b64'], b64: true })
    .sign(key);
  assert.ok([200, 401].includes((await call('/auth/me', { token: critical })).status));
});

test('invalid or missing claims are refused, each with its error code', async () => {
  const now = Math.floor(clock.now() / 1000);
  assert.match(await assertRefused(await forge({ aud: 'others' }), 'invalid_token'), /'aud'/);
  assert.match(await assertRefused(await forge({ iss: 'others' }), 'invalid_token'), /'iss'/);
  assert.match(await assertRefused(await forge({ nbf: now + 5 }), 'invalid_token'), /'nbf'/);
  for (const name of ['sub', 'exp', 'iat', 'jti', 'tenant', 'aud', 'iss'])
    assert.match(
      await assertRefused(await forge({ [name]: undefined }), 'invalid_token'),
      new RegExp(`'${name}'`),
    );
  await assertRefused(await forge({ exp: now }), 'token_expired');
  await assertRefused(await forge({ exp: 'soon' as unknown as number }), 'invalid_token');
  await assertRefused(await forge({ sub: 'not-a-uuid' }), 'invalid_token');
  await assertRefused(await forge({ sub: `' or 1=1 --` }), 'invalid_token');
  await assertRefused(await forge({ tenant: '00000000-0000-4000-8000-000000000000' }), 'invalid_token');
});

test('text that is not a token is refused and never repeated in the response', async () => {
  const junk = [
    'x',
    '.',
    '..',
    'a.b',
    'a.b.c',
    'a.b.c.d',
    'e30.e30.',
    `${header}.${payload}`,
    '"',
    "'",
    '%00',
    'x'.repeat(8000),
  ];
  for (const token of junk) {
    const detail = await assertRefused(token, 'invalid_token');
    if (token.length > 3) assert.ok(!detail.includes(token));
  }
});

test('without a credential, or with one in another form, the challenge is missing_auth', async () => {
  const authorizations = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic YWRtaW46YWRtaW4=',
    good,
    `Bearer ${good} x`,
    'Token x',
  ];
  for (const authorization of authorizations) {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await call('/auth/me', { headers });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer error="missing_auth"');
  }
  for (const authorization of [`bearer ${good}`, `BEARER  ${good}`])
    assert.equal((await call('/auth/me', { headers: { authorization } })).status, 200);
});

test('a token expires after 15 minutes, although it was accepted before', async () => {
  const { access_token: token } = await login();
  assert.equal((await call('/auth/me', { token })).status, 200);
  clock.advance(15 * 60_000 - 2000);
  assert.equal((await call('/auth/me', { token })).status, 200);
  clock.advance(2000);
  await assertRefused(token, 'token_expired');
});

test('roles are read at each request, not from the token, and a deleted user’s token stops working', async () => {
  const { id, token } = await addUser('shifting', 'system', ['admin']);
  const root = (await login()).access_token;
  const change = (body: object) => call(`/auth/users/${id}`, { method: 'PATCH', token: root, body });
  assert.equal((await call('/auth/users', { token })).status, 200);
  assert.equal((await change({ roles: ['member'] })).status, 200);
  assert.equal((await call('/auth/users', { token })).status, 403);
  await change({ enabled: false });
  await assertRefused(token, 'invalid_token');
  await change({ enabled: true });
  assert.equal((await call('/auth/me', { token })).status, 200);
  await call(`/auth/users/${id}`, { method: 'DELETE', token: root });
  await assertRefused(token, 'invalid_token');
  await assert.rejects(login('shifting', userPassword));
});
