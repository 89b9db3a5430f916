/**
 * Tenants, the language model with its test, cache, retention, error messages, session end, and changing one's
 * password.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startScriptedModel } from '../fixtures/scripted-model/server.ts';
import type { Page } from 'playwright-core';
import { credentials, goTo, openSession, seriousFindings, untilFocused } from './browser.ts';

const model = await startScriptedModel();
const session = await openSession({
  BULWARK_LLM_BASE_URL: model.url,
  BULWARK_LLM_MODEL: 'scripted',
  BULWARK_LLM_API_KEY: 'sk-a-key-that-nobody-may-see',
  BULWARK_LLM_ATTEMPTS: '1',
  BULWARK_POLICY_GUARD_JUDGE_ENGINE: 'embedded',
  BULWARK_POLICY_GUARD_QUERY_RETENTION_DAYS: '45',
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

test('the language model is shown with its capabilities, can be tested, and its failures are reported', async () => {
  const page = await session.signedIn();
  await goTo(page, 'Deployment');
  await page.getByText('scripted', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Test it now' }).click();
  await page.getByText(/^answered in/).waitFor();
  await page.getByText(model.url).first().waitFor();
  await page.getByText('llm.api_key').waitFor();
  assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /sk-a-key/);
  model.play({ rules: [{ when: {}, do: { status: 500 } }] });
  await page.getByRole('button', { name: 'Test it now' }).click();
  await page.getByText('no answer', { exact: true }).waitFor();
  model.play({});
});

test('retention shows each value with its configuration key, and the cache can be cleared', async () => {
  const page = await session.signedIn();
  await page.goto('/deployment?tab=retention');
  await page.getByText('policy_guard.query_retention_days').waitFor();
  await page.getByText('BULWARK_POLICY_GUARD_QUERY_RETENTION_DAYS').waitFor();
  await page.getByText('45', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Cache' }).click();
  await page.getByRole('button', { name: 'Forget all verdicts' }).click();
  await page.getByText(/verdicts are forgotten/).waitFor();
});

test('a user gets another role, email address and password, and signs in with it', async () => {
  const page = await session.signedIn();
  await goTo(page, 'Users');
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('Username').fill('colleague');
  await page.getByLabel('First password').fill('the first password');
  await page.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row', { name: /^colleague/ });
  await row.getByText('member', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit colleague' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit colleague' });
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.getByLabel('Role').selectOption('Administrator');
  await dialog.getByLabel('E-mail address').fill('colleague@example.com');
  await dialog.getByLabel('New password').fill('the second password');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.reload();
  await row.getByText('admin', { exact: true }).waitFor();
  await row.getByText('colleague@example.com').waitFor();
  // Users cannot remove their own role.
  await page.getByRole('button', { name: 'Edit admin' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').waitFor();
  assert.equal(await page.getByRole('dialog').getByLabel('Role').count(), 0);

  const theirs = await (await session.window()).newPage();
  await theirs.goto('/users');
  const signIn = async (password: string) => {
    await theirs.getByLabel('Username').fill('colleague');
    await theirs.getByLabel('Password').fill(password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn('the first password');
  await theirs
    .getByRole('alert')
    .getByText(/is wrong/)
    .waitFor();
  await signIn('the second password');
  await theirs.getByRole('row', { name: /^colleague you/ }).waitFor();
});

test('a tenant is created with its administrator, who sees it but no settings of the deployment', async () => {
  const page = await session.signedIn();
  await goTo(page, 'Tenants');
  await page.getByRole('button', { name: 'New tenant' }).click();
  await page.getByLabel('Name').fill('acme');
  await page.getByLabel('First administrator').fill('owner');
  await page.getByLabel('First password').fill('long enough');
  await page.getByRole('button', { name: 'Create' }).click();
  const open = page.getByRole('switch', { name: 'Anybody may register in acme' });
  await open.click();
  await page.reload();
  await open.waitFor();
  assert.equal(await open.isChecked(), true);

  const theirs = await (await session.window()).newPage();
  await theirs.goto('/deployment');
  await theirs.getByLabel('Username').fill('owner');
  await theirs.getByLabel('Password').fill('long enough');
  await theirs.getByLabel('Tenant').fill('acme');
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  // A refusal is shown in the service's own words, with the request id that its log contains.
  const alert = theirs.getByRole('alert');
  await alert.getByText(/Only an administrator of the tenant system/).waitFor();
  await alert.getByText(/^request [\w-]{8,}/).waitFor();
  await theirs.goto('/tenants');
  await theirs.getByRole('row', { name: /acme/ }).waitFor();
  assert.equal(await theirs.getByRole('row').count(), 2, 'the table header and their own tenant');
});

test('an expiring access token is renewed before a request is refused', async () => {
  const context = await session.window();
  const page = await context.newPage();
  const refreshes: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/session/refresh')) refreshes.push(request.method());
  });
  // The server reports that its token expires in two seconds, so the page must request another one.
  await page.route('**/session', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { expires_in: number };
    await route.fulfill({ response, json: { ...body, expires_in: 2 } });
  });
  await page.goto('/guards');
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill('a password of the browser tests');
  const before = refreshes.length;
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Guards' }).waitFor();
  await page.getByRole('link', { name: 'First guard' }).waitFor();
  assert.equal(refreshes.length, before + 1, 'once, for any number of requests');
});

