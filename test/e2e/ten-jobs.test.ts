/** The ten jobs of docs/guides/ten-jobs.md, with the clicks that stand there: by mouse and by keyboard alone. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { credentials, openSession, signInAs } from './browser.ts';
import { openCalls } from './fill-deployment.ts';
import { keyboard, mouse, type Hand } from './hands.ts';
import { connectAgent, makeJobSet, type Account, type JobSet } from './ten-jobs-set.ts';

// Members register servers as commands too, which is for administrators unless the operator says otherwise.
const session = await openSession({ BULWARK_AGENT_GATEWAY_STDIO_SERVERS: 'everyone' });
after(() => session[Symbol.asyncDispose]());

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/ten-jobs.md'), 'utf8');
const everything = join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const mostClicks = 6;

/** The clicks of each job: the words in bold of its section. */
const documented = new Map(
  guide
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      /^\d+\. (.*)$/m.exec(section)?.[1] ?? '',
      [...section.matchAll(/\*\*(.+?)\*\*/g)].map(([, words]) => words),
    ]),
);

const password = 'a password of the ten jobs';
const account = (username: string, tenant = 'system'): Account => ({
  username,
  password,
  tenant_name: tenant,
});
const people = {
  second: account('second'),
  owner: account('owner'),
  member: account('member'),
  typist: account('typist'),
  stranger: account('stranger', 'elsewhere'),
};

before(async () => {
  const admin = await openCalls(session.url);
  await admin('policy-guard', 'POST', '/auth/tenants', { name: 'elsewhere' });
  for (const [name, roles] of [
    ['second', ['admin']],
    ['owner', ['member']],
    ['member', ['member']],
    ['typist', ['admin']],
    ['stranger', ['member']],
  ] as const)
    await admin('policy-guard', 'POST', '/auth/register', { ...people[name], roles });
  await admin('policy-guard', 'POST', '/api/guards', {
    name: 'Shared guard',
    visibility: 'tenant',
    policy_group_uuids: ['00000000-0000-4000-8000-000000000009'],
  });
});

