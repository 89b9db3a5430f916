/**
 * What must hold on every page at every width: axe finds nothing, nothing is too wide, only the page scrolls, names stand
 * where ids could, and no other host is asked. In the dark theme only contrast can differ.
 */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import type { Session } from './browser.ts';
import { fillEverything, openPage, pagesOf } from './pages.ts';

/** What axe finds on the page, of whatever impact, one line each. */
async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  // Without frames in the page the legacy mode finds the same, and opens no second page to put results together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${impact}) ${target.join(' ')}: ${failureSummary}`),
  );
}

/** What is wrong with the layout; runs in the page. */
const layoutProblems = String.raw`(() => {
  const nameOf = (element) =>
    '<' + element.localName + ' class="' + (element.getAttribute('class') ?? '') + '"> ' + element.textContent.trim().slice(0, 60);
  const over = document.documentElement.scrollWidth - innerWidth;
  const scrolls = [...document.querySelectorAll('main *, [role=dialog] *')].filter(
    (element) =>
      /auto|scroll/.test(getComputedStyle(element).overflowY) &&
      element.scrollHeight > element.clientHeight + 1,
  );
  return [
    ...(over > 0 ? ['The page is ' + over + ' px too wide.'] : []),
    ...scrolls.map((element) => 'It scrolls within the page: ' + nameOf(element)),
  ];
})()`;

/** Ids in words: those of a UUID, and those with the prefix of their kind. */
const rawId =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[a-z]{2,4}_[A-Za-z0-9]{20,}\b/g;

/** All words that people see outside code, except where the id itself is what is told; runs in the page. */
const words = String.raw`(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent.closest('pre, code, script, style, [data-id]') === null && parent.checkVisibility())
      words.push(walker.currentNode.textContent);
  }
  return words.join('\n');
})()`;

async function rawIds(page: Page): Promise<string[]> {
  const ids = (await page.evaluate<string>(words)).match(rawId) ?? [];
  return [...new Set(ids)].map((id) => `An id stands where a name should: ${id}`);
}

type Check = (page: Page) => Promise<string[]>;

const everything: Check = async (page) => [
  ...(await axeFindings(page)),
  ...(await page.evaluate<string[]>(layoutProblems)),
  ...(await rawIds(page)),
];

/** Between themes nothing but colours differs. */
const contrast: Check = async (page) => axeFindings(page, ['color-contrast']);

const widths = [1440, 768, 390];

async function foundAtAnyWidth(page: Page, check: Check): Promise<string[]> {
  const found = new Map<string, string[]>();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const problem of await check(page))
      found.set(problem, [...(found.get(problem) ?? []), `${width} px`]);
  }
  return [...found].map(([problem, at]) => `${problem} (${at.join(', ')})`);
}

/** What is wrong with the page as it stands, on a screen, a tablet and a phone. */
export const problemsAtAnyWidth = (page: Page): Promise<string[]> => foundAtAnyWidth(page, everything);

/** What is wrong with any page of the dashboard, in either theme. */
export async function problemsOfAllPages(session: Session): Promise<string[]> {
  const pages = pagesOf(await fillEverything(session.url, { queries: 30, sessions: 2 }));
  const problems: string[] = [];
  const goThrough = async (theme: 'light' | 'dark', check: Check) => {
    const page = await session.signedIn({ theme });
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(session.url))
        problems.push(`Another host is asked: ${request.url()}`);
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    for (const each of pages) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await openPage(page, each);
      for (const problem of await foundAtAnyWidth(page, check))
        problems.push(`${each.name}, ${theme}: ${problem}`);
    }
  };
  // Side by side: while one waits for an answer, the other one is looked at.
  await Promise.all([goThrough('light', everything), goThrough('dark', contrast)]);
  return problems;
}
