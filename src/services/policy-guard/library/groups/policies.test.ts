import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { labelId } from '#engine/text/label-ids.ts';
import { builtIn, refusal, startServer } from './fixtures/server.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const { first, colleague } = server;
const modelCard = readFileSync(join(import.meta.dirname, '../../../../../data/models/README.md'), 'utf8');

const newGroup = async (policies: { name: string }[] = []) =>
  (await first.createPolicyGroup({ body: { name: 'Group', policies } })).group_uuid;

test('a policy is added at the end, changed field by field and removed', async () => {
  const group_uuid = await newGroup([{ name: 'a' }, { name: 'b' }]);
  const params = { group_uuid };
  const raw = await server.send('POST', `/api/policy_groups/${group_uuid}/policies`, '{"name": "c"}');
  assert.equal(raw.status, 201);
  assert.deepEqual(
    { ...raw.body, _id: undefined, judged_by: undefined },
    {
      _id: undefined,
      judged_by: undefined,
      name: 'c',
      description: '',
      block_activities: [],
      safe_activities: [],
      enabled: true,
    },
  );
  const [a, , c] = (await first.getPolicyGroup({ params })).policies;
  assert.equal(c!._id, raw.body['_id']);

  await first.removePolicy({ params: { ...params, policy_id: a!._id } });
  const d = await first.addPolicy({
    params,
    body: {
      name: 'd',
      description: 'About d',
      block_activities: ['x'],
      safe_activities: ['y'],
      enabled: false,
    },
  });
  const changed = await first.changePolicy({
    params: { ...params, policy_id: d._id },
    body: { block_activities: ['x', 'z'] },
  });
  assert.deepEqual(changed, { ...d, block_activities: ['x', 'z'] });
  const group = await first.getPolicyGroup({ params });
  assert.deepEqual(
    group.policies.map(({ name }) => name),
    ['b', 'c', 'd'],
  );
  assert.equal(group.version, 5);
  for (const policy_id of [a!._id, 'no-such-policy', '0', '..%2f'])
    for (const call of [
      () => first.changePolicy({ params: { ...params, policy_id }, body: {} }),
      () => first.removePolicy({ params: { ...params, policy_id } }),
    ])
      assert.equal((await refusal(call())).status, 404);
});

test('policy names must be unique within a group', async () => {
  const group_uuid = await newGroup([{ name: 'same' }, { name: 'other' }]);
  const params = { group_uuid };
  const [same, other] = (await first.getPolicyGroup({ params })).policies;
  const twice = [{ name: 'twice' }, { name: 'twice' }];
  for (const call of [
    () => first.createPolicyGroup({ body: { name: 'Group', policies: twice } }),
    () => first.replacePolicyGroup({ params, body: { policies: twice } }),
    () => first.addPolicy({ params, body: { name: 'same' } }),
    () => first.changePolicy({ params: { ...params, policy_id: other!._id }, body: { name: 'same' } }),
  ]) {
    const { status, detail } = await refusal(call());
    assert.equal(status, 409);
    assert.match(detail, /"(?:same|twice)"/);
  }
  await first.changePolicy({ params: { ...params, policy_id: same!._id }, body: { name: 'same' } });
  assert.equal((await first.getPolicyGroup({ params })).version, 2);
});

