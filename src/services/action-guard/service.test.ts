import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openTestService } from './fixtures/service.ts';
import { adminKey } from './fixtures/service-key.ts';

const service = await openTestService({ env: { BULWARK_METRICS_ENABLED: 'true' } });
after(() => service[Symbol.asyncDispose]());
const { call, tokens, judge } = service;
const key = await adminKey(service);

const sets = '/api/v1/policies/sets';
const policies = '/api/v1/policies/policy';

/** The action guard's part of the service's specification: access, and the type of its body. */
const documented: [method: string, path: string, access: 'none' | 'jwt' | 'key', body?: 'json' | 'form'][] = [
  ['post', '/api/v1/guard_actions', 'key', 'json'],
  ['get', '/api/v1/logs', 'jwt'],
  ['get', '/api/v1/policies/templates', 'key'],
  ['get', '/api/v1/policies/templates/{template_id}', 'key'],
  ['get', sets, 'key'],
  ['post', sets, 'key', 'json'],
  ['get', `${sets}/{policy_set_id}`, 'key'],
  ['put', `${sets}/{policy_set_id}`, 'key', 'json'],
  ['delete', `${sets}/{policy_set_id}`, 'key'],
  ['post', `${sets}/{policy_set_id}/policies`, 'key', 'json'],
  ['get', policies, 'key'],
  ['get', `${policies}/{policy_id}`, 'key'],
  ['post', policies, 'key', 'json'],
  ['put', `${policies}/{policy_id}`, 'key', 'json'],
  ['delete', `${policies}/{policy_id}`, 'key'],
  ['post', '/api/v1/policies/extract-rules-async', 'key', 'form'],
  ['post', '/api/v1/policies/extract-rules-from-pdf-async', 'key', 'form'],
  ['get', '/api/v1/policies/extraction-jobs/{job_id}', 'key'],
  ['get', '/healthz', 'none'],
];

const { body: document } = await call('GET', '/openapi.json');
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const asMethod = (method: string) => method.toUpperCase() as Method;
const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'unknown');

test('an independent validator accepts the OpenAPI document', async () => {
  const result = await new Validator().validate(structuredClone(document));
  assert.deepEqual(result.valid ? [] : result.errors, []);
});

test('each documented route is in it, with its access and the type of its body', () => {
  const types = { json: 'application/json', form: 'multipart/form-data' };
  for (const [method, path, access, body] of documented) {
    const operation = document.paths[path]?.[method];
    assert.ok(operation?.responses['200'].content['application/json'].schema, `${method} ${path}`);
    assert.deepEqual(
      operation.security.flatMap((each: object) => Object.keys(each)),
      { none: [], jwt: ['bearer'], key: ['bearer', 'apiKey'] }[access],
    );
    if (body) assert.ok(operation.requestBody.content[types[body]].schema, `${method} ${path}`);
  }
  const form = JSON.stringify(document.components.schemas.ExtractRulesFromFilesForm);
  assert.match(form, /"format":"binary"/);
});

test('each documented route asks for a credential, and takes what it says', async () => {
  for (const [method, path, access] of documented) {
    if (access === 'none') continue;
    const body = method === 'get' || method === 'delete' ? {} : { body: {} };
    for (const credential of [{}, { as: 'x.y.z' }, { key: 'blwk_none' }]) {
      const { status, headers } = await call(asMethod(method), filled(path), { ...credential, ...body });
      assert.equal(status, 401, `${method} ${path}`);
      assert.match(String(headers['www-authenticate']), /^Bearer error="\w+"/);
    }
    const { status } = await call(asMethod(method), filled(path), { key, ...body });
    assert.equal(status === 401, access === 'jwt', `${method} ${path}`);
  }
});

test('unknown ids are not found, other methods are told apart', async () => {
  for (const [method, path] of documented) {
    if (!path.includes('{')) continue;
    const body = method === 'put' ? { name: 'x' } : method === 'post' ? { policy_ids: [] } : undefined;
    const { status, body: answer } = await call(asMethod(method), filled(path), { as: tokens.admin, body });
    assert.equal(status, 404, `${method} ${path}`);
    assert.match(answer.detail, /not found\.$/);
  }
  assert.equal((await call('PATCH', policies, { as: tokens.admin, body: {} })).status, 405);
  assert.equal((await call('GET', '/api/v1/guard_actions', { as: tokens.admin })).status, 405);
});

test('health, documents, metrics and signing in are there', async () => {
  const { status, body } = await call('GET', '/healthz');
  assert.equal(status, 200);
  assert.deepEqual(
    [body.status, body.service, body.version, body.llm_available],
    ['ok', 'action-guard', '0.0.0-test', false],
  );
  assert.ok(Array.isArray(body.features) && !Number.isNaN(Date.parse(body.timestamp)));
  for (const page of ['/docs', '/redoc']) assert.equal((await call('GET', page)).status, 200);
  assert.equal((await call('GET', '/auth/me', { as: tokens.member })).status, 200);
  await judge({ policyId: 'agp_default' });
  const { body: metrics } = await call('GET', '/metrics');
  assert.match(
    metrics,
    /bulwark_action_guard_verdicts_total\{allowed="true",threat_category="none",service_status="ok",service="action_guard"\} 1/,
  );
});

test('bodies that are broken or too large are refused', async () => {
  const as = tokens.admin;
  const send = (raw: string, headers = {}) => call('POST', '/api/v1/guard_actions', { as, raw, headers });
  assert.equal((await send('{"a": ')).status, 400);
  assert.equal((await send('')).status, 400);
  assert.equal((await send('{"__proto__": {}}')).status, 400);
  assert.equal((await send('x', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await send(`{"session_id":"${'x'.repeat(11 * 1024 * 1024)}"}`)).status, 413);
});

test('with authentication off anybody on this machine is the local administrator', async () => {
  await using open = await openTestService({ db: service.db, env: { BULWARK_AUTH_ENABLED: 'false' } });
  assert.equal((await open.call('GET', '/api/v1/logs')).status, 200);
  assert.equal((await open.call('GET', sets)).status, 200);
});

test('the setting for a mail server must be one', async () => {
  await assert.rejects(
    openTestService({ db: service.db, env: { BULWARK_SMTP_URL: 'http://x' } }),
    /BULWARK_SMTP_URL/,
  );
});
