import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChallenge, unionOfScopes, wantsMoreScope } from './challenge.ts';

test('the Bearer challenge is parsed from any WWW-Authenticate header', () => {
  const full = readChallenge(
    401,
    'Basic realm="x", Bearer error="invalid_token", scope="a b", resource_metadata="https://s.example/.well-known/oauth-protected-resource"',
  );
  assert.deepEqual(full, {
    status: 401,
    isBearer: true,
    error: 'invalid_token',
    scope: 'a b',
    resourceMetadata: 'https://s.example/.well-known/oauth-protected-resource',
  });
  const nothing = { error: undefined, scope: undefined, resourceMetadata: undefined };
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Basic scope="other"',
    'Bearer, Basic scope="other"',
    '"""',
    'Bearer =',
  ])
    assert.deepEqual(
      readChallenge(401, header),
      { status: 401, isBearer: header?.startsWith('Bearer') === true, ...nothing },
      header,
    );
  assert.equal(readChallenge(401, 'bearer scope=plain').scope, 'plain');
  assert.equal(readChallenge(401, 'Bearer scope="a", DPoP scope="b"').scope, 'a');
  assert.equal(readChallenge(401, ['Basic realm="x"', 'Bearer scope="a \\"b\\""']).scope, 'a "b"');
});

test('a long or malformed header is parsed in bounded time', () => {
  for (const piece of ['Bearer ', 'a="', 'a=\\"', ', x ', '"\\'])
    readChallenge(401, `Bearer ${piece.repeat(200_000)}`);
});

test('only a valid token with too few scopes leads to a request for more scopes', () => {
  assert.ok(wantsMoreScope(readChallenge(403, 'Bearer error="insufficient_scope", scope="a"')));
  assert.ok(wantsMoreScope(readChallenge(403, 'Bearer scope="a"')), 'as older servers send it');
  assert.ok(!wantsMoreScope(readChallenge(403, undefined)));
  assert.ok(!wantsMoreScope(readChallenge(401, 'Bearer error="insufficient_scope", scope="a"')));
  assert.equal(unionOfScopes('a b', undefined, 'b c', ''), 'a b c');
});
