/** Checks of every page: no serious axe violations in either theme, no overflow on phones, no external resources. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSession, seriousFindings } from './browser.ts';
import { fillDeployment, type Filled } from './fill-deployment.ts';
import { openPage, pagesOf } from './pages.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

let filled: Filled;
before(async () => {
  filled = await fillDeployment(session.url, { queries: 30, sessions: 2 });
});

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
    page.on('response', (response) => {
      if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
    });
    for (const [name, path] of pagesOf(filled)) {
      await openPage(page, name, path);
      assert.deepEqual(await seriousFindings(page), [], path);
    }
    assert.deepEqual(foreign, []);
    assert.deepEqual(errors, []);
  });

test('on a phone no page is wider than the screen', async () => {
  const page = await session.signedIn({ width: 390 });
  for (const [name, path] of pagesOf(filled)) {
    await openPage(page, name, path);
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(over <= 0, `${path} is ${over} px too wide`);
  }
});
