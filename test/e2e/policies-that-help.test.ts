/** A policy that is written beside its test cases, a replay of logged texts, and a logged text as a test case. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { openSession, seriousFindings } from './browser.ts';
import { openCalls } from './fill-deployment.ts';

const session = await openSession();
after(() => session[Symbol.asyncDispose]());

const sale = 'I am offering two kittens for sale, 200 euros each.';
const feeding = 'How often should I feed my cat?';
const aquarium = 'The old aquarium goes to whoever comes first on Saturday.';

type Api = Awaited<ReturnType<typeof openCalls>>;

const newGroup = async (api: Api, name: string): Promise<string> =>
  (await api('policy-guard', 'POST', '/api/policy_groups', { name })).group_uuid;

const addCase = async (dialog: Locator, text: string, answer: 'It must be found' | 'It must pass') => {
  await dialog.getByLabel('A text to test').fill(text);
  await dialog.getByRole('button', { name: answer }).click();
};

test('test cases are judged while one writes; a suggestion settles a missed one; they are kept', async () => {
  const page = await session.signedIn();
  await page.goto(`/policies/${await newGroup(await openCalls(session.url), 'Pet market')}`);
  await page.getByRole('button', { name: 'Add a policy' }).click();
  const dialog = page.getByRole('dialog', { name: 'New policy' });
  await dialog.getByLabel('Name').fill('Selling pets');
  await addCase(dialog, sale, 'It must be found');
  await addCase(dialog, feeding, 'It must pass');
  await dialog.getByLabel('Blocks').fill('offering kittens for sale');
  await dialog.getByText('2 of 2 right').waitFor();
  await addCase(dialog, aquarium, 'It must be found');
  await dialog.getByText('1 missed').waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.getByRole('button', { name: 'Add to Blocks' }).first().click();
  await dialog.getByText('3 of 3 right').waitFor();
  await dialog.getByRole('button', { name: 'Replay it' }).click();
  await dialog.getByText('No text of the last week was kept.').waitFor();
  await dialog.getByRole('button', { name: 'Add policy' }).click();
  await page.getByRole('heading', { level: 2, name: 'Selling pets' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Edit Selling pets' }).click();
  const again = page.getByRole('dialog', { name: 'Edit “Selling pets”' });
  await again.getByText('3 of 3 right').waitFor();
  // A changed list is not lost by accident.
  await again.getByRole('button', { name: `Remove the test case: ${feeding}` }).click();
  await page.keyboard.press('Escape');
  await page.getByText('Discard what you entered?').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('tab', { name: 'Lab' }).click();
  await page.getByRole('button', { name: 'Take its 3 test cases' }).click();
  await page.getByText('3 examples, 2 of them violate.').waitFor();
});

test('a logged text becomes a test case, and a replay shows what a change would do to the last week', async () => {
  const page = await session.signedIn();
  const api = await openCalls(session.url);
  const groupUuid = await newGroup(api, 'Classifieds');
  const policy = await api('policy-guard', 'POST', `/api/policy_groups/${groupUuid}/policies`, {
    name: 'Selling cats',
    block_activities: ['offering kittens for sale'],
  });
  assert.ok(policy._id);
  const guard = await api('policy-guard', 'POST', '/api/guards', {
    name: 'Market',
    policy_group_uuids: [groupUuid],
    settings: { log_requests: true },
  });
  for (const text of [sale, feeding, aquarium])
    await api('policy-guard', 'POST', '/api/topic_guard', { text, guard_uuid: guard.guard_uuid });
  const { queries }: { queries: { query_id: string; text: string }[] } = await api(
    'policy-guard',
    'GET',
    '/api/queries',
  );
  const logged = queries.find(({ text }) => text === aquarium);
  await page.goto(`/activity/texts/${logged?.query_id ?? ''}`);
  await page.getByRole('button', { name: 'Make it a test case' }).click();
  assert.deepEqual(await seriousFindings(page), []);
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByText('Kept as a test case.').waitFor();

  await page.goto(`/policies/${groupUuid}`);
  await page.getByRole('button', { name: 'Edit Selling cats' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit “Selling cats”' });
  await dialog.getByText('1 missed').waitFor();
  await dialog.getByRole('button', { name: 'Add to Blocks' }).first().click();
  await dialog.getByText('1 of 1 right').waitFor();
  await dialog.getByRole('button', { name: 'Replay it' }).click();
  await dialog.getByText('3 different texts that guards judged by this group').waitFor();
  await dialog.getByText('would be flagged', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: `Test case, must be found: ${aquarium}` }).waitFor();
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('the lab says in words why a policy stays as it is, that there are few examples, and how sure its figures are', async () => {
  const page = await session.signedIn();
  const api = await openCalls(session.url);
  const groupUuid = await newGroup(api, 'Pet lab');
  await api('policy-guard', 'POST', `/api/policy_groups/${groupUuid}/policies`, {
    name: 'Selling pets',
    description: '',
    block_activities: ['offering pets for sale'],
    safe_activities: ['questions about feeding'],
  });
  const texts = ['kitten', 'puppy', 'parrot', 'rabbit'].flatMap((pet) => [
    `violates, I am selling a ${pet}, 200 euros.`,
    `safe, What does a ${pet} eat?`,
  ]);
  await page.goto(`/policies/${groupUuid}?tab=lab`);
  await page.getByLabel('One example a line').fill(texts.join('\n'));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('Too few examples to learn from:').waitFor({ timeout: 60_000 });
  await page.getByText('4 that violate and 4 that are safe').waitFor();
  await page.getByText('It stays as it is.', { exact: true }).waitFor();
  const recall = page
    .getByRole('table', { name: 'Figures of Selling pets' })
    .getByRole('row', { name: /^Recall/ });
  assert.match(await recall.innerText(), /\d\.\d\d to \d\.\d\d/);
  assert.deepEqual(await seriousFindings(page), []);
});
