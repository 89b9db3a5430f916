/** A user authorises an AI client at a gateway: in Chromium, without JavaScript, by keyboard, checked with axe. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { beginFlow, redeem, register } from '#services/agent-gateway/fixtures/oauth-client.ts';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { startOidcIssuer } from '../fixtures/oidc-issuer.ts';
import { openChromium, openWindow, seriousFindings } from './browser.ts';

const password = 'correct horse battery staple';
const issuer = await startOidcIssuer();
const service = await openTestService({
  env: { BULWARK_OIDC_ISSUER: issuer.url, BULWARK_OIDC_CLIENT_ID: 'gateways' },
});
/** The client, which waits on loopback for the browser's callback. */
const client = createServer((_, response) => response.end('Thank you, you can close this page.'));
await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve));
const redirectUri = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
const browser = await openChromium();
after(async () => {
  await browser.close();
  client.closeAllConnections();
  client.close();
  await service[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const { mcpUrl } = await service.gateway([], { name: 'Research tools' });

const begin = async (name: string) => {
  const { body } = await register(mcpUrl, { client_name: name, redirect_uris: [redirectUri] });
  const flow = beginFlow(mcpUrl, body.client_id, { redirect_uri: redirectUri });
  return { clientId: body.client_id as string, flow };
};

const signIn = async (page: Page) => {
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: /^Allow/ }).waitFor();
};

test('the whole sign-in works without JavaScript', async () => {
  const context = await openWindow(browser, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  const { clientId, flow } = await begin('Desk assistant');
  await page.goto(flow.url);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  assert.equal(await page.getByRole('alert').textContent(), 'The username or the password is wrong.');
  assert.equal(await page.getByLabel('Username').inputValue(), 'admin');
  await signIn(page);
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  assert.equal(heading, 'Allow “Desk assistant” to use the gateway “Research tools”?');
  await page.getByText(new URL(redirectUri).host).waitFor();
  await page.getByLabel('Use tools').uncheck();
  await page.getByLabel('Read resources').uncheck();
  await page.getByLabel('Use prompts').uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  assert.match((await page.getByRole('alert').textContent()) ?? '', /Choose what the client may do/);
  await page.getByLabel('Read resources').uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Thank you').waitFor();
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const { body } = await redeem(mcpUrl, clientId, flow, code, { redirect_uri: redirectUri });
  assert.equal(body.scope, 'mcp:tools mcp:prompts');
  await context.close();
});

test('the sign-in works by keyboard, and a denial returns to the client', async () => {
  const context = await openWindow(browser);
  const page = await context.newPage();
  await page.goto((await begin('Keyboard client')).flow.url);
  await page.keyboard.press('Tab');
  await page.keyboard.type('admin');
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /^Allow/ }).waitFor();
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').textContent(), 'Refuse');
  await page.keyboard.press('Enter');
  await page.getByText('Thank you').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
  await context.close();
});

test('a user can switch to another account, or to an account of the issuer', async () => {
  const context = await openWindow(browser);
  const page = await context.newPage();
  await page.goto((await begin('Any client')).flow.url);
  await signIn(page);
  await page.getByRole('button', { name: 'Use another account' }).click();
  issuer.person = { sub: 'grace', preferred_username: 'grace', tenant: 'system' };
  await page.getByRole('link', { name: /^Sign in with/ }).click();
  await page.getByRole('heading', { level: 1, name: /^Allow/ }).waitFor();
  await page.getByText('grace', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Thank you').waitFor();
  await context.close();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds no serious problem, ${colorScheme}`, async () => {
    // The pages allow no scripts, and axe is a script.
    const context = await openWindow(browser, {
      bypassCSP: true,
      colorScheme,
      viewport: { width: 360, height: 800 },
    });
    const page = await context.newPage();
    await page.goto(
      (await begin('A client with a rather long name that has to be broken somewhere')).flow.url,
    );
    assert.deepEqual(await seriousFindings(page), []);
    await signIn(page);
    assert.deepEqual(await seriousFindings(page), []);
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
    assert.equal(overflow, false, 'nothing is wider than the screen');
    if (process.env['BULWARK_TEST_SCREENSHOTS'] !== undefined)
      await page.screenshot({
        path: `${process.env['BULWARK_TEST_SCREENSHOTS']}/consent-${colorScheme}.png`,
      });
    await page.goto(`${mcpUrl}/authorize?client_id=unknown`);
    await page.getByRole('heading', { name: 'This did not work' }).waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await context.close();
  });
