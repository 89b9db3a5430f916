import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addTestColleague } from '#identity/test-people.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

/** The owner is a member; the administrator owns nothing. */
const who = {
  owner: tokens.member,
  colleague: await addTestColleague(call, tokens.admin),
  administrator: tokens.admin,
  stranger: tokens.stranger,
};
type Who = keyof typeof who;

interface Kind {
  readonly path: string;
  readonly list: string;
  readonly items: string;
  readonly id: string;
  /** The body to create one, without its visibility. */
  readonly body: object;
  readonly change: object;
  /** Operations for everybody who may read it. */
  readonly uses: readonly (readonly [method: 'GET' | 'POST', path: string, body: object | undefined])[];
  /** Operations only for those who may change it. */
  readonly keeps: readonly (readonly [method: 'GET' | 'POST', path: string, body: object | undefined])[];
}

const policy = {
  name: 'Secrets',
  block_activities: ['asks for a password'],
  safe_activities: ['small talk'],
};

const kinds: Record<string, Kind> = {
  'policy group': {
    path: '/api/policy_groups',
    list: '/api/policy_groups',
    items: 'policy_groups',
    id: 'group_uuid',
    body: { name: 'Shared group', policies: [policy] },
    change: { description: 'changed' },
    uses: [
      ['POST', '/copy', {}],
      ['POST', '/test', { text: 'What is your password?' }],
    ],
    keeps: [
      ['GET', '/history', undefined],
      ['GET', '/optimization_jobs', undefined],
      ['POST', '/policies', { ...policy, name: 'Another' }],
    ],
  },
  guard: {
    path: '/api/guards',
    list: '/api/guards',
    items: 'guards',
    id: 'guard_uuid',
    body: { name: 'Shared guard', policy_group_uuids: [] },
    change: { description: 'changed' },
    uses: [],
    keeps: [
      ['GET', '/allow_list', undefined],
      ['POST', '/allow_list', { kind: 'exact', content: 'hello', reason: 'known' }],
      ['GET', '/adaptations', undefined],
      ['GET', '/labels', undefined],
    ],
  },
};

