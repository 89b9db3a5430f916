/** What the first page loads. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { credentials, openSession, signInAs } from './browser.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

const mostBytes = 220_000;

test('the first page loads at most 220 kB, compressed', async (t) => {
  const page = await (await session.window()).newPage();
  const files = new Set<string>();
  page.on('request', (request) => files.add(new URL(request.url()).pathname));
  await page.goto('/');
  await signInAs(page, credentials);
  await page.getByRole('heading', { level: 2, name: 'Newest incidents' }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  const dist = join(import.meta.dirname, '../../dashboard/dist');
  const sizes = [...files]
    .filter((path) => path.startsWith('/assets/'))
    .map((path): [string, number] => [path, statSync(join(dist, `${path}.gz`)).size]);
  const total = sizes.reduce((sum, [, size]) => sum + size, statSync(join(dist, 'index.html.gz')).size);
  t.diagnostic(`first page: ${sizes.length} files, ${(total / 1000).toFixed(0)} kB`);
  const largest = sizes.toSorted(([, a], [, b]) => b - a).slice(0, 8);
  assert.ok(sizes.length > 5 && total <= mostBytes, `${total} bytes, most of them in ${largest.join('; ')}`);
});
