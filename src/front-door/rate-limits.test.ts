/** The front door's own operations count against the limit of their caller. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openAlerts } from '#alerts/alerts.ts';
import { alertMigrations } from '#alerts/migrations.ts';
import { eventMigrations } from '#base/events/migrations.ts';
import { openWebhooks } from '#base/events/webhooks/open-webhooks.ts';
import { callInto } from '#base/http/testing.ts';
import { addTestPeople, password } from '#identity/test-people.ts';
import { openTestContext } from '../../test/fixtures/service-context.ts';
import { dashboardSections } from './config.ts';
import { createFrontDoor } from './front-door.ts';

const perMinute = 3;
const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const context = await openTestContext(stack, {
  sections: dashboardSections,
  migrations: [eventMigrations, alertMigrations],
  env: { BULWARK_RATE_LIMIT_REQUESTS_PER_MINUTE: String(perMinute) },
});
const webhooks = await openWebhooks(context, stack);
const alerts = stack.use(await openAlerts({ ...context, webhooks, mailer: undefined }));
const dashboardFolder = join(context.config.dataDir, 'dashboard');
await mkdir(join(dashboardFolder, 'dist'), { recursive: true });
await writeFile(join(dashboardFolder, 'dist', 'index.html'), '<!doctype html><title>Bulwark</title>');
const door = stack.use(
  await createFrontDoor({
    ...context,
    alerts,
    settings: [],
    dashboardFolder,
    serviceNames: [],
    addressOf: () => '',
  }),
);
const call = callInto(door.app);
const tokens = await addTestPeople(context.db, call);

for (const path of [
  '/api/alerts',
  '/session/configuration',
  '/auth/me',
  '/auth/users',
  '/auth/saved-views',
  '/api/api-keys',
])
  test(`${path} is counted`, async () => {
    context.clock.advance(60_000);
    const ask = () => call('GET', path, { as: tokens.admin });
    for (let i = 0; i < perMinute; i += 1) assert.equal((await ask()).status, 200);
    const refused = await ask();
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.match(refused.body.detail, /More than 3 requests a minute/);
    assert.equal((await call('GET', '/auth/me', { as: tokens.member })).status, 200, 'others are not');
  });

test('signing in, health and pages are free', async () => {
  const body = { username: 'admin', password };
  for (let i = 0; i < perMinute * 2; i += 1) {
    assert.equal((await call('POST', '/session', { body })).status, 200);
    for (const path of ['/health', '/session/platform', '/openapi.json'])
      assert.equal((await call('GET', path, { as: tokens.admin })).status, 200, path);
  }
});
