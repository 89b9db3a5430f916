/** Every page of the dashboard in the dark theme. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSession } from './browser.ts';
import { problemsOfAllPages } from './page-checks.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

test('no page has a problem on a screen, a tablet or a phone: dark', async () => {
  assert.deepEqual(await problemsOfAllPages(session, 'dark'), []);
});
