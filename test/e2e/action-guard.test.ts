import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { goTo, openSession } from './browser.ts';
import { injectedAction, openCalls } from './fill-deployment.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

test('a rule can be written, compiled, changed, added to a set that blocks by it, and deleted', async () => {
  const page = await session.signedIn();
  await goTo(page, 'Rules');
  await page.getByRole('button', { name: 'New policy' }).first().click();
  await page.getByLabel('Name').fill('Mail rules');
  await page.getByLabel('Rule 1', { exact: true }).fill('Never send mail to addresses outside example.com.');
  await page.getByLabel('Severity of rule 1').selectOption('High');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mail rules' }).waitFor();
  await page.getByText('enforced', { exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Rule 2', { exact: true }).fill('Do not delete files.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 2, name: '2 rules' }).waitFor();

  await goTo(page, 'Policy sets');
  await page.getByRole('button', { name: 'New set' }).click();
  await page.getByLabel('Name').fill('Assistant');
  await page.getByRole('checkbox', { name: /Mail rules/ }).check();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Assistant' }).waitFor();
  await page.getByLabel('Blocks').selectOption('strict');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();

  await goTo(page, 'Playground');
  await page.getByLabel('Judged by').selectOption({ label: 'Assistant' });
  await page.getByRole('button', { name: 'Judge the last step' }).click();
  await page.getByText('blocked', { exact: true }).waitFor();
  await page.getByText('Never send mail to addresses outside example.com.').first().waitFor();
  await page.getByText('trial', { exact: true }).waitFor();

  // Trials are not logged; what an application asks is.
  await goTo(page, 'Actions');
  await page.getByText('Nothing was judged in this window.', { exact: false }).waitFor();
  const call = await openCalls(session.url);
  const { policy_sets: sets } = await call('action-guard', 'GET', '/api/v1/policies/sets');
  const set = sets.find(({ name }: { name: string }) => name === 'Assistant');
  await call('action-guard', 'POST', '/api/v1/guard_actions', injectedAction(set.id));
  await page.reload();
  const row = page.getByRole('row', { name: /send_email/ });
  await row.getByText('blocked').waitFor();
  await row.click();
  await page.getByRole('heading', { level: 1, name: /^The call of send_email was blocked/ }).waitFor();
  await page.getByText('archive@mail-backup.example').first().waitFor();
  await page.goBack();
  await row.waitFor();

  await goTo(page, 'Policy sets');
  await page.getByRole('link', { name: 'Assistant' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete set' }).click();
  await page.getByRole('heading', { level: 1, name: 'Policy sets' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Assistant' }).count(), 0);
});

test('rules are found in a document, reviewed and saved', async () => {
  const page = await session.signedIn();
  await goTo(page, 'Rules');
  await page.getByRole('button', { name: 'From a document' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'Handbook.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from(
      '# Payments\n\nAgents must not transfer more than 500 dollars without approval of a manager.\n',
    ),
  });
  await page.getByRole('button', { name: 'Find rules' }).click();
  await page.getByLabel('Rule 1', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Handbook');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Handbook' }).waitFor();
  await page
    .getByText(/500 dollars/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete policy' }).click();
  await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
});

test('the three example traces get the verdicts in their names', async () => {
  const page = await session.signedIn();
  await goTo(page, 'Playground');
  for (const [name, verdict] of [
    ['An instruction hidden in a document', 'blocked'],
    ['The same tools, as the user asked', 'allowed'],
    ['A command that destroys', 'blocked'],
  ] as const) {
    await page.getByLabel('Example').selectOption({ label: name });
    await page.getByRole('button', { name: 'Judge the last step' }).click();
    await page.getByRole('heading', { name: `Verdict ${verdict}` }).waitFor();
  }
});
