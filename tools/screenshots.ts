/**
 * Screenshots of every page of the dashboard with example data, light and dark, wide and narrow, and contact sheets of
 * nine to look at: `node tools/screenshots.ts <folder> [name of a page …]`. With `--guides` the pictures of
 * docs/guides and of the README. Needs Chromium at /usr/bin/chromium.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openSession } from '../test/e2e/browser.ts';
import { fillEverything, openPage, pagesOf } from '../test/e2e/pages.ts';
import { contactSheets } from './screenshots/contact-sheets.ts';

const [folder = 'screenshots', ...wanted] = process.argv.slice(2);

/** Relative activity of each hour of a day. */
const dayShape = [3, 2, 1, 1, 1, 2, 4, 9, 15, 19, 21, 20, 17, 19, 22, 21, 18, 13, 9, 7, 6, 5, 4, 3];

/**
 * The deployment is a minute old, so all its counts are in the last hour or two. The screenshots distribute the same
 * counts over a whole day.
 */
async function spreadOverTheDay(page: Page): Promise<void> {
  await page.route(/\/(?:governance|logs)\/hours/, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { hours: Record<string, number | string | null>[] };
    const full = answer.hours.at(-1) ?? {};
    const all = dayShape.reduce((sum, share) => sum + share, 0);
    const spread = (value: number, share: number, name: string) =>
      name.startsWith('latency') ? value * (0.7 + share / 40) : Math.round((value * share) / all);
    const hours = answer.hours.map(({ hour }) => {
      const share = dayShape[new Date(String(hour)).getHours()] ?? 0;
      const values = Object.entries(full).map(([name, value]) => [
        name,
        typeof value === 'number' ? spread(value, share, name) : value,
      ]);
      return { ...(Object.fromEntries(values) as object), hour };
    });
    await route.fulfill({ response, json: { ...answer, hours } });
  });
}

await using session = await openSession();
const pages = pagesOf(await fillEverything(session.url, { queries: 400, sessions: 9 }));

async function everyPage(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const chosen = pages.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1440, 390]) {
      const page = await session.signedIn({ theme, width });
      await spreadOverTheDay(page);
      const taken: string[] = [];
      for (const each of chosen) {
        await openPage(page, each);
        await page.waitForTimeout(500);
        const path = join(folder, `${each.name}-${theme}-${width}.png`);
        await page.screenshot({ path, fullPage: true });
        taken.push(path);
      }
      await contactSheets(page, taken, {
        width,
        to: (at) => join(folder, `sheet-${theme}-${width}-${at}.png`),
      });
      await page.context().close();
    }
}

/** The pictures of the guides, and the page that each shows: those of the tour are smaller. */
const ofTour = {
  '1-home': 'home',
  '2-policy': 'policy-editor',
  '3-text': 'text',
  '4-action': 'action',
  '5-connect': 'gateway-connect',
  '6-scan': 'mcp-scan-findings',
  '7-red-team': 'run-summary',
  '8-ai-tools': 'ai-tools',
};
const ofGuide = {
  'dashboard-overview': 'home',
  'dashboard-tester': 'tester',
  'dashboard-playground': 'playground',
  'dashboard-access': 'gateway-access',
};
const pictures = join(import.meta.dirname, '../docs/pictures');

async function take(
  of: Readonly<Record<string, string>>,
  { width, height, pathOf }: { width: number; height: number; pathOf: (picture: string) => string },
): Promise<void> {
  const page = await session.signedIn({ theme: 'light', width });
  await page.setViewportSize({ width, height });
  await spreadOverTheDay(page);
  for (const [picture, name] of Object.entries(of)) {
    const shown = pages.find((each) => each.name === name);
    if (shown === undefined) throw new Error(`There is no page ${name}.`);
    await openPage(page, shown);
    if (name === 'playground') await page.getByText('tainted').last().scrollIntoViewIfNeeded();
    await page.waitForTimeout(700);
    const path = pathOf(picture);
    await page.screenshot({ path, ...(path.endsWith('.jpg') && { type: 'jpeg', quality: 72 }) });
  }
  await page.context().close();
}

if (wanted.includes('--guides')) {
  await take(ofTour, { width: 1200, height: 750, pathOf: (name) => join(pictures, 'tour', `${name}.jpg`) });
  await take(ofGuide, { width: 1440, height: 900, pathOf: (name) => join(pictures, `${name}.png`) });
} else await everyPage();
