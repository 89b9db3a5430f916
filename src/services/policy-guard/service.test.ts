import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService({
  env: { BULWARK_METRICS_ENABLED: 'true', BULWARK_METRICS_PATH: '/numbers', BULWARK_ENVIRONMENT: 'test' },
});
after(() => service[Symbol.asyncDispose]());
const { call, tokens, keys } = service;

/** The operations of the service: access, and success status. */
const documented: [method: string, path: string, access: 'none' | 'jwt' | 'key', status: number][] = [
  ['get', '/api/api-keys', 'jwt', 200],
  ['post', '/api/api-keys', 'jwt', 201],
  ['delete', '/api/api-keys/{key_id}', 'jwt', 200],
  ['get', '/api/policy_groups', 'jwt', 200],
  ['get', '/api/policy_groups/{group_uuid}', 'jwt', 200],
  ['post', '/api/policy_groups', 'jwt', 201],
  ['put', '/api/policy_groups/{group_uuid}', 'jwt', 200],
  ['delete', '/api/policy_groups/{group_uuid}', 'jwt', 200],
  ['get', '/api/policy_groups/{group_uuid}/history', 'jwt', 200],
  ['post', '/api/policy_groups/{group_uuid}/copy', 'jwt', 201],
  ['post', '/api/policy_groups/{group_uuid}/policies', 'jwt', 201],
  ['put', '/api/policy_groups/{group_uuid}/policies/{policy_id}', 'jwt', 200],
  ['delete', '/api/policy_groups/{group_uuid}/policies/{policy_id}', 'jwt', 200],
  ['get', '/api/templates', 'jwt', 200],
  ['post', '/api/templates/{template_id}/copy', 'jwt', 201],
  ['get', '/api/guards', 'jwt', 200],
  ['get', '/api/guards/{guard_uuid}', 'jwt', 200],
  ['post', '/api/guards', 'jwt', 201],
  ['put', '/api/guards/{guard_uuid}', 'jwt', 200],
  ['delete', '/api/guards/{guard_uuid}', 'jwt', 200],
  ['get', '/api/guards/{guard_uuid}/adaptations', 'jwt', 200],
  ['post', '/api/guards/{guard_uuid}/adaptations', 'jwt', 201],
  ['delete', '/api/guards/{guard_uuid}/adaptations/active', 'jwt', 200],
  ['get', '/api/guards/{guard_uuid}/adaptations/{adaptation_id}', 'jwt', 200],
  ['delete', '/api/guards/{guard_uuid}/adaptations/{adaptation_id}', 'jwt', 200],
  ['post', '/api/guards/{guard_uuid}/adaptations/{adaptation_id}/activate', 'jwt', 200],
  ['post', '/api/policy_groups/{group_uuid}/test', 'jwt', 200],
  ['post', '/api/policy_groups/{group_uuid}/history/{version}/restore', 'jwt', 200],
  ['post', '/api/policy_groups/{group_uuid}/optimize', 'jwt', 202],
  ['get', '/api/policy_groups/{group_uuid}/optimization_jobs', 'jwt', 200],
  ['get', '/api/optimization_jobs/{job_id}', 'jwt', 200],
  ['post', '/api/optimization_jobs/{job_id}/cancel', 'jwt', 200],
  ['post', '/api/optimization_jobs/{job_id}/apply', 'jwt', 200],
  ['post', '/api/topic_guard', 'key', 200],
  ['post', '/api/topic_guard_oneshot', 'key', 200],
  ['post', '/api/v1/moderations', 'key', 200],
  ['get', '/api/cache/stats', 'key', 200],
  ['post', '/api/cache/clear', 'key', 200],
  ['get', '/api/judge/calibrations', 'jwt', 200],
  ['post', '/api/judge/calibrations', 'jwt', 201],
  ['post', '/api/judge/calibrations/{calibration_id}/activate', 'jwt', 200],
  ['post', '/api/judge/calibrations/{calibration_id}/deactivate', 'jwt', 200],
  ['get', '/health', 'none', 200],
  ['post', '/auth/login', 'none', 200],
  ['post', '/auth/refresh', 'none', 200],
  ['post', '/auth/logout', 'none', 200],
  ['get', '/auth/me', 'jwt', 200],
  ['post', '/auth/register', 'none', 201],
  ['post', '/auth-api/api/v1/auth/login', 'none', 200],
  ['post', '/auth-api/api/v1/auth/refresh', 'none', 200],
];

/** Valid minimal bodies. */
const withBody = documented.filter(
  ([method, path]) =>
    (method === 'post' || method === 'put') &&
    !/\/(copy|activate|deactivate|restore|cancel|cache\/clear)$/.test(path),
);

const { body: document } = await call('GET', '/openapi.json');
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const asMethod = (method: string) => method.toUpperCase() as Method;
const filled = (path: string) => path.replaceAll(/\{\w+\}/g, 'unknown');