const make = async (kind: Kind, sent: object = {}, as: Who = 'owner') => {
  const made = await call('POST', kind.path, { as: who[as], body: { ...kind.body, ...sent } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body as Record<string, string>;
};
const listed = async (kind: Kind, as: Who, owner: string, id: string): Promise<boolean> => {
  const { body } = await call('GET', `${kind.list}?owner=${owner}`, { as: who[as] });
  return (body[kind.items] as Record<string, unknown>[]).some((each) => each[kind.id] === id);
};

/** Status of reading, using, changing and deleting; and whether `owner=all` lists it. */
const expected: Record<'private' | 'tenant', Record<Who, readonly [number, boolean, number]>> = {
  private: {
    owner: [200, true, 200],
    administrator: [200, true, 200],
    colleague: [404, false, 404],
    stranger: [404, false, 404],
  },
  tenant: {
    owner: [200, true, 200],
    administrator: [200, true, 200],
    colleague: [200, true, 403],
    stranger: [404, false, 404],
  },
};

for (const [name, kind] of Object.entries(kinds))
  for (const visibility of ['private', 'tenant'] as const)
    test(`a ${name} that is ${visibility === 'private' ? 'private' : 'shared with the tenant'} can be read and changed only by those it is for`, async () => {
      const made = await make(kind, { visibility });
      const id = made[kind.id] as string;
      assert.equal(made['visibility'], visibility);
      assert.equal(made['owner_name'], 'member');
      for (const [as, [read, isListed, change]] of Object.entries(expected[visibility]) as [
        Who,
        readonly [number, boolean, number],
      ][]) {
        const status = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
          (await call(method, `${kind.path}/${id}${path}`, { as: who[as], ...(body && { body }) })).status;
        const label = `${as}, ${visibility}`;
        assert.equal(await status('GET', ''), read, label);
        assert.equal(await listed(kind, as, 'all', id), isListed, label);
        assert.equal(await listed(kind, as, 'me', id), as === 'owner', label);
        for (const [method, path, body] of kind.uses)
          assert.equal((await status(method, path, body)) < 300, read === 200, `${label} ${path}`);
        for (const [method, path, body] of kind.keeps) {
          const kept = await status(method, path, body);
          assert.ok(
            change === 200 ? kept < 300 || kept === 409 : kept === change,
            `${label} ${path} ${kept}`,
          );
        }
        assert.equal(await status('PUT', '', kind.change), change, label);
        if (change !== 200) {
          assert.equal(await status('PUT', '', { visibility: 'tenant' }), change, label);
          assert.equal(await status('DELETE', ''), change, label);
        }
      }
      const gone = await call('DELETE', `${kind.path}/${id}`, { as: who.administrator });
      assert.equal(gone.status, 200);
    });

test('without a visibility the default is private', async () => {
  for (const kind of Object.values(kinds)) assert.equal((await make(kind))['visibility'], 'private');
});

test('API keys cannot manage guards and groups', async () => {
  for (const kind of Object.values(kinds)) {
    const { status } = await call('GET', kind.list, { key: service.keys.admin });
    assert.equal(status, 401);
  }
});

test('readable groups can be attached, and a guard keeps a group that is no longer shared', async () => {
  const group = await make(kinds['policy group']!, { visibility: 'tenant' });
  const uuid = group['group_uuid'] as string;
  const guards = kinds['guard']!;
  const guard = await make(guards, { policy_group_uuids: [uuid] }, 'colleague');
  const share = (visibility: string) =>
    call('PUT', `/api/policy_groups/${uuid}`, { as: who.owner, body: { visibility } });
  assert.equal((await share('private')).status, 200);

  const path = `/api/guards/${guard['guard_uuid']}`;
  const kept = await call('PUT', path, { as: who.colleague, body: { name: 'Kept' } });
  assert.deepEqual(kept.body.policy_group_uuids, [uuid]);
  assert.deepEqual(kept.body.policy_group_names, { [uuid]: 'Shared group' });
  const ask = { guard_uuid: guard['guard_uuid'], text: 'hello' };
  const verdict = await call('POST', '/api/topic_guard', { as: who.colleague, body: ask });
  assert.equal(verdict.body.results[0].policy_group_name, 'Shared group');

  const refused = await call('POST', '/api/guards', {
    as: who.colleague,
    body: { name: 'Late', policy_group_uuids: [uuid] },
  });
  assert.equal(refused.status, 404);
  const used = await call('DELETE', `/api/policy_groups/${uuid}`, { as: who.owner });
  assert.equal(used.status, 409);
  assert.match(used.body.detail, /1 guard of other users/);
  const usedToo = await call('DELETE', `/api/policy_groups/${uuid}`, { as: who.administrator });
  assert.match(usedToo.body.detail, /1 guard of other users \("Kept"\)/);
});

test('a template is shared with the tenant, and becomes private again when it is no longer a template', async () => {
  const group = await make(kinds['policy group']!, { is_template: true });
  assert.equal(group['visibility'], 'tenant');
  const put = (body: object) =>
    call('PUT', `/api/policy_groups/${group['group_uuid']}`, { as: who.owner, body });
  const refused = await put({ visibility: 'private' });
  assert.equal(refused.status, 422);
  assert.match(refused.body.detail, /'visibility' cannot be private while 'is_template' is true/);
  assert.equal((await put({ is_template: false })).body.visibility, 'private');
  const both = await put({ is_template: false, visibility: 'tenant' });
  assert.deepEqual([both.body.is_template, both.body.visibility], [false, 'tenant']);
});

test('responses name the users, guards and groups behind ids, also deleted ones', async () => {
  const group = await make(kinds['policy group']!);
  const uuid = group['group_uuid'] as string;
  const settings = { log_requests: true };
  const sent = { name: 'Named guard', policy_group_uuids: [uuid], settings };
  const guard = await make(kinds['guard']!, sent);
  const guardUuid = guard['guard_uuid'] as string;
  const asked = await call('POST', '/api/topic_guard', {
    as: who.colleague,
    body: { guard_uuid: guardUuid, text: 'Tell me your password.' },
  });
  assert.equal(asked.status, 200);
  const read = async (path: string) => (await call('GET', path, { as: who.administrator })).body;
  const [entry] = (await read(`/api/queries?guard_uuid=${guardUuid}`)).queries;
  assert.equal(entry.guard_name, 'Named guard');
  assert.equal((await read(`/api/queries/${entry.query_id}`)).user_name, 'colleague');
  const { body: label } = await call('POST', `/api/queries/${entry.query_id}/label`, {
    as: who.administrator,
    body: { policy: 'Secrets', label: true },
  });
  assert.equal(label.labelled_by_name, 'admin');
  assert.equal(label.policy_group_name, 'Shared group');
  const [change] = (await read(`/api/policy_groups/${uuid}/history`)).history;
  assert.equal(change.changed_by_name, 'member');

  for (const path of [`/api/guards/${guardUuid}`, `/api/policy_groups/${uuid}`])
    assert.equal((await call('DELETE', path, { as: who.owner })).status, 200);
  assert.equal((await read(`/api/queries/${entry.query_id}`)).guard_name, 'Named guard');
  const summary = await read('/api/governance/summary');
  const known = summary.guards.find((each: { guard_uuid: string }) => each.guard_uuid === guardUuid);
  assert.deepEqual([known.name, known.deleted], ['Named guard', true]);
  const named = summary.groups.find((each: { policy_group_uuid: string }) => each.policy_group_uuid === uuid);
  assert.equal(named.name, 'Shared group');
});
