/** What shadow AI refuses before any operation of its own: credentials, forms, sizes, and an issuer that is not there. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Sent, startBulwark } from './running.ts';
import { api } from './walk.ts';

// Nothing listens there.
const issuer = 'http://127.0.0.1:9';
const running = await startBulwark(['serve', 'shadow-ai'], { BULWARK_OIDC_ISSUER: issuer });
after(() => running[Symbol.asyncDispose]());
const as = await running.login('admin');

async function refused(status: number, method: string, path: string, sent: Sent = {}, why?: RegExp) {
  const answer = await running.call(method, path, sent);
  const name = `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 300)}`;
  assert.equal(answer.status, status, name);
  assert.equal(typeof answer.body.detail, 'string', name);
  if (why !== undefined) assert.match(answer.body.detail, why);
  return answer;
}

const asPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('401 says what is wrong with the credential; an issuer that cannot be reached is ours to mend', async () => {
  const [header = '', payload = '', signature = ''] = as.split('.');
  const nowSeconds = Math.floor(Date.now() / 1000);
  const ofIssuer = [
    asPart({ alg: 'RS256', kid: 'one' }),
    asPart({ iss: issuer, aud: 'bulwark', sub: 'mara', tenant: 'system', exp: nowSeconds + 600 }),
    'c2lnbmF0dXJl',
  ].join('.');
  const cases: [Sent, string][] = [
    [{}, 'missing_auth'],
    [{ as: 'no-token' }, 'invalid_token'],
    [{ as: [header, payload, signature.split('').toReversed().join('')].join('.') }, 'invalid_signature'],
    [{ key: 'blwk_wrong' }, 'invalid_token'],
    [{ as: ofIssuer }, 'server_misconfigured'],
  ];
  for (const [sent, error] of cases) {
    const { headers } = await refused(401, 'GET', `${api}/events`, sent);
    assert.equal(headers.get('www-authenticate'), `Bearer error="${error}"`);
  }
});

test('bodies that are no JSON, too large, packed too tightly or of another type', async () => {
  const rows = `${api}/telemetry`;
  await refused(400, 'PUT', `${api}/config`, { as, raw: '{"edr_framework":' }, /JSON/);
  await refused(400, 'PUT', `${api}/config`, { as, body: {} }, /edr_framework/);
  await refused(400, 'POST', rows, { as, raw: '[{' });
  const tooLarge = Buffer.alloc(11 * 1024 * 1024, 32);
  await refused(413, 'POST', rows, { as, raw: tooLarge });
  const bomb = gzipSync(Buffer.alloc(512 * 1024 * 1024, 32));
  await refused(413, 'POST', rows, { as, raw: bomb, headers: { 'content-encoding': 'gzip' } });
  await refused(400, 'POST', rows, { as, raw: 'no gzip', headers: { 'content-encoding': 'gzip' } });
  await refused(415, 'POST', rows, { as, raw: '[]', headers: { 'content-encoding': 'zstd' } });
  await refused(415, 'POST', rows, { as, raw: 'a,b', headers: { 'content-type': 'text/csv' } });
});

test('paths, methods and sources that are not there', async () => {
  await refused(404, 'GET', `${api}/nothing`, { as });
  await refused(404, 'GET', `${api}/events/999999/tree`, { as });
  await refused(405, 'DELETE', `${api}/events`, { as });
  await refused(409, 'POST', `${api}/connector/sync`, { as });
  await refused(422, 'GET', `${api}/events?limit=0`, { as }, /limit/);
  const { headers } = await running.call('DELETE', `${api}/events`, { as });
  assert.match(headers.get('allow') ?? '', /GET/);
});