test('a failing server is shown as failing, and a button retries', async () => {
  const page = await session.signedIn();
  await page.route('**/services/policy-guard/api/guards*', (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': 'req-of-the-failure' },
      json: { detail: 'Something went wrong inside.', request_id: 'req-of-the-failure' },
    }),
  );
  await goTo(page, 'Guards');
  const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong inside.' });
  await alert.getByText('request req-of-the-failure').waitFor();
  await page.unroute('**/services/policy-guard/api/guards*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'First guard' }).waitFor();
});

/** Signs in on a page that shows the sign-in form. */
async function signInAs(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const homeOf = (page: Page) => page.getByRole('heading', { level: 1, name: 'Home' });

async function openChangePassword(page: Page) {
  await page.getByRole('button', { name: /system · (admin|member)/ }).click();
  await page.getByRole('menuitem', { name: 'Change password' }).click();
  return page.getByRole('dialog', { name: 'Change password' });
}

test('after a user changes their password, this browser stays signed in and all others do not', async () => {
  const send = (path: string, body: object, headers = {}) =>
    fetch(session.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const signedIn = (await (await send('/auth/login', credentials)).json()) as { access_token: string };
  const before = { username: 'walker', password: 'the password of before' };
  const created = await send('/auth/register', before, { authorization: `Bearer ${signedIn.access_token}` });
  assert.equal(created.status, 201);

  const elsewhere = await (await session.window()).newPage();
  const page = await (await session.window({ viewport: { width: 1440, height: 900 } })).newPage();
  for (const each of [elsewhere, page]) {
    await each.goto('/');
    await signInAs(each, before.username, before.password);
    await homeOf(each).waitFor();
  }

  const dialog = await openChangePassword(page);
  const current = dialog.getByLabel('Current password');
  const next = dialog.getByLabel('New password', { exact: true });
  const repeated = dialog.getByLabel('Repeat the new password');
  const change = dialog.getByRole('button', { name: 'Change password' });
  await untilFocused(page, current);
  await dialog.getByText('At least 8 characters, at most 1024 bytes.').waitFor();
  await current.fill('not the password');
  await next.fill('short');
  await repeated.fill('longer');
  await change.click();
  await dialog.getByText('It must have at least 8 characters and at most 1024 bytes.').waitFor();
  await dialog.getByText('It differs from the new password.').waitFor();
  await untilFocused(page, next);
  await next.fill('the password of after');
  await repeated.fill('the password of after');
  await change.click();
  await dialog.getByText('This is not your current password.').waitFor();
  await untilFocused(page, current);
  assert.equal(await dialog.getByText('It differs').count(), 0);
  assert.deepEqual(await seriousFindings(page), []);

  await page.mouse.click(5, 5);
  assert.equal(
    await next.inputValue(),
    'the password of after',
    'a click outside the dialog keeps the input',
  );
  await current.fill(before.password);
  await change.click();
  await page.getByText('Your password is changed.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await untilFocused(page, page.getByRole('button', { name: /system · member/ }));
  await page.reload();
  await homeOf(page).waitFor();

  await elsewhere.reload();
  await signInAs(elsewhere, before.username, before.password);
  await elsewhere
    .getByRole('alert')
    .getByText(/is wrong/)
    .waitFor();
  await signInAs(elsewhere, before.username, 'the password of after');
  await homeOf(elsewhere).waitFor();
});

test('what was entered and not saved is not lost without asking', async () => {
  const page = await session.signedIn();
  await goTo(page, 'Guards');
  await page.getByRole('button', { name: 'New guard' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Half done');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Half done');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Half done' }).waitFor();

  await page.getByLabel('Name').fill('Renamed');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
});
