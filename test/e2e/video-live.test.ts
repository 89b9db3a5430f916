/** A live session in the dashboard: started, fed by a program, watched, and stopped. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { h264Of, openPusher } from '#services/video-moderation/fixtures/live.ts';
import { openSession, seriousFindings, type Session } from './browser.ts';

/** A folder for a picture of the page, to be looked at. */
const pictures = process.env['BULWARK_TEST_PICTURES'];

let session: Session;
before(async () => {
  session = await openSession();
});
after(() => session[Symbol.asyncDispose]());

test('events and coverage appear while frames come, and stopping shows the summary', async () => {
  const page = await session.signedIn();
  await page.goto('/videos?tab=live');
  await page.getByLabel('Transport').selectOption('websocket');
  await page.getByRole('button', { name: 'Start' }).click();
  const address = page.getByText(/^ws:\/\/127\.0\.0\.1:\d+\/.*\/ingest/).first();
  await address.waitFor();
  const url = (await address.innerText()).trim().split(/\s/)[0] ?? '';
  const token = await page.locator('dd', { hasText: /^[\w-]{32}/ }).innerText();
  await using pusher = await openPusher(`${url}?token=${token.trim().split(/\s/)[0]}`);
  pusher.start('h264', 320, 180);
  const flashes = "testsrc2=s=320x180:r=20:d=14,negate=enable='between(t,5,7)*mod(n,2)'";
  const sending = pusher.send(await h264Of(flashes), { fps: 20 });
  await page.getByText('Flagged', { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByText('Looked for by a model').first().waitFor({ timeout: 60_000 });
  assert.deepEqual(await seriousFindings(page), []);
  if (pictures !== undefined)
    await page.screenshot({ path: join(pictures, 'video-live.png'), fullPage: true });
  await page.getByRole('button', { name: /^Stop vs_/ }).click();
  await page.getByText('deleted', { exact: true }).waitFor({ timeout: 30_000 });
  await sending;
});