test('each write is a history entry, newest first', async () => {
  const copied = await first.copyPolicyGroup({ params: { group_uuid: builtIn } });
  const params = { group_uuid: copied.group_uuid };
  const added = await first.addPolicy({ params, body: { name: 'Mine' } });
  const policy = { ...params, policy_id: added._id };
  await first.changePolicy({ params: policy, body: { name: 'Still mine' } });
  await first.replacePolicyGroup({ params, body: { threshold: 0.7 } });
  await first.removePolicy({ params: policy });

  const { history, total } = await first.getPolicyGroupHistory({ params });
  assert.equal(total, 5);
  assert.deepEqual(
    history.map(({ version, action }) => [version, action]),
    [
      [5, 'policy_deleted'],
      [4, 'updated'],
      [3, 'policy_updated'],
      [2, 'policy_added'],
      [1, 'copied'],
    ],
  );
  assert.deepEqual(
    history.map(({ summary }) => summary),
    [
      'Removed the policy "Still mine".',
      'Changed: threshold.',
      'Changed the policy "Mine", now "Still mine".',
      'Added the policy "Mine".',
      `Copied from "Default Policies" (${builtIn}, version 1).`,
    ],
  );
  const older = await first.getPolicyGroupHistory({ params, query: { limit: 2, offset: 3 } });
  assert.deepEqual([older.history.map(({ version }) => version), older.total], [[2, 1], 5]);
  assert.ok(history.every(({ changed_by }) => changed_by === 'user-first'));
  assert.equal(history[1]!.snapshot.threshold, 0.7);
  assert.equal(history[2]!.snapshot.threshold, 0.5);
  const { judged_by: _judgedBy, ...stored } = added;
  assert.deepEqual(history[3]!.snapshot.policies.at(-1), stored);
  const {
    group_uuid: _,
    owner_id: __,
    owner_name: ___,
    visibility: ____,
    version: _____,
    created_at: ______,
    updated_at,
    ...content
  } = await first.getPolicyGroup({ params });
  // How a policy is judged is not part of its history.
  const policies = content.policies.map(({ judged_by: _judged, ...policy }) => policy);
  assert.deepEqual(history[0]!.snapshot, { ...content, policies });
  assert.equal(history[0]!.changed_at, updated_at);

  for (let i = 0; i < 7; i++) await first.replacePolicyGroup({ params, body: {} });
  assert.equal((await first.getPolicyGroupHistory({ params })).history.length, 10);
  assert.equal((await first.getPolicyGroupHistory({ params, query: { limit: 100 } })).history.length, 12);
  const [latest] = (await first.getPolicyGroupHistory({ params, query: { limit: 1 } })).history;
  assert.equal(latest!.version, 12);
  for (const limit of ['0', '101', '-1', '1.5', 'ten'])
    assert.equal(
      (await server.send('GET', `/api/policy_groups/${params.group_uuid}/history?limit=${limit}`)).status,
      422,
    );
});

test('only the owner can read the history of a shared group; everyone can read that of the built-in group', async () => {
  const { group_uuid } = await first.createPolicyGroup({ body: { name: 'Draft' } });
  const params = { group_uuid };
  await first.replacePolicyGroup({ params, body: { is_template: true } });
  assert.equal((await colleague.getPolicyGroup({ params })).version, 2);
  assert.equal((await refusal(colleague.getPolicyGroupHistory({ params }))).status, 403);
  const { history, total } = await colleague.getPolicyGroupHistory({ params: { group_uuid: builtIn } });
  assert.equal(total, 1);
  assert.equal(history[0]!.changed_by, null);
  assert.equal(history[0]!.snapshot.policies.length, 9);
});

test('concurrent writes all succeed, each with its own version', async () => {
  const group_uuid = await newGroup();
  const params = { group_uuid };
  const names = Array.from({ length: 20 }, (_, i) => `policy ${i}`);
  await Promise.all([
    ...names.map((name) => first.addPolicy({ params, body: { name } })),
    ...names.slice(0, 5).map((name) => first.replacePolicyGroup({ params, body: { name } })),
  ]);
  const group = await first.getPolicyGroup({ params });
  assert.equal(group.version, 26);
  assert.deepEqual(new Set(group.policies.map(({ name }) => name)), new Set(names));
  const { history } = await first.getPolicyGroupHistory({ params, query: { limit: 100 } });
  assert.deepEqual(
    history.map(({ version }) => version),
    Array.from({ length: 26 }, (_, i) => 26 - i),
  );

  const same = await Promise.allSettled(
    Array.from({ length: 5 }, () => first.addPolicy({ params, body: { name: 'one of five' } })),
  );
  assert.equal(same.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a built-in policy and its copies say how well their detector judges, and on what it was measured', async () => {
  const copied = await first.copyPolicyGroup({ params: { group_uuid: builtIn } });
  for (const { name, judged_by: judgedBy } of copied.policies) {
    const { embedded } = judgedBy ?? {};
    assert.deepEqual([embedded?.kind, embedded?.measured_on], ['detector', 'public_data'], name);
    assert.ok(embedded !== undefined && embedded.interval.low < embedded.quality, name);
    assert.ok((embedded.source ?? '').length > 0 && (embedded.cases?.violating ?? 0) > 0, name);
    // As the model card says it: `| set | detector | pos | neg |`, AUROC, recall and false positives at .5.
    const row = modelCard
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .find(([, set, detector]) => set === embedded.source && detector === labelId(name));
    const figures = [3, 4, 6, 9, 10].map((column) => Number.parseFloat(row?.[column] ?? ''));
    assert.deepEqual(
      [
        embedded.cases?.violating,
        embedded.cases?.harmless,
        embedded.quality,
        embedded.found,
        embedded.near_flagged,
      ],
      figures,
      name,
    );
  }
});
