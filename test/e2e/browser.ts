import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AxeBuilder } from '@axe-core/playwright';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { anyPorts, bareEnv, startBulwark } from '../fixtures/bulwark.ts';
import { freePort } from '../fixtures/free-port.ts';
import { launchOptions } from './launch-options.ts';

const password = 'a password of the browser tests';

export interface Session {
  readonly url: string;
  /** A browser context at the dashboard, in which nobody is signed in. */
  window(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** A page on which the first administrator is signed in. */
  signedIn(options?: { theme?: 'light' | 'dark'; width?: number }): Promise<Page>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const credentials = { username: 'admin', password };

/** The browser shared by all files of a test run if there is one, otherwise a new one. */
export function openChromium(): Promise<Browser> {
  const shared = process.env['BULWARK_TEST_BROWSER'];
  return shared === undefined ? chromium.launch(launchOptions) : chromium.connect(shared);
}

/** A browser context with animations off: axe rightly reports the contrast of half-faded elements. */
export async function openWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(30_000);
  return context;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (child.exitCode !== null) throw new Error(`Bulwark ended with ${child.exitCode}.`);
    const response = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined);
    if (response?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The dashboard did not come up within two minutes.');
}

/** Starts `bulwark up` on an empty data directory, with `env` in addition, and a browser. */
export async function openSession(env: Readonly<Record<string, string>> = {}): Promise<Session> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bulwark-e2e-'));
  const port = await freePort();
  const child = startBulwark(['up'], {
    byLauncher: true,
    env: {
      ...bareEnv(),
      ...anyPorts,
      BULWARK_DATA_DIR: dataDir,
      BULWARK_ADMIN_PASSWORD: password,
      BULWARK_LOG_LEVEL: 'error',
      BULWARK_PORT_DASHBOARD: String(port),
      ...env,
    },
  });
  // Read to its end: writing to a full pipe would stop the program.
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  await untilReady(`${url}/`, child);
  const browser = await openChromium();
  const window = (options: BrowserContextOptions = {}) => openWindow(browser, { baseURL: url, ...options });
  return {
    url,
    window,
    async signedIn({ theme = 'light', width = 1440 } = {}) {
      const context = await window({ viewport: { width, height: 900 }, colorScheme: theme });
      const page = await context.newPage();
      await page.goto('/');
      await signInAs(page, credentials);
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Signs in on a page that shows the sign-in form. */
export async function signInAs(
  page: Page,
  { username, password: word, tenant_name: tenant = 'system' }: typeof credentials & { tenant_name?: string },
): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(word);
  await page.getByLabel('Tenant').fill(tenant);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a page by its name, through the command palette: the navigation shows only the pages of one area. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Go to a page' });
  await palette.getByPlaceholder('Where to?').fill(place);
  await palette
    .getByRole('option')
    .filter({ has: page.getByText(place, { exact: true }) })
    .first()
    .click();
  await palette.waitFor({ state: 'detached' });
}

/** Waits until the element has the focus: a key pressed before would go to another element. */
export const untilFocused = (page: Page, element: Locator): Promise<void> =>
  element.and(page.locator(':focus')).waitFor();

/** Runs in the page, and must be a function: a text is evaluated without its argument. */
const hasFocus = (element: unknown): boolean =>
  (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement === element;

/**
 * Presses a key, Tab by default, until the element has the focus.
 * @throws if the element is not reached within this number of steps
 */
export async function tabTo(
  page: Page,
  element: Locator,
  { key = 'Tab', mostSteps = 150 }: { key?: string; mostSteps?: number } = {},
): Promise<void> {
  await element.waitFor();
  for (let step = 0; step < mostSteps; step++) {
    if ((await element.and(page.locator(':focus')).count()) > 0) return;
    const before = await page.evaluateHandle('document.activeElement');
    await page.keyboard.press(key);
    // Arrows move the focus in a later turn: pressed again before that, they would move it twice.
    for (let wait = 0; key !== 'Tab' && wait < 40; wait += 1) {
      if (!(await before.evaluate(hasFocus))) break;
      await sleep(25);
    }
    await before.dispose();
  }
  throw new Error(`${key} does not reach ${element.toString()} in ${mostSteps} steps.`);
}

/** Axe violations on the page with at least serious impact, one line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
}
