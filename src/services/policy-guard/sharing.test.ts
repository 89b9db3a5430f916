import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sharersOf, testSharing, type Attempt, type Who } from '../../../test/fixtures/sharing.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

const who = await sharersOf(call, tokens);

interface Kind {
  readonly path: string;
  readonly items: string;
  readonly id: string;
  /** The body to create one, without its visibility. */
  readonly body: object;
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
    items: 'policy_groups',
    id: 'group_uuid',
    body: { name: 'Shared group', policies: [policy] },
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
    items: 'guards',
    id: 'guard_uuid',
    body: { name: 'Shared guard', policy_group_uuids: [] },
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
async function useThing(kind: Kind, { status, read, change, label }: Attempt): Promise<void> {
  for (const [method, path, body] of kind.uses)
    assert.equal((await status(method, path, body)) < 300, read === 200, `${label} ${path}`);
  for (const [method, path, body] of kind.keeps) {
    const kept = await status(method, path, body);
    assert.ok(change === 200 ? kept < 300 || kept === 409 : kept === change, `${label} ${path} ${kept}`);
  }
}

for (const [name, kind] of Object.entries(kinds))
  testSharing(
    name,
    {
      ...kind,
      ownerName: 'owner_name',
      changeBy: 'PUT',
      listAll: ['?owner=all'],
      make: async (sent) => (await make(kind, sent))[kind.id] as string,
      more: (attempt) => useThing(kind, attempt),
    },
    call,
    who,
  );

test('without a visibility the default is private', async () => {
  for (const kind of Object.values(kinds)) assert.equal((await make(kind))['visibility'], 'private');
});

test('API keys cannot manage guards and groups', async () => {
  for (const kind of Object.values(kinds)) {
    const { status } = await call('GET', kind.path, { key: service.keys.admin });
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