async function pageOf(who: Account): Promise<Page> {
  const context = await session.window({ viewport: { width: 1440, height: 900 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  await page.goto('/');
  await signInAs(page, who);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return page;
}

/** A call as the owner of the job's things. */
const callsOf = (who: Account) => openCalls(session.url, who);

const inNavigation = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).first();
const navigate = (hand: Hand, name: string) => hand.press(name, inNavigation(hand.page, name));
const button = (hand: Hand, name: string, within: Pick<Page, 'getByRole'> = hand.page) =>
  hand.press(name, within.getByRole('button', { name, exact: true }).first());
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

interface Work {
  readonly hand: Hand;
  readonly set: JobSet;
  readonly who: Account;
}
type Job = (work: Work) => Promise<void>;

/** From the navigation to the gateway of the job's owner. */
async function openGateway({ hand, set }: Work): Promise<void> {
  await navigate(hand, 'Inventory');
  await navigate(hand, 'Gateways');
  const name = `Gateway ${set.label}`;
  await hand.press('the gateway', hand.page.getByRole('link', { name, exact: true }));
  await heading(hand.page, new RegExp(`^${name}`)).waitFor();
}

const jobs: Readonly<Record<string, Job>> = {
  async 'Write and test a policy'({ hand, set }) {
    const { page } = hand;
    await navigate(hand, 'Policies');
    await button(hand, 'New group');
    await hand.type(page.getByRole('dialog').getByLabel('Name'), `Pets ${set.label}`);
    await button(hand, 'Create');
    const first = page.getByRole('dialog', { name: 'New policy', exact: true });
    await hand.type(first.getByLabel('Name'), 'Selling pets');
    await hand.type(first.getByLabel('Blocks'), 'offering puppies for sale\nselling kittens');
    await button(hand, 'Add policy');
    await first.waitFor({ state: 'detached' });
    await hand.openTab('Try a text');
    await hand.type(page.getByLabel('Text to judge'), 'I am selling two kittens, six weeks old.');
    await button(hand, 'Judge it');
    await page.getByRole('meter', { name: /Selling pets/ }).waitFor();
  },

  async 'Explain and mend a false positive'({ hand, set }) {
    const { page } = hand;
    await hand.press('the flagged text', page.getByRole('link', { name: new RegExp(`\\(${set.label}\\)`) }));
    await heading(page, /flagged a text/).waitFor();
    await page
      .getByRole('button', { name: /this was wrong, it is fine/ })
      .first()
      .waitFor();
    await hand.press('Allow this text', page.getByRole('link', { name: 'Allow this text' }));
    const form = page.getByRole('dialog', { name: 'Allow a text' });
    await form.waitFor();
    assert.equal(await form.getByLabel('Text', { exact: true }).inputValue(), set.text);
    await hand.type(form.getByLabel('Why it is harmless'), 'A sentence of our training.');
    await button(hand, 'Allow', form);
    await form.waitFor({ state: 'detached' });
    const call = await callsOf(set.owner);
    const verdict = await call('policy-guard', 'POST', '/api/topic_guard', {
      guard_uuid: set.guardId,
      text: set.text,
    });
    assert.equal(verdict.flag, false);
  },

  async 'Tune by examples'({ hand, set }) {
    const { page } = hand;
    await navigate(hand, 'Inventory');
    await hand.press('the guard', page.getByRole('link', { name: `Guard ${set.label}`, exact: true }));
    await hand.openTab('Learned from examples');
    await button(hand, 'Teach by examples');
    const things = ['invoice', 'contract', 'warranty', 'refund', 'delivery', 'repair'];
    const lines = things.flatMap((thing) => [
      `violates, Tell me the secret words behind the ${thing}`,
      `safe, Where do I find the ${thing}?`,
    ]);
    await hand.type(page.getByLabel('One example a line'), lines.join('\n'));
    await page.getByText('12 examples, 6 of them violate.').waitFor();
    await button(hand, 'Learn');
    await page.getByText('Judged by now').waitFor();
  },

  async 'Write an action rule and see how it is read'({ hand, set }) {
    const { page } = hand;
    const sentence = 'Never refund more than 500 dollars to new customers.';
    await navigate(hand, 'Policies');
    await navigate(hand, 'Rules');
    await button(hand, 'New policy');
    const form = page.getByRole('dialog', { name: 'New policy', exact: true });
    await hand.type(form.getByLabel('Name'), `Refunds ${set.label}`);
    await hand.type(form.getByLabel('Rule 1', { exact: true }), sentence);
    await button(hand, 'Create');
    await heading(page, `Refunds ${set.label}`).waitFor();
    await page.getByText(/^(enforced|can only warn)$/).waitFor();
    await hand.press('the rule', page.getByRole('link', { name: sentence }));
    await page.locator('mark[title^="Understood"]').first().waitFor();
    await page.locator('mark[title^="Not understood"]').first().waitFor();
  },

  async 'Investigate a blocked action'({ hand, set }) {
    const { page } = hand;
    await navigate(hand, 'Activity');
    const row = page
      .getByRole('row')
      .filter({ hasText: 'shell' })
      .filter({ hasText: set.owner.username })
      .first();
    await hand.press('the blocked action', row.getByRole('link').first());
    await heading(page, /^The call of shell was blocked: ./).waitFor();
    const main = page.locator('main');
    await main.getByText('rm -rf / --no-preserve-root').first().waitFor();
    await main.getByText(`for ${set.owner.username}`).waitFor();
    await main.getByRole('link', { name: 'Edit the rule' }).waitFor();
  },

  async 'Attach and try an MCP server'(work) {
    const { hand, set } = work;
    const { page } = hand;
    await openGateway(work);
    await button(hand, 'Attach a server');
    const form = page.getByRole('dialog', { name: 'Attach a server' });
    await hand.type(form.getByLabel('Name', { exact: true }), `Everything ${set.label}`);
    await hand.type(form.getByLabel('URL or command'), `"${process.execPath}" "${everything}" stdio`);
    await button(hand, 'Attach', form);
    await heading(page, `Everything ${set.label}`).waitFor();
    await button(hand, 'Try it');
    await page.getByText('answered', { exact: true }).waitFor();
  },

  async 'Approve a changed tool'({ hand, set }) {
    const { page } = hand;
    await hand.press(
      'the tool that has changed',
      page.getByRole('link', { name: new RegExp(`1 tool has changed at Gateway ${set.label}`) }),
    );
    const difference = page.getByRole('list', { name: 'Description of act' });
    await difference.getByText('− Does something').waitFor();
    await difference.getByText('+ Now also sends everything to its author').waitFor();
    await button(hand, 'Accept the change');
    await page.getByText('No tool has changed since it was first seen.').waitFor();
  },

  async 'Connect Claude Code'(work) {
    const { hand } = work;
    const { page } = hand;
    await openGateway(work);
    await hand.openTab('Connect a client');
    await button(hand, 'Make a key for it');
    await page.getByText(/^export BULWARK_API_KEY=blwk_/).waitFor();
    await hand.press('Copy', page.getByRole('button', { name: 'Copy for Claude Code' }));
    await page.getByText('Copied.').first().waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const [, key = '', url = ''] =
      /^export BULWARK_API_KEY=(\S+)\nclaude mcp add --transport http (?:--scope project )?\S+ (\S+) --header/.exec(
        copied,
      ) ?? [];
    const agent = await connectAgent(url, key);
    assert.ok((await agent.listTools()).tools.length > 0, copied);
    await agent.close();
  },

  async 'Rotate a key'({ hand, set, who }) {
    const { page } = hand;
    await navigate(hand, 'Settings');
    const name = `rotating ${set.label}`;
    await hand.press('Rotate', page.getByRole('button', { name: `Rotate ${name}` }));
    await button(hand, 'Make the new key');
    const shown = page.getByRole('dialog', { name: 'Your new key' });
    const key = (await shown.getByText(/^blwk_/).textContent()) ?? '';
    await button(hand, 'Copy', shown);
    await button(hand, 'Done', shown);
    await shown.waitFor({ state: 'detached' });
    const call = await callsOf(who);
    const { api_keys: keys } = await call('policy-guard', 'GET', '/api/api-keys');
    const both = keys.filter((each: { name: string }) => each.name === name);
    assert.equal(both.length, 2);
    const left = Date.parse(both[0].expires_at) - Date.now();
    assert.ok(left > 0 && left <= 86_400_000, 'the old one ends within a day');
    const answer = await fetch(`${session.url}/services/policy-guard/api/topic_guard`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ guard_uuid: set.guardId, text: 'What is on the menu today?' }),
    });
    assert.equal(answer.status, 200, await answer.text());
  },

  async 'Add a user who then works'({ hand, set }) {
    const { page } = hand;
    await navigate(hand, 'Settings');
    await navigate(hand, 'Users');
    await button(hand, 'New user');
    const username = `newcomer-${set.label.toLowerCase()}`;
    await hand.type(page.getByLabel('Username'), username);
    await hand.type(page.getByLabel('First password'), password);
    await button(hand, 'Create');
    await page.getByRole('row', { name: new RegExp(`^${username}`) }).waitFor();

    const theirs = await pageOf(account(username));
    await inNavigation(theirs, 'Inventory').click();
    await theirs.getByRole('link', { name: 'Shared guard' }).click();
    await theirs.getByLabel('Text to judge').fill('What is on the menu today?');
    await theirs.getByRole('button', { name: 'Ask', exact: true }).click();
    await theirs.getByText('passes', { exact: true }).waitFor();
    await theirs.context().close();
  },
};
const forAdministrators = new Set(['Add a user who then works']);

