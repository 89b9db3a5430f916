/** Checks of the busiest pages on tablets and phones: no serious axe violations in either theme, nothing too wide. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSession, seriousFindings } from './browser.ts';
import { fillDeployment, type Filled } from './fill-deployment.ts';
import { openPage, pagesOf } from './pages.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

let filled: Filled;
before(async () => {
  filled = await fillDeployment(session.url, { queries: 24, sessions: 1 });
});

/** The pages on which most is decided and entered. */
const busiest = /^\/($|gateways|mcp-servers|api-keys|users|audit)/;

for (const theme of ['light', 'dark'] as const)
  for (const width of [768, 390])
    test(`axe finds no serious problem, and nothing is too wide: ${theme}, ${width} px`, async () => {
      const page = await session.signedIn({ theme, width });
      for (const [name, path] of pagesOf(filled).filter(([, each]) => busiest.test(each))) {
        await openPage(page, name, path);
        assert.deepEqual(await seriousFindings(page), [], path);
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        assert.ok(over <= 0, `${path} is ${over} px too wide`);
      }
    });
