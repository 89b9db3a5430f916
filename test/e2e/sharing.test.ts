/** Who sees and changes what: an administrator who owns nothing, a member, and an administrator of another tenant. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openSession, seriousFindings, signInAs } from './browser.ts';
import { openCalls } from './fill-deployment.ts';

const password = 'a password of the sharing tests';
const session = await openSession();
after(() => session[Symbol.asyncDispose]());

const people = {
  owner: { username: 'owner', password, tenant_name: 'system' },
  member: { username: 'member', password, tenant_name: 'system' },
  administrator: { username: 'second', password, tenant_name: 'system' },
  stranger: { username: 'stranger', password, tenant_name: 'other' },
};
type Who = keyof typeof people;

/** The owner's objects: one private and one shared of each kind. */
interface Made {
  readonly list: string;
  readonly page: string;
  readonly name: string;
}
const shared: Made[] = [];
const hidden: Made[] = [];
let memberId = '';
let gatewayPath = '';
let ownerCalls: Awaited<ReturnType<typeof openCalls>>;

before(async () => {
  const admin = await openCalls(session.url);
  const register = (who: Who, roles: string[]) =>
    admin('policy-guard', 'POST', '/auth/register', { ...people[who], roles });
  await admin('policy-guard', 'POST', '/auth/tenants', { name: 'other' });
  await register('stranger', ['admin']);
  await register('owner', ['member']);
  ({ id: memberId } = await register('member', ['member']));
  await register('administrator', ['admin']);
  const owner = await openCalls(session.url, people.owner);
  ownerCalls = owner;
  for (const visibility of ['tenant', 'private'] as const) {
    const into = visibility === 'tenant' ? shared : hidden;
    const add = (list: string, id: string, name: string) => into.push({ list, page: `${list}/${id}`, name });
    const word = visibility === 'tenant' ? 'Shared' : 'Private';
    const group = await owner('policy-guard', 'POST', '/api/policy_groups', {
      name: `${word} group`,
      visibility,
      policies: [{ name: 'Secrets', block_activities: ['asks for a password'], safe_activities: [] }],
    });
    add('/policies', group.group_uuid, group.name);
    const guard = await owner('policy-guard', 'POST', '/api/guards', {
      name: `${word} guard`,
      visibility,
      // A guard that everybody can see, with groups that only their owner can open.
      policy_group_uuids: [...hidden, ...shared]
        .filter(({ list }) => list === '/policies')
        .map(({ page }) => page.split('/').at(-1) ?? ''),
    });
    add('/guards', guard.guard_uuid, guard.name);
    const policy = await owner('action-guard', 'POST', '/api/v1/policies/policy', {
      name: `${word} policy`,
      visibility,
      rules: { files: { description: 'Do not delete files.' } },
    });
    add('/action-policies', policy.policy_id, `${word} policy`);
    const set = await owner('action-guard', 'POST', '/api/v1/policies/sets', {
      name: `${word} set`,
      visibility,
      policy_ids: [policy.policy_id],
    });
    add('/action-sets', set.policy_id, `${word} set`);
    const server = await owner('agent-gateway', 'POST', '/api/mcp-servers', {
      name: `${word} server`,
      visibility,
      transport: 'http',
      connection_url: 'http://127.0.0.1:9/mcp',
    });
    add('/mcp-servers', server.id, server.name);
    const gateway = await owner('agent-gateway', 'POST', '/api/gateways', {
      name: `${word} gateway`,
      visibility,
      action_guard_policy_id: set.policy_id,
      access_control: { default: 'deny', rules: [{ principals: [memberId], effect: 'allow' }] },
    });
    add('/gateways', gateway.id, gateway.name);
    if (visibility === 'tenant') gatewayPath = `/gateways/${gateway.id}`;
  }
});

async function pageOf(who: Who, width = 1440): Promise<Page> {
  const page = await (await session.window({ viewport: { width, height: 900 } })).newPage();
  await page.goto('/about');
  await signInAs(page, people[who]);
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor();
  return page;
}

/** Opens a list and waits until it has loaded, with or without rows. */
async function openList(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('group', { name: 'Whose' }).waitFor();
  await page.locator('main').getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await page.locator('main table, main h2').first().waitFor();
}

const link = (page: Page, { name }: Made) => page.locator('main').getByRole('link', { name, exact: true });
const sharing = (page: Page) => page.getByRole('region', { name: 'Owner and sharing' });
const leftovers = /deleted|unknown user|unknown guard|unknown policy set|\bNone\b/;