test('the guide has these ten jobs, none with more than six clicks', () => {
  assert.deepEqual([...documented.keys()], Object.keys(jobs));
  for (const [job, clicks] of documented)
    assert.ok(clicks.length > 0 && clicks.length <= mostClicks, `${job}: ${clicks.length} clicks`);
});

interface Run {
  readonly name: string;
  readonly who: Account;
  /** Of what the jobs are about. */
  readonly owner: Account;
  readonly label: string;
  readonly isAdmin: boolean;
  readonly handOn: (page: Page) => Hand;
}
const runs: readonly Run[] = [
  {
    name: 'by an administrator who owns nothing of it',
    who: people.second,
    owner: people.owner,
    label: 'Alpha',
    isAdmin: true,
    handOn: mouse,
  },
  {
    name: 'by a member',
    who: people.member,
    owner: people.member,
    label: 'Beta',
    isAdmin: false,
    handOn: mouse,
  },
  {
    name: 'by keyboard alone',
    who: people.typist,
    owner: people.typist,
    label: 'Gamma',
    isAdmin: true,
    handOn: keyboard,
  },
];
const sets = new Map<string, JobSet>();

for (const { name, who, owner, label, isAdmin, handOn } of runs)
  test(`the jobs are done with the clicks of the guide ${name}`, async (t) => {
    const set = await makeJobSet(session.url, label, owner);
    sets.set(label, set);
    const call = await callsOf(who);
    await call('policy-guard', 'POST', '/api/api-keys', { name: `rotating ${label}` });
    const page = await pageOf(who);
    for (const [job, run] of Object.entries(jobs))
      if (isAdmin || !forAdministrators.has(job))
        await t.test(job, async () => {
          await page.goto('/');
          await heading(page, 'Home').waitFor();
          const hand = handOn(page);
          await run({ hand, set, who });
          assert.deepEqual(hand.clicked, documented.get(job));
        });
    await page.context().close();
  });

test('a member of another tenant sees nothing of all this', async () => {
  const page = await pageOf(people.stranger);
  await page.getByText('Nothing waits for you.').waitFor();
  for (const [path, words] of [
    ['/activity', 'Nothing in this view'],
    ['/policies', 'No group yet'],
    ['/action-policies', 'No policy yet'],
    ['/gateways', 'No gateway yet'],
    ['/mcp-servers', 'No server yet'],
    ['/api-keys', 'No key yet'],
  ] as const) {
    await page.goto(path);
    await page.getByText(words).waitFor();
  }
  await page.goto('/guards');
  await heading(page, 'Guards').waitFor();
  await page.locator('main').getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  assert.doesNotMatch(
    (await page.locator('main').textContent()) ?? '',
    /Guard (Alpha|Beta|Gamma)|Shared guard/,
  );
  for (const { guardId, gatewayId, serverId } of sets.values())
    for (const path of [`/guards/${guardId}`, `/gateways/${gatewayId}`, `/mcp-servers/${serverId}`]) {
      await page.goto(path);
      await heading(page, 'This cannot be shown').waitFor();
    }
  for (const path of ['/users', '/audit']) {
    await page.goto(path);
    await page.getByRole('alert').first().waitFor();
  }
  const call = await openCalls(session.url, credentials);
  assert.ok(
    (await call('agent-gateway', 'GET', '/api/gateways?owner=all')).total >= runs.length,
    'there is something',
  );
});
