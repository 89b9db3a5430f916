import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { openAlerts, type Alerts } from '#alerts/alerts.ts';
import { alertMigrations } from '#alerts/migrations.ts';
import { createMemoryCache } from '#base/cache/memory-cache.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { openTestDatabase } from '#base/db/testing.ts';
import { eventMigrations } from '#base/events/migrations.ts';
import { openWebhooks } from '#base/events/webhooks/open-webhooks.ts';
import { callInto } from '#base/http/testing.ts';
import { createJobs } from '#base/jobs/jobs.ts';
import { createRuns } from '#base/jobs/runs/runs.ts';
import { createLog } from '#base/log/log.ts';
import { shiftedClock } from '#base/shifted-clock.ts';
import { createIdentity } from '#identity/identity.ts';
import { identityMigrations } from '#identity/migrations.ts';
import { password } from '#identity/test-people.ts';
import { openService, type ServiceContext } from './open-service.ts';

const operations = {
  greet: defineOperation({
    method: 'GET',
    path: '/api/greeting',
    tag: 'Greetings',
    summary: 'Greets whoever asks.',
    access: 'jwt',
    response: z.strictObject({ greeting: z.string() }),
  }),
};
const info = { name: 'greeter', title: 'Greeter', description: 'Greets.', apiKeys: false, takesFiles: false };

let ctx: ServiceContext;
let alerts: Alerts;
const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
before(async () => {
  const db = stack.use(await openTestDatabase([identityMigrations, eventMigrations, alertMigrations]));
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-open-service-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const config = loadConfig(platformSections, {
    BULWARK_DATA_DIR: dataDir,
    BULWARK_ADMIN_PASSWORD: password,
    BULWARK_METRICS_ENABLED: 'true',
    BULWARK_RATE_LIMIT_REQUESTS_PER_MINUTE: '2',
  });
  const shared = {
    config,
    db,
    log: createLog({ level: 'silent' }),
    clock: shiftedClock(),
    jobs: stack.use(createJobs(db)),
    runs: stack.use(createRuns(db, { log: createLog({ level: 'silent' }) })),
    cache: stack.use(createMemoryCache({ maxEntries: 100, ttlSeconds: 60 })),
    strictAnswers: true,
    version: '0.0.0-test',
  };
  const identity = stack.use(await createIdentity(shared));
  const webhooks = await openWebhooks(shared, stack);
  alerts = stack.use(await openAlerts({ ...shared, identity, webhooks, mailer: undefined }));
  ctx = { ...shared, identity };
});

/** Records when it is disposed. */
const noting = (name: string, into: string[]): AsyncDisposable => ({
  async [Symbol.asyncDispose]() {
    into.push(name);
  },
});

test('added operations are served, documented and counted; owned resources are disposed after the servers, in reverse order', async () => {
  const ended: string[] = [];
  const build = async () => {
    await using service = openService(ctx, info);
    service.own(noting('database', ended));
    service.own(noting('cache', ended));
    service.add(operations, { greet: ({ caller }) => ({ greeting: `Hello, ${caller.username}` }) });
    service.app.addHook('onClose', async () => void ended.push('http'));
    return service.open([noting('grpc', ended)]);
  };
  const service = await build();
  assert.deepEqual(ended, []);
  const call = callInto(service.app);
  const signIn = { username: 'admin', password, tenant_name: 'system' };
  const as = (await call('POST', '/auth/login', { body: signIn })).body.access_token;
  assert.deepEqual((await call('GET', '/api/greeting', { as })).body, { greeting: 'Hello, admin' });
  assert.equal((await call('GET', '/api/greeting')).status, 401);
  assert.equal((await call('GET', '/api/greeting', { as })).status, 200);
  assert.equal((await call('GET', '/api/greeting', { as })).status, 429, 'two a minute');
  const { paths, info: document } = (await call('GET', '/openapi.json')).body;
  assert.equal(document.title, 'Greeter');
  assert.ok('/api/greeting' in paths && '/auth/login' in paths);
  assert.equal((await call('GET', ctx.config.metrics.path)).status, 200);
  await service[Symbol.asyncDispose]();
  assert.deepEqual(new Set(ended.slice(0, 2)), new Set(['http', 'grpc']));
  assert.deepEqual(ended.slice(2), ['cache', 'database']);
});

test('what every service answers for its callers is counted too; health, documents and metrics are not', async () => {
  await using service = openService({ ...ctx, alerts }, { ...info, name: 'counting', apiKeys: true });
  await using running = service.open();
  const call = callInto(running.app);
  const signIn = { username: 'admin', password, tenant_name: 'system' };
  const as = (await call('POST', '/auth/login', { body: signIn })).body.access_token;
  for (const path of ['/openapi.json', '/docs', ctx.config.metrics.path])
    assert.equal((await call('GET', path, { as })).status, 200, path);
  assert.equal((await call('GET', '/auth/me', { as })).status, 200);
  assert.equal((await call('GET', '/api/api-keys', { as })).status, 200);
  for (const path of ['/auth/me', '/auth/users', '/api/api-keys', '/api/v1/alerts/rules'])
    assert.equal((await call('GET', path, { as })).status, 429, path);
  const user = { username: 'another', password, tenant_name: 'system' };
  assert.equal((await call('POST', '/auth/register', { as, body: user })).status, 429);
  assert.equal((await call('POST', '/auth/login', { body: signIn })).status, 200);
  assert.equal((await call('GET', ctx.config.metrics.path, { as })).status, 200);
});

test('a service answers for alerts, and counts its server errors for the tenant of the caller', async () => {
  await using service = openService({ ...ctx, alerts }, { ...info, name: 'failing' });
  service.add(operations, {
    greet: () => {
      throw new Error('no words');
    },
  });
  await using running = service.open();
  const call = callInto(running.app);
  const signIn = { username: 'admin', password, tenant_name: 'system' };
  const as = (await call('POST', '/auth/login', { body: signIn })).body.access_token;
  assert.equal((await call('GET', '/api/greeting', { as })).status, 500);
  assert.equal((await call('GET', '/api/greeting')).status, 401);
  await alerts.evaluate();
  const { body } = await call('GET', '/api/v1/alerts/subjects', { as });
  assert.deepEqual(body.subjects, [{ source: 'requests', subject: 'failing', name: 'Greeter' }]);
});

test('when a service fails during its start, the resources it owns so far are disposed', async () => {
  const ended: string[] = [];
  const build = async () => {
    await using service = openService(ctx, info);
    service.own(noting('database', ended));
    service.own(noting('cache', ended));
    throw new Error('no such folder');
  };
  await assert.rejects(build, /no such folder/);
  assert.deepEqual(ended, ['cache', 'database']);
});
