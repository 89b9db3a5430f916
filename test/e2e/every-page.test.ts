/** Every page of the dashboard, at each width and in both themes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSession } from './browser.ts';
import { problemsAtAnyWidth, problemsOfAllPages } from './page-checks.ts';
import { pagesOf, type Everything } from './pages.ts';

/** Ids that say only that there is one. */
const anything: Everything = {
  groupUuid: 'group',
  guardUuid: 'guard',
  queryId: 'query',
  actionPolicyId: 'policy',
  actionId: 'action',
  callId: 'call',
  gatewayId: 'gateway',
  serverId: 'server',
  detectionId: 1,
  mcpScans: ['1', '2'],
  modelScanId: 'scan',
  evaluationId: 'evaluation',
  runIds: ['run', 'other'],
  resultId: 'result',
};

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

test('no page has a problem on a screen, a tablet or a phone', async () => {
  assert.deepEqual(await problemsOfAllPages(session), []);
});

for (const theme of ['light', 'dark'] as const)
  test(`nor has the page to sign in at: ${theme}`, async () => {
    const page = await (await session.window({ colorScheme: theme })).newPage();
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.deepEqual(await problemsAtAnyWidth(page), []);
  });

test('every route of the dashboard is among the pages', () => {
  const router = readFileSync(join(import.meta.dirname, '../../dashboard/src/router.tsx'), 'utf8');
  const routes = [...router.matchAll(/page\(\s*'([^']+)'/g)].map(([, path = '']) => path);
  assert.ok(routes.length > 50);
  const paths = pagesOf(anything).map(({ path }) => path.split('?')[0] ?? '');
  const missing = routes.filter((route) => {
    const asked = new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`);
    return !paths.some((path) => asked.test(path));
  });
  assert.deepEqual(missing, []);
});
