/** Shadow AI’s contract against the running product: sign-in, connectors and the SaaS instance. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { password } from './running.ts';
import { api, isoTime, keys, startWalk } from './walk.ts';

const walk = await startWalk();
after(() => walk[Symbol.asyncDispose]());
const { running, admin, member } = walk;
const ask: typeof walk.ask = (...of) => walk.ask(...of);
const refuses: typeof walk.refuses = (...of) => walk.refuses(...of);
const call: typeof running.call = (...of) => running.call(...of);
const register: typeof walk.register = (...of) => walk.register(...of);

test('health needs no sign-in', async () => {
  const { status, body } = await call('GET', '/health');
  assert.equal(status, 200);
  assert.deepEqual(keys(body), ['environment', 'status', 'version']);
  assert.equal(body.environment, 'development');
});

test('login, refresh, me, logout and register', async () => {
  const login = await call('POST', '/auth/login', { body: { username: 'admin', password } });
  assert.equal(login.status, 200);
  assert.deepEqual(keys(login.body), ['access_token', 'expires_in', 'refresh_token', 'token_type']);
  assert.equal(login.body.token_type, 'bearer');
  assert.equal(login.body.expires_in, 900);
  const me = await call('GET', '/auth/me', { as: login.body.access_token });
  assert.deepEqual([keys(me.body), me.body.username], [['id', 'username'], 'admin']);
  const { refresh_token } = login.body;
  const fresh = await call('POST', '/auth/refresh', { body: { refresh_token } });
  assert.deepEqual(keys(fresh.body), keys(login.body));
  assert.notEqual(fresh.body.refresh_token, refresh_token);
  // A token that was used before ends the whole family.
  assert.equal((await call('POST', '/auth/refresh', { body: { refresh_token } })).status, 401);
  const again = { refresh_token: fresh.body.refresh_token };
  assert.equal((await call('POST', '/auth/refresh', { body: again })).status, 401);
  const other = await call('POST', '/auth/login', { body: { username: 'admin', password } });
  const out = await call('POST', '/auth/logout', { body: { refresh_token: other.body.refresh_token } });
  assert.deepEqual([out.status, keys(out.body)], [200, ['message']]);
  const registered = await register('nils');
  assert.equal(registered.status, 201);
  assert.deepEqual(keys(registered.body), ['id', 'tenant_name', 'username']);
  assert.equal(registered.body.tenant_name, 'system');
  await refuses(409, [['POST', '/auth/register', { body: { username: 'nils', password } }]]);
  await refuses(400, [
    ['POST', '/auth/login', { body: { username: 'x' } }, /password/],
    ['POST', '/auth/login', { raw: '{' }],
    ['POST', '/auth/refresh', { body: {} }, /refresh_token/],
    ['POST', '/auth/register', { body: { username: 'x' } }, /password/],
  ]);
  const wrong = await call('POST', '/auth/login', { body: { username: 'admin', password: 'wrong' } });
  assert.deepEqual([wrong.status, typeof wrong.body.detail], [401, 'string']);
});

test('every other path needs a key or a token', async () => {
  const paths = ['config', 'connector/status', 'events', 'events/stats', 'events/1/tree', 'saas-config']
    .map((each) => `${api}/${each}`)
    .concat('/api/v1/ai-connect/summary', '/api/v1/rules');
  for (const path of paths) {
    const { status, headers, body } = await call('GET', path);
    assert.deepEqual([status, typeof body.detail], [401, 'string'], path);
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer error="missing_auth"/);
    assert.equal((await call('GET', path, { key: 'blwk_wrong' })).status, 401);
    assert.equal((await call('GET', path, { as: `${admin}x` })).status, 401);
  }
  const file = join(running.folder, 'data/secrets/local-api-key');
  const key = (await readFile(file, 'utf8')).trim();
  assert.equal((await call('GET', `${api}/events`, { key })).status, 200);
});

test('a connector: none, of each kind, secrets kept, another kind in its place', async () => {
  assert.deepEqual((await ask('GET', `${api}/config`)).body, null);
  await refuses(409, [
    ['POST', `${api}/connector/sync`],
    ['POST', `${api}/connector/test`],
  ]);
  const full: Record<string, Record<string, string>> = {
    'edr-a': { tenant_id: 't', client_id: 'c', client_secret: 'hidden-1' },
    'edr-b': { client_id: 'c', client_secret: 'hidden-2', base_url: 'https://127.0.0.1:9' },
    'edr-b-ngsiem': { client_id: 'c', client_secret: 'hidden-3', base_url: 'https://127.0.0.1:9' },
    'edr-c': { base_url: 'https://127.0.0.1:9', api_token: 'hidden-4' },
  };
  const settings = { poll_interval_seconds: 86_400 };
  for (const [edr_framework, credentials] of Object.entries(full)) {
    for (const missing of Object.keys(credentials)) {
      const { [missing]: _, ...rest } = credentials;
      const answer = await ask('PUT', `${api}/config`, { body: { edr_framework, credentials: rest } });
      assert.equal(answer.status, 400, `${edr_framework} without ${missing}`);
      assert.match(answer.body.detail, new RegExp(missing));
    }
    const { status, body } = await ask('PUT', `${api}/config`, {
      body: { edr_framework, credentials, settings },
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(keys(body), [
      'created_at',
      'credential_fields',
      'edr_framework',
      'has_secret',
      'settings',
      'updated_at',
    ]);
    assert.deepEqual([body.edr_framework, body.has_secret, body.settings], [edr_framework, true, settings]);
    assert.match(body.created_at, isoTime);
    assert.ok(!JSON.stringify(body).includes('hidden'));
    // The same kind again, without the secret: it is kept.
    const plain = Object.fromEntries(
      Object.entries(credentials).filter(([name]) => !['client_secret', 'api_token'].includes(name)),
    );
    const kept = await ask('PUT', `${api}/config`, { body: { edr_framework, credentials: plain, settings } });
    assert.deepEqual([kept.status, kept.body.has_secret], [200, true], JSON.stringify(kept.body));
    assert.deepEqual((await ask('GET', `${api}/config`)).body, kept.body);
  }
  const status = await ask('GET', `${api}/connector/status`);
  for (const field of ['last_success_at', 'last_error', 'watermark', 'events_ingested', 'lag_seconds'])
    assert.ok(field in status.body, field);
  await refuses(400, [
    ['PUT', `${api}/config`, { body: { credentials: {} } }, /edr_framework/],
    ['PUT', `${api}/config`, { body: { edr_framework: 'edr-a' } }, /credentials/],
    ['PUT', `${api}/config`, { raw: '{"edr_framework":' }],
  ]);
  await refuses(422, [
    ['PUT', `${api}/config`, { body: { edr_framework: 'edr-z', credentials: {} } }, /edr_framework/],
    [
      'PUT',
      `${api}/config`,
      {
        body: { edr_framework: 'edr-a', credentials: full['edr-a'], settings: { poll_interval_seconds: 1 } },
      },
      /poll_interval_seconds/,
    ],
  ]);
  // Members read it and change nothing.
  assert.equal((await ask('GET', `${api}/config`, { as: member })).status, 200);
  for (const [method, path] of [
    ['PUT', 'config'],
    ['POST', 'connector/sync'],
    ['POST', 'connector/test'],
  ] as const) {
    const body = { edr_framework: 'edr-c', credentials: full['edr-c'] };
    assert.equal((await ask(method, `${api}/${path}`, { as: member, body })).status, 403, path);
  }
});

test('the SaaS connector: masked, its scan live, its failures told', async () => {
  const config = `${api}/saas-config`;
  await refuses(409, [['GET', `${api}/saas-inventory`]]);
  const empty = (await ask('GET', config)).body;
  assert.deepEqual(
    [empty.host, empty.user, empty.instance_url, empty.last_modified, empty.has_password],
    [null, null, null, null, false],
  );
  const body = { host: 'https://127.0.0.1:9', user: 'auditor', password: 'hidden-5' };
  const saved = await ask('PUT', config, { body });
  assert.deepEqual(keys(saved.body), [
    'auth_type',
    'has_password',
    'host',
    'instance_url',
    'last_modified',
    'platform',
    'user',
  ]);
  assert.deepEqual(
    [saved.body.platform, saved.body.auth_type, saved.body.host, saved.body.has_password],
    ['saas-a', 'basic', '127.0.0.1:9', true],
  );
  assert.ok(!JSON.stringify(saved.body).includes('hidden'));
  assert.deepEqual((await ask('GET', config)).body, saved.body);
  await refuses(502, [['GET', `${api}/saas-inventory`]]);
  await refuses(400, [['PUT', config, { body: { ...body, password: undefined } }, /password/]]);
  await refuses(422, [
    ['PUT', config, { body: { ...body, platform: 'another' } }, /platform/],
    ['GET', `${api}/saas-inventory?platform=another`, {}, /platform/],
  ]);
});

test('documents are served from the product itself', async () => {
  const document = (await call('GET', '/openapi.json')).body;
  assert.match(document.openapi, /^3\.1/);
  for (const path of [`${api}/config`, `${api}/events/{event_id}/guard-result`, '/api/v1/rules/bulk'])
    assert.ok(path in document.paths, path);
  for (const path of ['/docs', '/redoc']) {
    const page = await call('GET', path);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.body, /(?:src|href)="https?:/);
  }
});