test('an independent validator accepts the OpenAPI document', async () => {
  const result = await new Validator().validate(structuredClone(document));
  assert.deepEqual(result.valid ? [] : result.errors, []);
  assert.equal(document.openapi, '3.1.0');
});

test('each documented route has its schemas, access and status in the document', () => {
  for (const [method, path, access, status] of documented) {
    const operation = document.paths[path]?.[method];
    assert.ok(operation, `${method} ${path}`);
    const ok = operation.responses[String(status)]?.content['application/json'].schema;
    assert.ok(ok, `${method} ${path} has no schema of its answer`);
    assert.deepEqual(
      operation.security.flatMap((each: object) => Object.keys(each)),
      { none: [], jwt: ['bearer'], key: ['bearer', 'apiKey'] }[access],
    );
    for (const [error, { content }] of Object.entries<{ content: Record<string, { schema: unknown }> }>(
      operation.responses,
    ))
      assert.ok(content['application/json']?.schema, `${method} ${path} ${error}`);
  }
  for (const [method, path] of withBody)
    assert.ok(
      document.paths[path][method].requestBody.content['application/json'].schema,
      `${method} ${path} has no schema of its request`,
    );
});

test('each documented route requires a credential, and accepts the documented kinds', async () => {
  for (const [method, path, access] of documented) {
    if (access === 'none') continue;
    const send = (credential: { as?: string; key?: string }) =>
      call(asMethod(method), filled(path), { ...credential, ...(method === 'get' ? {} : { body: {} }) });
    for (const credential of [
      {},
      { as: 'x.y.z' },
      { as: `${tokens.admin.slice(0, -2)}xx` },
      { as: unsigned() },
      { key: 'blwk_none' },
    ]) {
      const { status, headers } = await send(credential);
      assert.equal(status, 401, `${method} ${path}`);
      assert.match(String(headers['www-authenticate']), /^Bearer error="\w+"/);
    }
    assert.equal((await send({ key: keys.admin })).status === 401, access === 'jwt', `${method} ${path}`);
  }
});

