/** Exemplars through HTTP, on a real database, written by a scripted model. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadTextEngine } from '#engine/text/engine.ts';
import { openTestService, type TestService } from '../../fixtures/service.ts';
import {
  flags,
  guardOn,
  openWriting,
  readGroup,
  saveGroup,
  until,
  type Writing,
} from './fixtures/writing-service.ts';
import { nearMiss, paraphrase, tipping, writes } from './fixtures/written.ts';

/** Responds slowly, with nothing usable. */
const thinking = { always: { delayMs: 150, reply: '{"messages": []}' } };

let writing: Writing;
let service: TestService;
/** The group of the first test, whose exemplars are ready. */
let learned: { groupUuid: string; guard: string };

before(async () => {
  writing = await openWriting(writes());
  service = await writing.open();
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await writing[Symbol.asyncDispose]();
});

test('a policy learns cases its text does not mention, in every process, and is judged by the embedded engine', async () => {
  const { model } = writing;
  await using other = await writing.open();
  const group = await saveGroup(service, [tipping]);
  assert.deepEqual([group.policies[0].exemplars.status, group.version], ['pending', 1]);
  const guard = await guardOn(service, group.group_uuid);
  learned = { groupUuid: group.group_uuid, guard };
  await flags(service, guard, nearMiss);
  await flags(other, guard, nearMiss);

  const ready = await until(service, group.group_uuid, 'ready');
  assert.ok(ready.block >= 50 && ready.block <= 100, JSON.stringify(ready));
  assert.ok(ready.safe >= 50 && ready.safe <= 100, JSON.stringify(ready));
  assert.equal(ready.model, 'scripted');
  const asked = model.stats.requests.filter(({ messages }) =>
    messages[1]?.content.includes(tipping.description),
  );
  assert.equal(asked.length, 8, 'by only one of the processes, with no more requests than needed');
  assert.match(asked[0]!.messages[1]!.content, /<<<DATA [0-9a-f]{32}>>>/);
  assert.ok(!asked[0]!.messages[0]!.content.includes(tipping.name), 'the policy is data, not an instruction');

  const { calls } = model.stats;
  assert.equal(await flags(service, guard, paraphrase), true);
  assert.equal(await flags(service, guard, nearMiss), false);
  assert.equal(await flags(service, guard, 'How do I bake bread?'), false);
  for (let i = 0; i < 1000 && !(await flags(other, guard, `${paraphrase} ${i}`)); i++) await sleep(20);
  assert.equal(await flags(other, guard, paraphrase), true);
  assert.equal(model.stats.calls, calls);
  assert.equal((await readGroup(service, group.group_uuid)).version, 1, 'the group was not changed');
});

test('a copy has the exemplars at once, another tenant does not, and deleting the policy deletes them', async () => {
  const { db, model } = writing;
  const { calls } = model.stats;
  const copy = await service.call('POST', `/api/policy_groups/${learned.groupUuid}/copy`, {
    as: service.tokens.admin,
  });
  assert.equal(copy.body.policies[0].exemplars.status, 'ready');
  assert.equal(await flags(service, await guardOn(service, copy.body.group_uuid), paraphrase), true);
  assert.equal(model.stats.calls, calls);

  model.play(thinking);
  const elsewhere = await saveGroup(service, [tipping], service.tokens.stranger);
  assert.equal(elsewhere.policies[0].exemplars.status, 'pending');
  const { status } = await service.call('GET', `/api/policy_groups/${learned.groupUuid}`, {
    as: service.tokens.stranger,
  });
  assert.equal(status, 404);
  await service.call('DELETE', `/api/policy_groups/${elsewhere.group_uuid}`, { as: service.tokens.stranger });
  const [{ _id: id }] = copy.body.policies;
  await service.call('DELETE', `/api/policy_groups/${copy.body.group_uuid}/policies/${id}`, {
    as: service.tokens.admin,
  });
  const left = await db.query<{ tenants: number; n: number }>(
    'select count(distinct tenant_id) as tenants, count(*) as n from policy_guard.policy_exemplars',
  );
  assert.deepEqual(left, [{ tenants: 1, n: 1 }]);
});

test('changing a policy’s text discards its exemplars; other changes keep them', async () => {
  const { groupUuid, guard } = learned;
  writing.model.play(thinking);
  const [{ _id: id }] = (await readGroup(service, groupUuid)).policies;
  const path = `/api/policy_groups/${groupUuid}/policies/${id}`;
  const change = (body: object) => service.call('PUT', path, { as: service.tokens.admin, body });
  assert.equal((await change({ enabled: true })).body.exemplars.status, 'ready');
  assert.equal(await flags(service, guard, paraphrase), true);
  const before = await readGroup(service, groupUuid);
  assert.equal(
    (await change({ description: 'Personal recommendations of shares.' })).body.exemplars.status,
    'pending',
  );
  assert.equal(await flags(service, guard, paraphrase), false);
  const { history } = (
    await service.call('GET', `/api/policy_groups/${groupUuid}/history`, { as: service.tokens.admin })
  ).body;
  assert.equal(history[0].snapshot.policies[0].exemplars, undefined);
  writing.model.play(writes());
  const put = await service.call('PUT', `/api/policy_groups/${groupUuid}`, {
    as: service.tokens.admin,
    body: { policies: before.policies },
  });
  assert.equal(put.status, 200, 'a response can be sent back unchanged');
  await until(service, groupUuid, 'ready');
});

test('no exemplars are written for built-in and disabled policies', async () => {
  const { body } = await service.call(
    'POST',
    '/api/policy_groups/00000000-0000-4000-8000-000000000009/copy',
    {
      as: service.tokens.admin,
    },
  );
  assert.ok(
    body.policies.every((each: { exemplars: { status: string } }) => each.exemplars.status === 'none'),
  );
  const off = await saveGroup(service, [{ ...tipping, name: 'Off', enabled: false }]);
  assert.equal(off.policies[0].exemplars.status, 'none');
});

test('another engine version retrains from the stored exemplars, and without a model they stay as they are', async () => {
  writing.model.play(writes());
  const group = await saveGroup(service, [{ ...tipping, name: 'Share tips' }]);
  await until(service, group.group_uuid, 'ready');
  const guard = await guardOn(service, group.group_uuid);
  assert.equal(await flags(service, guard, paraphrase), true);
  const { calls } = writing.model.stats;
  const engine = await loadTextEngine();
  const newer = new Proxy(engine, {
    get: (target, name) => {
      if (name === 'version') return 'newer';
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  await using later = await openTestService({ db: writing.db, engine: newer });
  assert.equal((await readGroup(later, group.group_uuid)).policies[0].exemplars, undefined);
  for (let i = 0; i < 200 && !(await flags(later, guard, paraphrase)); i++) await sleep(20);
  assert.equal(await flags(later, guard, paraphrase), true);
  const copy = await later.call('POST', `/api/policy_groups/${group.group_uuid}/copy`, {
    as: later.tokens.admin,
  });
  assert.equal(await flags(later, await guardOn(later, copy.body.group_uuid), paraphrase), true);
  const [stored] = await writing.db.query(
    `select engine_version as version from policy_guard.policy_exemplars where policy_id = $1`,
    [group.policies[0]._id],
  );
  assert.deepEqual(stored, { version: 'newer' });
  assert.equal(writing.model.stats.calls, calls);
});
