/** Saved views: kept on the server, shared in the tenant, and moved there from the browser once. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { credentials, openSession, seriousFindings, signInAs } from './browser.ts';
import { openCalls } from './fill-deployment.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

const views = (page: Page) => page.getByRole('list', { name: 'Saved views' });
const menuOf = async (page: Page, name: string, choice: string) => {
  await page.getByRole('button', { name: `What to do with the view ${name}` }).click();
  await page.getByRole('menuitem', { name: choice }).click();
};

/** A member of `system` on a page of their own browser. */
async function memberAt(path: string): Promise<Page> {
  const call = await openCalls(session.url);
  const member = { username: 'reader', password: 'long enough', tenant_name: 'system', roles: ['member'] };
  await call('policy-guard', 'POST', '/auth/register', member);
  const page = await (await session.window()).newPage();
  await page.goto(path);
  await signInAs(page, member);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

test('a view is saved, found on another machine, renamed, shared with the tenant, changed and deleted', async () => {
  const page = await session.signedIn();
  await page.goto('/activity');
  await page.getByLabel('Verdict').selectOption('stopped');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Stopped');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await views(page).getByRole('link', { name: 'Stopped' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save this view' }).count(), 0, 'it is saved already');
  assert.deepEqual(await seriousFindings(page), []);

  const elsewhere = await (await session.window()).newPage();
  await elsewhere.goto('/activity');
  await signInAs(elsewhere, credentials);
  await views(elsewhere).getByRole('link', { name: 'Stopped' }).click();
  await elsewhere.waitForURL(/outcome=stopped/);

  const member = await memberAt('/activity?hours=168');
  assert.equal(await views(member).count(), 0, 'it is private');
  await menuOf(page, 'Stopped', 'Rename or share');
  await page.getByRole('dialog').getByLabel('Name').fill('Stopped or flagged');
  await page.getByRole('dialog').getByLabel('Everyone in system sees it on this page').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await views(page)
    .getByRole('link', { name: /Stopped or flagged/ })
    .waitFor();
  await member.reload();
  await views(member)
    .getByRole('link', { name: /Stopped or flagged/ })
    .click();
  await member.waitForURL(/outcome=stopped/);
  assert.equal(await member.getByRole('button', { name: /^What to do with/ }).count(), 0);

  await page.getByLabel('Time').selectOption('720');
  await menuOf(page, 'Stopped or flagged', 'Keep these filters in it');
  await page.getByText('keeps these filters now').waitFor();
  await member.goto('/activity');
  await views(member)
    .getByRole('link', { name: /Stopped or flagged/ })
    .click();
  await member.waitForURL(/hours=(?:%22)?720/);
  await menuOf(page, 'Stopped or flagged', 'Delete');
  await views(page).waitFor({ state: 'detached' });
  await member.reload();
  await member.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  await member.getByRole('button', { name: 'Save this view' }).waitFor();
  assert.equal(await views(member).count(), 0);
});

test('views that an earlier version kept in the browser move to the server once', async () => {
  const page = await session.signedIn();
  const call = await openCalls(session.url);
  const { id } = await call('policy-guard', 'GET', '/auth/me');
  const kept = [
    { name: 'Tool calls', search: { mode: 'tool call' } },
    { name: '', search: {} },
    { nonsense: true },
  ];
  const key = `bulwark-activity-views ${id}`;
  await page.evaluate(
    ([name, value]) => localStorage.setItem(name ?? '', value ?? ''),
    [key, JSON.stringify(kept)],
  );
  await page.goto('/activity');
  await views(page).getByRole('link', { name: 'Tool calls' }).waitFor();
  assert.equal(await page.evaluate((name) => localStorage.getItem(name), key), null);
  await menuOf(page, 'Tool calls', 'Delete');
  await page.getByText('“Tool calls” is deleted.').waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  assert.equal(await views(page).count(), 0, 'it does not come back');
});

test('other lists keep views of their own', async () => {
  const page = await session.signedIn();
  await page.goto('/audit?event=login');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Sign-ins');
  await page.keyboard.press('Enter');
  await views(page).getByRole('link', { name: 'Sign-ins' }).waitFor();
  await page.goto('/queries');
  await page.getByRole('heading', { level: 1, name: 'Queries' }).waitFor();
  assert.equal(await views(page).count(), 0);
});
