/** Sign-in at an MCP server: its state in the dashboard, and the confirmation page, also without JavaScript. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startHttp } from '../fixtures/mcp-servers/start.ts';
import { goTo, openSession, seriousFindings } from './browser.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

async function protectedServer(): Promise<{ url: string }> {
  const upstream = await startHttp('./protected.ts');
  after(() => upstream[Symbol.dispose]());
  return upstream;
}

const shots = process.env['BULWARK_TEST_SCREENSHOTS'];
const shoot = async (page: Page, name: string): Promise<void> => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
};

const isWider = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

async function register(page: Page, name: string, url: string): Promise<void> {
  await goTo(page, 'MCP servers');
  await page.getByRole('button', { name: 'Register a server' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('URL').fill(url);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** The address to which the page sends the user. */
const connectUrl = async (page: Page): Promise<string> =>
  (await page.getByRole('link', { name: 'Connect', exact: true }).getAttribute('href')) ?? '';

test('shared account: the page shows whose it is and how long it lasts, and it can be disconnected', async () => {
  const { url } = await protectedServer();
  const page = await session.signedIn();
  await register(page, 'Tracker', url);
  await page.getByLabel('The server wants a sign-in').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('needs a sign-in').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await shoot(page, 'server-needs-sign-in');

  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Connect', exact: true }).click();
  const back = await opened;
  await back.getByRole('heading', { level: 1, name: 'Connect this MCP server?' }).waitFor();
  await back.getByText('admin, tenant system').waitFor();
  await back.getByRole('button', { name: 'Connect' }).click();
  await back.getByRole('heading', { level: 1, name: 'The MCP server is connected' }).waitFor();
  await page.getByText('connected', { exact: true }).waitFor();
  await page.getByText('mcp:read offline_access').waitFor();
  await page.getByRole('button', { name: 'Ask for its tools' }).click();
  await page.getByText('whoami', { exact: true }).waitFor();
  await shoot(page, 'server-connected');
  await page.getByRole('button', { name: 'Disconnect Tracker' }).click();
  await page.getByRole('button', { name: 'Disconnect sign-in' }).click();
  await page.getByText('needs a sign-in').waitFor();
});

test('account per user: the scheme explains what is sent, and signed-in users can be listed and signed out', async () => {
  const { url } = await protectedServer();
  const page = await session.signedIn();
  await register(page, 'Wiki', url);
  for (const [value, sends] of [
    ['headers', /X-Forwarded-Email/],
    ['signed_jwt', /X-Bulwark-Identity/],
    ['bearer', /never one for the gateway/],
    ['token_exchange', /A token that your identity provider/],
    ['enterprise_managed', /your identity provider decides/],
    ['user_oauth', /asked to sign in once/],
  ] as const) {
    await page.getByLabel('How the caller’s identity is sent').selectOption(value);
    await page.getByText(sends).waitFor();
  }
  await page.getByLabel('How the caller’s identity is sent').selectOption('token_exchange');
  await page.getByLabel('Token endpoint').fill('http://10.0.0.1/token');
  await page.getByLabel('Client id').fill('gateway');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText("'token_exchange.token_endpoint' must be an https:// address.").waitFor();
  await page.getByLabel('How the caller’s identity is sent').selectOption('user_oauth');
  await page.getByLabel('Client id').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 2, name: 'Your sign-in' }).waitFor();
  await page.getByText('Nobody yet').waitFor();

  const person = await session.window({ javaScriptEnabled: false });
  const window = await person.newPage();
  await window.goto(await connectUrl(page));
  await window.getByRole('button', { name: 'Connect' }).click();
  await window.getByText('You can close this page.').waitFor();
  await person.close();
  const table = page.getByRole('table', { name: 'Users who signed in' });
  await page.getByText('connected', { exact: true }).first().waitFor();
  await page.reload();
  await table.getByRole('row', { name: /admin/ }).waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await shoot(page, 'server-users');
  for (const [theme, width] of [
    ['dark', 1440],
    ['light', 360],
  ] as const) {
    const again = await session.signedIn({ theme, width });
    await again.goto(page.url());
    await again.getByRole('heading', { level: 2, name: 'Who calls' }).waitFor();
    assert.deepEqual(await seriousFindings(again), []);
    assert.equal(await isWider(again), false, 'nothing is wider than the screen');
    await shoot(again, `server-${theme}-${width}`);
    await again.context().close();
  }
  await table.getByRole('button', { name: /^End/ }).click();
  await page.getByRole('button', { name: 'End sign-in' }).click();
  await page.getByText('Nobody yet').waitFor();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the callback page shows its question and errors, by keyboard too, ${colorScheme}`, async () => {
    const { url } = await protectedServer();
    const page = await session.signedIn();
    await register(
      page,
      `A server with a rather long name that has to be broken somewhere ${colorScheme}`,
      url,
    );
    await page.getByLabel('The server wants a sign-in').click();
    await page.getByRole('button', { name: 'Save' }).click();
    const address = await connectUrl(page);
    // The pages allow no scripts, and axe is a script.
    const context = await session.window({
      bypassCSP: true,
      colorScheme,
      viewport: { width: 360, height: 800 },
    });
    const back = await context.newPage();
    await back.goto(address);
    await back.getByRole('heading', { level: 1, name: 'Connect this MCP server?' }).waitFor();
    assert.deepEqual(await seriousFindings(back), []);
    assert.equal(await isWider(back), false, 'nothing is wider than the screen');
    await shoot(back, `callback-${colorScheme}`);
    const here = back.url();
    await back.keyboard.press('Tab');
    assert.equal(await back.locator(':focus').textContent(), 'Cancel', 'the safe choice comes first');
    await back.keyboard.press('Tab');
    await back.keyboard.press('Enter');
    await back.getByRole('heading', { level: 1, name: 'The MCP server is connected' }).waitFor();
    assert.deepEqual(await seriousFindings(back), []);
    await back.goto(here);
    await back.getByRole('heading', { level: 1, name: 'Nothing was connected' }).waitFor();
    await back.getByText('was finished already').waitFor();
    assert.deepEqual(await seriousFindings(back), []);
    await context.close();
  });
