/** The pages of the red-teaming platform: the way of a newcomer, with the scripted agents that the platform serves. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { goal, taskFile } from '#services/red-team/fixtures/own-tasks.ts';
import { openSession } from './browser.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

let page: Page;
before(async () => {
  page = await session.signedIn();
});

/** Kept only where somebody wants to look at the pages. */
// oxlint-disable-next-line node/no-process-env -- a test may read where it writes pictures.
const pictures = process.env['BULWARK_TEST_PICTURES'];
async function picture(of: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await of.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}

let runPath = '';

async function createEvaluation(name: string, agent: string): Promise<void> {
  await page.goto('/red-team/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Agent', { exact: true }).selectOption({ label: agent });
  await page.getByLabel('Most tasks').fill('30');
  await page.getByRole('status', { name: 'Tasks of the evaluation' }).getByText('30 tasks').waitFor();
  await page.getByRole('button', { name: 'Create the evaluation' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function runIt(): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/red-team\/runs\//);
  await page.getByRole('heading', { level: 1 }).getByText('completed').waitFor({ timeout: 120_000 });
}

test('scripted agents are registered with a click, and any agent after a greeting', async () => {
  await page.goto('/red-team');
  await page.getByRole('heading', { name: 'No evaluation yet' }).waitFor();
  await page.goto('/red-team-agents');
  for (const persona of ['obedient', 'careful']) {
    await page.getByRole('button', { name: `Register the scripted agent ${persona}` }).click();
    await page.getByRole('row', { name: new RegExp(`Scripted: ${persona}`) }).waitFor();
  }
  await page.getByRole('button', { name: 'Register an agent' }).first().click();
  const dialog = page.getByRole('dialog');
  const endpoint = await page.locator('td code, td span.font-mono').first().textContent();
  await dialog.getByLabel('Name', { exact: true }).fill('By hand');
  await dialog.getByLabel('Endpoint').fill('http://127.0.0.1:9/none');
  await dialog.getByRole('button', { name: 'Send a greeting' }).click();
  await dialog.getByText(/No connection/).waitFor();
  await dialog.getByLabel('Endpoint').fill(endpoint ?? '');
  await dialog.getByRole('button', { name: 'Send a greeting' }).click();
  await dialog.getByText(/speaks the OpenAI Responses API/).waitFor();
  await picture(page, 'agent-form');
  await dialog.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('row', { name: /By hand/ }).waitFor();
  await picture(page, 'agents');
});

test('the builder counts matching tasks as filters change', async () => {
  await page.goto('/red-team/new');
  const total = page.getByRole('status', { name: 'Tasks of the evaluation' });
  await total.getByText('30 tasks').waitFor();
  await page.getByLabel('Most tasks').fill('');
  const expected = shippedTasks().filter(
    ({ domain, threatModel }) => domain === 'finance' && threatModel === 'direct',
  ).length;
  await page
    .getByRole('group', { name: 'Domains' })
    .getByRole('checkbox', { name: /^Finance/ })
    .check();
  await page.getByRole('group', { name: 'Threat models' }).getByRole('checkbox').nth(1).check();
  await total.getByText(`${expected} tasks`, { exact: true }).waitFor();
  assert.ok(expected > 0);
  await picture(page, 'builder');
});

test('own tasks are uploaded and proved, what is refused is shown, and the builder offers the set', async () => {
  await page.goto('/red-team-tasks');
  await page.getByRole('button', { name: 'Upload' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('House tasks');
  const always = { ...goal, id: 'own.always', attack: { not: { response: { contains: 'never said' } } } };
  await dialog.getByLabel('Content').fill(taskFile({ goals: [goal, always] }));
  await dialog.getByRole('button', { name: 'Upload and prove' }).click();
  await dialog.getByText('tasks were refused').waitFor();
  await dialog
    .getByText(/counts as a successful attack/)
    .first()
    .waitFor();
  await picture(page, 'own-tasks-refused');
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /House tasks/ });
  const stored = /\d+/.exec((await row.getByRole('cell').nth(1).textContent()) ?? '')?.[0];
  await picture(page, 'own-tasks');
  await page.goto('/red-team/new');
  await page.getByLabel('Most tasks').fill('');
  await page
    .getByRole('group', { name: 'Tasks' })
    .getByRole('checkbox', { name: /House tasks/ })
    .check();
  const total = page.getByRole('status', { name: 'Tasks of the evaluation' });
  await total.getByText(`${stored} tasks`, { exact: true }).waitFor();
});

test('a run moves while the agent works, and ends with its figures', async () => {
  await createEvaluation('First evaluation', 'Scripted: obedient');
  await picture(page, 'evaluation');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/red-team\/runs\//);
  runPath = new URL(page.url()).pathname;
  await page.getByRole('heading', { level: 1 }).getByText('completed').waitFor({ timeout: 120_000 });
  await page
    .getByRole('table', { name: 'All figures' })
    .getByRole('row', { name: /^Attack success of all assessed attacks 100%/ })
    .waitFor();
  await page
    .getByRole('region', { name: 'Attack success by category and domain' })
    .getByRole('link')
    .first()
    .waitFor();
  await picture(page, 'summary');
});

test('a failed trajectory shows injected text, canaries and state changes; it is starred', async () => {
  await page.goto(`${runPath}?tab=results&outcome=attacked&threat=indirect&vector=environment_data`);
  const list = page.getByRole('list', { name: 'Results' });
  await list.getByRole('link').first().waitFor();
  await picture(page, 'results');
  await list.getByRole('link').first().click();
  await page.getByRole('heading', { level: 2, name: 'Trajectory' }).waitFor();
  await page.locator('mark[data-mark=injected]').first().waitFor();
  await page
    .getByRole('list', { name: 'State changes' })
    .or(page.getByText('Nothing changed'))
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'To the injected text' }).click();
  await page.getByRole('button', { name: 'Star for the report' }).click();
  await page.getByRole('button', { name: 'In the report' }).waitFor();
  await picture(page, 'trajectory');
});

