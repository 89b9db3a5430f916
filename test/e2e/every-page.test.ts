/** Checks of every page: no serious axe violations in either theme, no overflow on phones, no external resources. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { credentials, openSession, seriousFindings } from './browser.ts';
import { fillDeployment, type Filled } from './fill-deployment.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

let filled: Filled;
before(async () => {
  filled = await fillDeployment(session.url, { queries: 30, sessions: 2 });
});

/** Each page with its address; tabs count as pages too. */
const pages = (): [name: RegExp, path: string][] => [
  [/^Home$/, '/'],
  [/^Activity$/, '/activity'],
  [/flagged a text/, `/activity/texts/${filled.queryId}`],
  [/^The call of .* was/, `/activity/actions/${filled.actionId}`],
  [/^The call of .* was/, `/activity/calls/${filled.callId}`],
  [/^Tests$/, '/tests'],
  [/^Text policies$/, '/policies'],
  [/^Policies from a document$/, '/policies/from-document'],
  ...['policies', 'test', 'settings', 'lab', 'history'].map((tab): [RegExp, string] => [
    /^Support rules$/,
    `/policies/${filled.groupUuid}?tab=${tab}`,
  ]),
  [/^Guards$/, '/guards'],
  ...['settings', 'adaptations', 'allow-list'].map((tab): [RegExp, string] => [
    /^Support chat/,
    `/guards/${filled.guardUuid}?tab=${tab}`,
  ]),
  [/^Queries$/, '/queries'],
  [/^Governance$/, '/governance'],
  [/^Actions$/, '/actions'],
  [/^Policy sets$/, '/action-sets'],
  [/^Default/, '/action-sets/agp_default'],
  [/^Rules$/, '/action-policies'],
  [/^Mail rules$/, `/action-policies/${filled.actionPolicyId}`],
  [/^Playground$/, '/playground'],
  [/^Gateways$/, '/gateways'],
  ...['servers', 'connect', 'calls', 'oversight', 'access', 'clients', 'settings'].map(
    (tab): [RegExp, string] => [/^Agents/, `/gateways/${filled.gatewayId}?tab=${tab}`],
  ),
  [/^MCP servers$/, '/mcp-servers'],
  [/^Everything$/, `/mcp-servers/${filled.serverId}`],
  [/^AI tools$/, '/ai-tools'],
  [/^Detections$/, '/ai-detections'],
  [/^claude-code on/, `/ai-detections/${filled.detectionId}`],
  [/^AI connections$/, '/ai-connections'],
  [/^Catalogue$/, '/ai-rules'],
  [/^Sources$/, '/ai-sources'],
  [/^Sources$/, '/ai-sources?tab=notices'],
  [/^Videos$/, '/videos'],
  [/^Videos$/, '/videos?tab=detectors'],
  [/^API keys$/, '/api-keys'],
  [/^Users$/, '/users'],
  [/^Tenants$/, '/tenants'],
  ...['language-model', 'cache', 'retention', 'all'].map((tab): [RegExp, string] => [
    /^Deployment$/,
    `/deployment?tab=${tab}`,
  ]),
  [/^Evaluations$/, '/red-team'],
  [/^New evaluation$/, '/red-team/new'],
  [/^Compare runs$/, '/red-team/compare'],
  [/^Agents under test$/, '/red-team-agents'],
  [/^About$/, '/about'],
];

async function open(page: Page, name: RegExp, path: string): Promise<void> {
  await page.goto(path);
  // A dialog opened by the address hides the rest of the page from role queries.
  await page.locator('h1').filter({ hasText: name }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

for (const theme of ['light', 'dark'] as const)
  test(`axe finds no serious problem, and no other host is contacted: ${theme}`, async () => {
    const page = await session.signedIn({ theme });
    const foreign: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(session.url) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    for (const [name, path] of pages()) {
      await open(page, name, path);
      assert.deepEqual(await seriousFindings(page), [], path);
    }
    assert.deepEqual(foreign, []);
    assert.deepEqual(errors, []);
  });

test('the first page loads at most 300 kB, compressed', async (t) => {
  const page = await (await session.window()).newPage();
  const files = new Set<string>();
  page.on('request', (request) => files.add(new URL(request.url()).pathname));
  await page.goto('/');
  await page.getByLabel('Username').fill(credentials.username);
  await page.getByLabel('Password').fill(credentials.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 2, name: 'Newest incidents' }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  const dist = join(import.meta.dirname, '../../dashboard/dist');
  const sizes = [...files]
    .filter((path) => path.startsWith('/assets/'))
    .map((path) => statSync(join(dist, `${path}.gz`)).size);
  const total = sizes.reduce((sum, size) => sum + size, statSync(join(dist, 'index.html.gz')).size);
  t.diagnostic(`first page: ${sizes.length} files, ${(total / 1000).toFixed(0)} kB`);
  assert.ok(sizes.length > 5 && total <= 300_000, `${total} bytes in ${sizes.length} files`);
});

test('on a phone no page is wider than the screen', async () => {
  const page = await session.signedIn({ width: 390 });
  for (const [name, path] of pages()) {
    await open(page, name, path);
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(over <= 0, `${path} is ${over} px too wide`);
  }
});
