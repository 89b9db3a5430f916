/** Keys with their last use and owners, the audit trail, and the tenants of an administrator of `system`. */
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { goTo, openSession, seriousFindings, signInAs } from './browser.ts';
import { openCalls } from './fill-deployment.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

const password = 'a password of the teams';
const people = {
  worker: { username: 'worker', password, tenant_name: 'system' },
  chief: { username: 'chief', password, tenant_name: 'acme' },
};
let key = '';

before(async () => {
  const admin = await openCalls(session.url);
  await admin('policy-guard', 'POST', '/auth/tenants', { name: 'acme' });
  await admin('policy-guard', 'POST', '/auth/register', { ...people.worker, roles: ['member'] });
  await admin('policy-guard', 'POST', '/auth/register', { ...people.chief, roles: ['admin'] });
  const worker = await openCalls(session.url, people.worker);
  ({ key } = await worker('policy-guard', 'POST', '/api/api-keys', { name: 'support chat' }));
});

async function pageOf(who: keyof typeof people, path: string): Promise<Page> {
  const page = await (await session.window({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(path);
  await signInAs(page, people[who]);
  return page;
}

test('an administrator sees the keys of the tenant with owner and last use; a member their own', async () => {
  const page = await session.signedIn();
  await goTo(page, 'API keys');
  const row = page.getByRole('row', { name: /^support chat/ });
  await row.getByText('worker', { exact: true }).waitFor();
  await row.getByText('never', { exact: true }).first().waitFor();
  assert.equal(await row.getByRole('button', { name: /^Rotate/ }).count(), 0, 'only one’s own are rotated');
  await fetch(`${session.url}/services/action-guard/api/v1/policies/sets`, { headers: { 'x-api-key': key } });
  await fetch(`${session.url}/services/policy-guard/api/topic_guard`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{}',
  });
  for (let tries = 0; (await row.getByText('just now').count()) < 2; tries++) {
    assert.ok(tries < 50, 'the use of the key is not shown');
    await page.waitForTimeout(200);
    await page.reload();
    await row.waitFor();
  }
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Mine' }).click();
  await row.waitFor({ state: 'detached' });

  const theirs = await pageOf('worker', '/api-keys');
  await theirs.getByRole('row', { name: /^support chat/ }).waitFor();
  assert.equal(await theirs.getByRole('row').count(), 2, 'the header and one key');
  assert.equal(await theirs.getByRole('button', { name: 'Mine' }).count(), 0);
});

test('the audit trail names who did what, is filtered in the address, and is of one tenant', async () => {
  const page = await session.signedIn();
  await goTo(page, 'Audit trail');
  const table = page.getByRole('table', { name: 'Audit trail' });
  const created = table.getByRole('row', { name: /API key created support chat worker/ });
  await created.waitFor();
  await created.getByText('Details').click();
  await created.getByText('Request').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByLabel('What', { exact: true }).selectOption('API keys');
  await table.getByText('Login', { exact: true }).first().waitFor({ state: 'detached' });
  await page.getByLabel('Who', { exact: true }).selectOption('admin');
  await created.waitFor({ state: 'detached' });
  await page.getByLabel('Who', { exact: true }).selectOption('worker');
  await created.waitFor();
  assert.match(page.url(), /event=api_key/);
  await page.reload();
  await created.waitFor();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const file = await text(await (await downloaded).createReadStream());
  const [header, ...lines] = file.trimEnd().split('\r\n');
  assert.match(String(header), /^id,at,event,/);
  assert.ok(lines.length > 0 && lines.every((line) => line.includes(',api_key_created,')), file);

  await page.goto('/audit');
  await page.getByLabel('Tenant', { exact: true }).selectOption('acme');
  await table.getByRole('row', { name: /chief/ }).first().waitFor();
  assert.equal(await table.getByRole('row', { name: /worker/ }).count(), 0);

  const theirs = await pageOf('chief', '/audit');
  await theirs.getByRole('table', { name: 'Audit trail' }).waitFor();
  assert.equal(await theirs.getByText('worker').count(), 0);
  assert.equal(await theirs.getByLabel('Tenant', { exact: true }).count(), 0);
  await (await pageOf('worker', '/audit')).getByText(/You need the permission users:manage/).waitFor();
});

test('an administrator of system manages the users of another tenant', async () => {
  const page = await session.signedIn();
  await goTo(page, 'Users');
  await page.getByRole('row', { name: /^worker/ }).waitFor();
  await page.getByLabel('Tenant', { exact: true }).selectOption('acme');
  await page.getByRole('row', { name: /^chief/ }).waitFor();
  assert.equal(await page.getByRole('row', { name: /^worker/ }).count(), 0);
  await page.getByRole('button', { name: 'New user' }).click();
  const form = page.getByRole('dialog', { name: 'New user' });
  await form.getByText(/Of the tenant acme/).waitFor();
  await form.getByLabel('Username').fill('hand');
  await form.getByLabel('First password').fill(password);
  await form.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row', { name: /^hand/ });
  await row.waitFor();
  await row.getByRole('button', { name: 'Disable hand' }).click();
  await row.getByText('disabled', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Delete hand' }).click();
  await page.getByRole('button', { name: 'Delete user' }).click();
  await row.waitFor({ state: 'detached' });
  assert.deepEqual(await seriousFindings(page), []);
});