test('a member sees shared objects and their owners, without controls to change them', async () => {
  const page = await pageOf('member');
  for (const made of [...shared, ...hidden]) {
    await openList(page, made.list);
    assert.equal(await link(page, made).count(), shared.includes(made) ? 1 : 0, `${made.name} in the list`);
  }
  for (const made of shared) {
    await openList(page, made.list);
    const row = page.getByRole('row', { name: new RegExp(`^${made.name}`) });
    await row.getByText('owner', { exact: true }).waitFor();
    await row.getByText('shared', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Mine' }).click();
    await link(page, made).waitFor({ state: 'detached' });
    assert.match(page.url(), /\?owner=me$/);
    await page.getByRole('button', { name: 'Everyone’s' }).click();
    await link(page, made).click();
    await sharing(page).getByText('Only owner and administrators of system can change it.').waitFor();
    const offered = page
      .locator('main')
      .getByRole('button', { name: /^(Save|Delete|Edit|Start|Stop|Attach|Detach|Add a)/ });
    assert.deepEqual(await offered.allTextContents(), [], made.page);
    assert.equal(await page.getByRole('radio').count(), 0);
    assert.doesNotMatch((await page.locator('main').textContent()) ?? '', leftovers, made.page);
    assert.deepEqual(await seriousFindings(page), [], made.page);
  }
  for (const made of hidden) {
    await page.goto(made.page);
    await page.getByRole('heading', { level: 1, name: 'This cannot be shown' }).waitFor();
    await page.getByText('It does not exist, or it is not shared with you.').waitFor();
  }
});

test('names are shown in place of ids, also for objects that cannot be opened', async () => {
  const [, guard] = hidden;
  const [group] = hidden;
  assert.ok(guard !== undefined && group !== undefined);
  // The guard with the private group is shared: the group is used for judging, but cannot be opened.
  await ownerCalls('policy-guard', 'PUT', `/api${guard.page}`, { visibility: 'tenant' });
  const page = await pageOf('member');
  await page.goto(guard.page);
  const choice = page.getByRole('checkbox', { name: new RegExp(`^${group.name}`) });
  await choice.waitFor();
  assert.deepEqual([await choice.isChecked(), await choice.isDisabled()], [true, true]);
  await page.goto(`${gatewayPath}?tab=access`);
  await page.getByLabel('Who of rule 1').waitFor();
  assert.equal(await page.getByLabel('Who of rule 1').inputValue(), memberId);
  await page.getByText('member', { exact: true }).first().waitFor();
  await page.goto(`${gatewayPath}?tab=settings`);
  const chosen = page.getByRole('combobox', { name: 'Action guard' }).locator('option:checked');
  assert.equal(await chosen.textContent(), 'Shared set');
  await ownerCalls('policy-guard', 'PUT', `/api${guard.page}`, { visibility: 'private' });
});

test('an administrator who owns nothing can read and change everything of the tenant', async () => {
  const page = await pageOf('administrator');
  for (const made of hidden) {
    await openList(page, made.list);
    await page.getByRole('button', { name: 'Mine' }).click();
    await link(page, made).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Everyone’s' }).click();
    await link(page, made).click();
    await sharing(page).getByText('owner', { exact: true }).waitFor();
    const isShared = sharing(page).getByRole('radio', { name: 'Shared with everyone in system' });
    await isShared.check();
    await page.getByText('It is shared with everyone in system.').first().waitFor();
    await page.reload();
    await isShared.waitFor();
    assert.equal(await isShared.isChecked(), true, made.page);
    await sharing(page).getByRole('radio', { name: 'Private' }).check();
    await page.getByText('It is private now.').first().waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
    assert.deepEqual(await seriousFindings(page), [], made.page);
  }
  // History, the lab and the audit log are visible to owners and administrators only.
  const [group] = hidden;
  await page.goto(`${group?.page}?tab=history`);
  await page.getByText('owner, ').first().waitFor();
  await page.goto(`${gatewayPath}?tab=calls`);
  await page.getByText('No call yet').waitFor();
});

test('an owner can share a guard while creating it, and unsaved input survives a change of sharing', async () => {
  const page = await pageOf('owner');
  await page.goto('/guards');
  await page.getByRole('button', { name: 'New guard' }).click();
  const dialog = page.getByRole('dialog', { name: 'New guard' });
  await dialog.getByLabel('Name').fill('Made in the page');
  await dialog.getByText(/every user and API key of system may/).waitFor();
  await dialog.getByRole('radio', { name: 'Shared with everyone in system' }).check();
  assert.deepEqual(await seriousFindings(page), []);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Made in the page' }).waitFor();
  await sharing(page).getByText('(you)').waitFor();
  await page.getByLabel('Name').fill('Half typed');
  await sharing(page).getByRole('radio', { name: 'Private' }).check();
  await page.getByText('It is private now.').waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Half typed');
});

test('losing a permission while a page is open is explained in a message', async () => {
  const page = await pageOf('owner');
  await page.goto(shared[1]?.page ?? '');
  await page.getByLabel('Name').fill('Too late');
  // The service's own error message, as it would be returned from now on.
  await page.route('**/services/policy-guard/api/guards/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    const detail =
      'The guard is shared with you to read and use. Only its owner, or an administrator of the tenant, may do this.';
    return route.fulfill({ status: 403, json: { detail } });
  });
  await page.getByRole('button', { name: 'Save' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'Only its owner, or an administrator' });
  await alert.waitFor();
  assert.equal(await alert.getByRole('button').count(), 0, 'trying again would not help');
  assert.equal(await page.getByLabel('Name').inputValue(), 'Too late', 'the input is kept');
});

test('nothing is visible to another tenant', async () => {
  const page = await pageOf('stranger');
  for (const made of [...shared, ...hidden]) {
    await openList(page, made.list);
    assert.equal(await link(page, made).count(), 0, `${made.name} in the list`);
    await page.goto(made.page);
    await page.getByRole('heading', { level: 1, name: 'This cannot be shown' }).waitFor();
    assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /Shared|Private/);
  }
});

test('on a phone lists and pages with owners are no wider than the screen', async () => {
  const page = await pageOf('administrator', 390);
  for (const made of [...shared, ...hidden]) {
    for (const path of [made.list, made.page]) {
      await page.goto(path);
      await page.getByText('owner', { exact: true }).first().waitFor();
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(over <= 0, `${path} is ${over} px too wide`);
    }
  }
});
