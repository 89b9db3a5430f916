import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Operation } from '#base/contract/operation.ts';
import { AppError } from '#base/errors.ts';
import { authOperations } from './contract/auth.ts';
import { openTestIdentity } from './testing.ts';

const server = await openTestIdentity();
after(() => server[Symbol.asyncDispose]());
const { identity, call, login } = server;

const { access_token: token } = await login();
const { key } = (await call('/api/api-keys', { token, body: { name: 'k' } })).body as { key: string };
const forBoth: Operation = { ...authOperations.me, access: 'jwt_or_key' };

/** Refused with 401 and one of the known challenges, for any input. */
async function assertRefused(operation: Operation, headers: Record<string, string>) {
  const error = await identity.authenticate(operation, headers).then(
    () => assert.fail(`accepted ${JSON.stringify(headers)}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.status, 401);
  assert.match(
    error.headers['www-authenticate'] ?? '',
    /^Bearer error="(token_expired|invalid_signature|invalid_token|missing_auth)"$/,
  );
}

const rubbish = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.stringMatching(/^[\w-]{0,40}\.[\w-]{0,40}\.[\w-]{0,60}$/),
  fc.stringMatching(/^blwk_[\w-]{40,46}$/),
  fc.json().map((text) => `${Buffer.from(text).toString('base64url')}.e30.`),
);

test('random header values are refused with 401, never accepted and never another error', async () => {
  const schemes = fc.constantFrom('', 'Bearer ', 'bearer  ', 'Basic ', 'Bearer blwk_');
  await fc.assert(
    fc.asyncProperty(rubbish, schemes, fc.boolean(), async (text, scheme, inKeyHeader) => {
      const headers: Record<string, string> = inKeyHeader
        ? { 'x-api-key': text }
        : { authorization: `${scheme}${text}` };
      for (const operation of [authOperations.me, forBoth]) await assertRefused(operation, headers);
    }),
    { numRuns: 300 },
  );
});

test('changing any one character invalidates a token or key', async () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
  // The last character of a base64url text contains unused bits, so changing it may make no difference.
  const changed = (text: string, at: number, letter: string) => {
    const place = at % (text.length - 1);
    return text[place] === letter ? undefined : text.slice(0, place) + letter + text.slice(place + 1);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(token, key),
      fc.nat(),
      fc.constantFrom(...letters.split('')),
      async (good, at, letter) => {
        const bad = changed(good, at, letter);
        if (bad !== undefined) await assertRefused(forBoth, { authorization: `Bearer ${bad}` });
      },
    ),
    { numRuns: 500 },
  );
  for (const good of [token, key])
    assert.ok(await identity.authenticate(forBoth, { authorization: `Bearer ${good}` }));
});
