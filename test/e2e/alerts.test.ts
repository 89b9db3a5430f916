/** Alerts: a rule that fires, who is told, and what Home shows. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { openSession, seriousFindings } from './browser.ts';
import { fillDeployment, openCalls } from './fill-deployment.ts';

const received: string[] = [];
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push(body);
    response.end('ok');
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

const session = await openSession();
after(async () => {
  await session[Symbol.asyncDispose]();
  receiver.closeAllConnections();
  receiver.close();
});

test('a rule is made, fires, is shown on Home, told by webhook, muted and deleted', async () => {
  const page = await session.signedIn();
  await page.goto('/alerts?tab=channels');
  await page.getByRole('button', { name: 'Add a channel' }).click();
  await page.getByLabel('Name').fill('On call');
  await page.getByLabel('Kind').selectOption('webhook');
  await page.getByLabel('URL').fill(hook);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Send a test to On call' }).click();
  await page.getByText('A test is on its way.').waitFor();
  await page.getByText('delivered').waitFor();
  assert.match(received[0] ?? '', /"type":"alert.test"/);
  assert.deepEqual(await seriousFindings(page), []);

  await fillDeployment(session.url, { queries: 30, sessions: 2 });
  const api = await openCalls(session.url);
  const counted = async () => {
    const { subjects } = await api('action-guard', 'GET', '/api/v1/alerts/subjects');
    return [...new Set(subjects.map(({ source }: { source: string }) => source))];
  };
  const wanted = ['actions', 'calls', 'texts'];
  const isCounted = async () => new Set(await counted()).isSupersetOf(new Set(wanted));
  for (let i = 0; i < 100 && !(await isCounted()); i++) await page.waitForTimeout(200);
  assert.ok(await isCounted(), 'all services count');

  await page.getByRole('tab', { name: 'Rules' }).click();
  await page.getByRole('button', { name: 'New rule' }).click();
  await page.getByLabel('Name').fill('Many attacks');
  await page.getByLabel('What is measured').selectOption('flagged_texts');
  await page.getByLabel('From (how many)').fill('2');
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('heading', { level: 2, name: 'Many attacks' }).waitFor();
  // It is evaluated every half minute.
  await page.getByText('firing', { exact: true }).waitFor({ timeout: 90_000 });
  assert.deepEqual(await seriousFindings(page), []);
  for (let i = 0; i < 100 && received.length < 2; i++) await page.waitForTimeout(100);
  assert.match(received[1] ?? '', /"type":"alert.firing"/);

  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('table', { name: 'Alerts so far' }).waitFor();
  await page.getByText('Many attacks').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await page.goto('/');
  await page.getByText('Alert: Many attacks').click();
  const rule = page.getByRole('listitem').filter({ hasText: 'Many attacks' });
  await rule.getByRole('button', { name: 'Mute for an hour' }).click();
  await page.getByText('muted', { exact: true }).waitFor();

  // Targets of its own, in place of the channels: one that is shown its secret, and one more that is taken back.
  await rule.getByRole('button', { name: 'Edit Many attacks' }).click();
  await page.getByLabel('Whom it tells').selectOption('own');
  await page.getByLabel('Kind of target 1').selectOption('webhook');
  await page.getByLabel('URL of target 1').fill(`${hook}/own`);
  await page.getByRole('button', { name: 'Add another' }).click();
  await page.getByLabel('Kind of target 2').selectOption('slack');
  await page.getByLabel('URL of target 2').fill(`${hook}/slack`);
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`The receiver at ${hook}/own`).waitFor();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('It tells 2 targets of its own').waitFor();
  await rule.getByRole('button', { name: 'Edit Many attacks' }).click();
  assert.equal(await page.getByLabel('URL of target 1').inputValue(), `${hook}/own`);
  assert.equal(await page.getByLabel('URL of target 2').inputValue(), '', 'whoever knows it can write there');
  await page.getByRole('button', { name: 'Remove target 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It tells a target of its own').waitFor();
  await rule.getByRole('button', { name: 'Edit Many attacks' }).click();
  await page.getByLabel('Whom it tells').selectOption('channels');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('of its own').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Delete Many attacks' }).click();
  await page.getByRole('button', { name: 'Delete rule' }).click();
  await page.getByRole('heading', { level: 2, name: 'Many attacks' }).waitFor({ state: 'detached' });
});