/** The administrator's token with `alg: none` and no signature. */
function unsigned(): string {
  const [, payload] = tokens.admin.split('.');
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`;
}

test('malformed, oversized, deeply nested and mistyped bodies are refused with a reason', async () => {
  const raws: [string | Buffer, number][] = [
    ['{"name": ', 400],
    ['', 400],
    ['{"a":1}x', 400],
    [Buffer.from([0xff, 0xfe, 0x7b]), 400],
    ['{"__proto__": {"x": 1}}', 400],
    [`{"x":${'['.repeat(50_000)}`, 400],
    ['x'.repeat(10 * 1024 * 1024 + 1), 413],
  ];
  for (const [method, path, access] of withBody)
    for (const [raw, status] of raws) {
      const credential = access === 'none' ? {} : { as: tokens.admin };
      const answer = await call(asMethod(method), filled(path), { ...credential, raw });
      assert.equal(answer.status, status, `${method} ${path} ${raw.slice(0, 20).toString()}`);
      const detail = answer.body.detail ?? answer.body.error.message;
      assert.match(detail, /body/);
    }
  for (const body of ['"text"', '7', 'null', '[]', 'true']) {
    const answer = await call('POST', '/api/guards', { as: tokens.admin, raw: body });
    assert.ok([400, 422].includes(answer.status), body);
    assert.match(answer.body.detail, /body/);
  }
});

/** A body with all required fields. */
const anyBody = {
  name: 'x',
  text: 'x',
  tier: 'fast',
  policy: 'x',
  label: true,
  reason: 'x',
  examples: [{ text: 'x', policy: 'x', label: true }],
};

test('an operation without a body accepts any content type', async () => {
  const headers = { 'content-type': 'application/json' };
  assert.equal((await call('POST', '/api/cache/clear', { key: keys.admin, headers })).status, 200);
  const { body: guard } = await call('POST', '/api/guards', { as: tokens.admin, body: { name: 'x' } });
  const gone = await call('DELETE', `/api/guards/${guard.guard_uuid}`, { as: tokens.admin, headers });
  assert.equal(gone.status, 200, JSON.stringify(gone.body));
});

test('unknown ids and injection attempts are 404, on every route with an id', async () => {
  const hostile = ['unknown', "x' or '1'='1", '../../etc/passwd', '%00', '\ud83d\ude00', 'x'.repeat(150)];
  for (const [method, path, access] of documented) {
    if (!path.includes('{')) continue;
    for (const id of hostile) {
      const url = path.replaceAll(/\{\w+\}/g, encodeURIComponent(id));
      const credential = access === 'none' ? {} : { as: tokens.admin };
      const needsBody = withBody.some(([m, p]) => m === method && p === path);
      const { status, body } = await call(asMethod(method), url, {
        ...credential,
        ...(needsBody ? { body: anyBody } : {}),
      });
      assert.ok([404, 422].includes(status), `${method} ${url}: ${status} ${JSON.stringify(body)}`);
      assert.equal(typeof body.detail, 'string');
    }
  }
});

test('objects of one tenant are 404 for another, on every route with an id', async () => {
  const mine = { as: tokens.admin };
  const { body: group } = await call('POST', '/api/policy_groups', {
    ...mine,
    body: { name: 'Mine', policies: [{ name: 'Policy' }] },
  });
  const { body: guard } = await call('POST', '/api/guards', {
    ...mine,
    body: { name: 'Mine', policy_group_uuids: [group.group_uuid] },
  });
  const { body: key } = await call('POST', '/api/api-keys', { ...mine, body: { name: 'Mine' } });
  const ids: Record<string, string> = {
    group_uuid: group.group_uuid,
    template_id: group.group_uuid,
    policy_id: group.policies[0]._id,
    guard_uuid: guard.guard_uuid,
    key_id: key.id,
    version: '1',
  };
  for (const [method, path] of documented) {
    if (!path.includes('{')) continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none');
    const body = method === 'get' || method === 'delete' ? {} : { body: anyBody };
    const { status } = await call(asMethod(method), url, { as: tokens.stranger, ...body });
    assert.equal(status, 404, `${method} ${path}`);
  }
  const asked = { text: 'x', guard_uuid: guard.guard_uuid };
  assert.equal((await call('POST', '/api/topic_guard', { key: keys.stranger, body: asked })).status, 404);
  const moderation = { input: 'x', model: guard.guard_uuid };
  assert.equal(
    (await call('POST', '/api/v1/moderations', { key: keys.stranger, body: moderation })).status,
    404,
  );
  const attach = { name: 'x', policy_group_uuids: [group.group_uuid] };
  assert.equal((await call('POST', '/api/guards', { as: tokens.stranger, body: attach })).status, 404);
  const { body: after } = await call('GET', `/api/policy_groups/${group.group_uuid}`, mine);
  assert.deepEqual(after, group, 'nothing was changed');
});

test('headers cannot be injected through echoed values', async () => {
  const { headers } = await call('GET', '/health', {
    headers: { 'x-request-id': 'abcdefgh\tset-cookie: x' },
  });
  assert.equal(headers['set-cookie'], undefined);
  assert.notEqual(headers['x-request-id'], 'abcdefgh\tset-cookie: x');
});

test('health returns the documented fields and the engine in use', async () => {
  const { status, body } = await call('GET', '/health');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    status: 'ok',
    version: '0.0.0-test',
    environment: 'test',
    llm_available: false,
    judge: { engine: 'embedded', engines: ['embedded'], fail_mode: 'degrade' },
    llm: null,
  });
});

test('metrics are served at the configured path only', async () => {
  const { body: guard } = await call('POST', '/api/guards', { as: tokens.admin, body: { name: 'x' } });
  await call('POST', '/api/topic_guard', {
    key: keys.admin,
    body: { text: 'x', guard_uuid: guard.guard_uuid },
  });
  const { status, body, headers } = await call('GET', '/numbers');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/plain/);
  const lines: string[] = body.split('\n');
  const has = (...parts: string[]) => lines.some((line) => parts.every((part) => line.includes(part)));
  assert.ok(has('bulwark_policy_guard_verdicts_total{', 'flagged="false"', 'cached="false"', '} 1'));
  assert.ok(has('bulwark_http_request_duration_seconds_count{', 'operation="topicGuard"', 'status="200"'));
  assert.equal((await call('GET', '/metrics')).status, 404);
  await using plain = await openTestService();
  assert.equal((await plain.call('GET', '/metrics')).status, 404);
});

test('the documentation pages are served', async () => {
  for (const path of ['/docs', '/redoc']) assert.equal((await call('GET', path)).status, 200);
});

test('a key or user over the rate limit gets 429 with Retry-After', async () => {
  await using limited = await openTestService({ env: { BULWARK_RATE_LIMIT_REQUESTS_PER_MINUTE: '3' } });
  const ask = (credential: object) => limited.call('GET', '/api/cache/stats', credential);
  const byKey = { key: limited.keys.admin };
  for (let i = 0; i < 3; i += 1) assert.equal((await ask(byKey)).status, 200);
  const refused = await ask(byKey);
  assert.equal(refused.status, 429);
  assert.match(refused.body.detail, /3 requests a minute/);
  assert.ok(Number(refused.headers['retry-after']) >= 1);
  assert.equal((await ask({ key: limited.keys.stranger })).status, 200);
  const openAi = await limited.call('POST', '/api/v1/moderations', { ...byKey, body: {} });
  assert.equal(openAi.body.error.code, 'rate_limit_exceeded');
});