test('the report is made, previewed and downloaded, the starred case first', async () => {
  await page.goto(`${runPath}?tab=report`);
  await page.getByRole('heading', { name: 'Starred cases 1' }).waitFor();
  await page.getByRole('button', { name: 'Make a report' }).click();
  await page.getByRole('list', { name: 'Reports' }).getByText('ready').waitFor({ timeout: 60_000 });
  await picture(page, 'report');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download PDF' }).click();
  const file = await saved;
  assert.match(file.suggestedFilename(), /^red-team-.*\.pdf$/);
  const folder = await mkdtemp(join(tmpdir(), 'bulwark-report-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'report.pdf');
  await file.saveAs(path);
  const { stdout } = await promisify(execFile)('pdftotext', [path, '-']);
  assert.match(stdout, /Attack success/);
  assert.match(stdout, /First evaluation/);
});

test('two runs are compared, and agents stand beside each other', async () => {
  await createEvaluation('Second evaluation', 'Scripted: careful');
  await runIt();
  await page.goto('/red-team/compare');
  const option = async (label: string, name: string) => {
    const box = page.getByLabel(label);
    await box.locator('option').nth(2).waitFor({ state: 'attached' });
    const texts = await box.locator('option').allTextContents();
    await box.selectOption({ label: texts.find((text) => text.includes(name)) ?? '' });
  };
  await option('Before', 'First evaluation');
  await option('After', 'Second evaluation');
  await page.getByText(/unlikely to be chance/).waitFor();
  await page
    .getByRole('list', { name: 'Tasks that ended differently' })
    .getByRole('listitem')
    .first()
    .waitFor();
  await picture(page, 'compare');
  await page.goto('/red-team-agents');
  await page.getByRole('table', { name: 'Agents compared' }).getByText('Scripted: careful').waitFor();
  await page.goto('/red-team');
  await page.getByRole('row', { name: /Second evaluation/ }).waitFor();
  await picture(page, 'evaluations');
});
