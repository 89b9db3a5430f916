import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { databaseWith, openTestDatabase } from '#base/db/testing.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { builtIn, callers, migrations, startServer } from './fixtures/server.ts';

const db = await openTestDatabase([runMigrations, migrations]);
let queries = 0;
/** The same database, with its queries counted. */
const counted = databaseWith(db, {
  query: (...args) => {
    queries += 1;
    return db.query(...args);
  },
});
const server = await startServer({ db: counted });
const other = await startServer({ db });
after(async () => {
  await server[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});
const { first, feature } = server;

const countQueries = async (run: () => Promise<unknown>) => {
  const before = queries;
  await run();
  return queries - before;
};

async function eventually(check: () => Promise<boolean>) {
  const endMs = Date.now() + 20_000;
  while (!(await check())) {
    if (Date.now() > endMs) throw new Error('Not so within 20 seconds.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('groups are returned compiled, in the requested order, without disabled policies and unknown groups', async () => {
  const { group_uuid } = await first.createPolicyGroup({
    body: {
      name: 'Judged',
      threshold: 0.3,
      strictness_level: 'low',
      policies: [
        { name: 'on', block_activities: ['Promising returns on investments'] },
        { name: 'off', enabled: false },
      ],
    },
  });
  const foreign = await server.stranger.createPolicyGroup({ body: { name: 'Foreign' } });
  const unknown = '01900000-0000-7000-8000-000000000000';
  const asked = [unknown, group_uuid, 'nonsense', foreign.group_uuid, builtIn, group_uuid.toUpperCase()];
  const found = await feature.judgedGroups('tenant-one', asked);
  assert.deepEqual(
    found.map(({ groupUuid }) => groupUuid),
    [group_uuid, builtIn, group_uuid],
  );
  const { policies, ...rest } = found[0]!;
  assert.deepEqual(rest, {
    groupUuid: group_uuid,
    name: 'Judged',
    threshold: 0.3,
    strictnessLevel: 'low',
    version: 1,
  });
  assert.deepEqual(
    policies.map(({ name }) => name),
    ['on'],
  );
  const engine = await loadTextEngine();
  assert.equal(policies[0]!.compiled.engineVersion, engine.version);
  const hit = engine.analyse('Promising returns on investments');
  assert.ok(engine.score(hit, policies[0]!.compiled).probability > 0.5);
  assert.deepEqual(
    found[1]!.policies.map(({ id, compiled }) => [id, compiled.detector]),
    found[1]!.policies.map(({ id }) => [id, id]),
  );
  assert.equal(await countQueries(() => feature.judgedGroups('tenant-one', asked)), 0);
  assert.deepEqual(await feature.judgedGroups('tenant-two', [group_uuid]), []);
  assert.equal((await feature.judgedGroups('tenant-one', [group_uuid])).length, 1);
});

test('a write is visible to the next call in its own process, and in other processes after a notification', async () => {
  const { group_uuid } = await first.createPolicyGroup({ body: { name: 'v1' } });
  const params = { group_uuid };
  const here = async () => (await feature.judgedGroups('tenant-one', [group_uuid]))[0];
  const there = async () => (await other.feature.judgedGroups('tenant-one', [group_uuid]))[0];
  assert.equal((await here())!.version, 1);
  assert.equal((await there())!.version, 1);

  const added = await first.addPolicy({ params, body: { name: 'p' } });
  assert.equal((await here())!.version, 2);
  assert.equal((await here())!.policies.length, 1);
  await eventually(async () => (await there())!.version === 2);

  await first.changePolicy({ params: { ...params, policy_id: added._id }, body: { enabled: false } });
  assert.equal((await here())!.policies.length, 0);
  await first.deletePolicyGroup({ params });
  assert.equal(await here(), undefined);
  await eventually(async () => (await there()) === undefined);
});

test('without notifications a write of another process is visible within a second', async () => {
  let nowMs = Date.now();
  await using deaf = await startServer({
    clock: { now: () => nowMs },
    db: databaseWith(db, { listen: () => Promise.reject(new Error('no notifications')) }),
  });
  const { group_uuid } = await first.createPolicyGroup({ body: { name: 'v1' } });
  const name = async () => (await deaf.feature.judgedGroups('tenant-one', [group_uuid]))[0]?.name;
  assert.equal(await name(), 'v1');
  await first.replacePolicyGroup({ params: { group_uuid }, body: { name: 'v2' } });
  nowMs += 500;
  assert.equal(await name(), 'v1');
  nowMs += 500;
  assert.equal(await name(), 'v2');
  // Its own writes need no notification.
  await deaf.first.replacePolicyGroup({ params: { group_uuid }, body: { name: 'v3' } });
  assert.equal(await name(), 'v3');
  await deaf.first.deletePolicyGroup({ params: { group_uuid } });
  assert.equal(await name(), undefined);
});

test('copies of built-in policies keep their detector, through changes and further copies', async () => {
  const copy = await first.copyPolicyGroup({ params: { group_uuid: builtIn } });
  const slugs = (await first.getPolicyGroup({ params: { group_uuid: builtIn } })).policies.map(
    ({ _id }) => _id,
  );
  const detectors = async (group_uuid: string) =>
    (await feature.judgedGroups('tenant-one', [group_uuid]))[0]!.policies.map(
      ({ compiled }) => compiled.detector,
    );
  assert.deepEqual(await detectors(copy.group_uuid), slugs);
  await first.changePolicy({
    params: { group_uuid: copy.group_uuid, policy_id: copy.policies[0]!._id },
    body: { name: 'Renamed' },
  });
  await first.replacePolicyGroup({
    params: { group_uuid: copy.group_uuid },
    body: { policies: [...copy.policies.slice(0, 3), { name: 'Own' }] },
  });
  assert.deepEqual(await detectors(copy.group_uuid), [...slugs.slice(0, 3), undefined]);
  const second = await first.copyPolicyGroup({ params: { group_uuid: copy.group_uuid } });
  assert.deepEqual(await detectors(second.group_uuid), [...slugs.slice(0, 3), undefined]);
});

test('policies compiled by another engine version are compiled again, once', async () => {
  const { group_uuid } = await first.createPolicyGroup({
    body: { name: 'Old', policies: [{ name: 'a' }, { name: 'b' }] },
  });
  const engine = await loadTextEngine();
  let compiled = 0;
  const newer = {
    version: 'newer',
    analysePieces: engine.analysePieces.bind(engine),
    score: engine.score.bind(engine),
    compile: (source: Parameters<typeof engine.compile>[0]) => {
      compiled += 1;
      return { ...engine.compile(source), engineVersion: 'newer' };
    },
  };
  const load = async () => {
    await using process = await startServer({ db, engine: newer });
    compiled = 0;
    const [group] = await process.feature.judgedGroups('tenant-one', [group_uuid]);
    assert.equal(group!.version, 1);
    assert.ok(group!.policies.every((policy) => policy.compiled.engineVersion === 'newer'));
    return compiled;
  };
  assert.equal(await load(), 2);
  await eventually(async () => (await load()) === 0);
});

test('a group that changes while it is loading is not cached in its old version', async () => {
  const { group_uuid } = await first.createPolicyGroup({ body: { name: 'v1' } });
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using slow = await startServer({
    db: databaseWith(db, {
      async query<R extends Record<string, unknown>>(sql: string, params?: readonly unknown[]) {
        const rows = await db.query<R>(sql, params);
        if (sql.includes('engineVersion')) await held;
        return rows;
      },
    }),
  });
  const early = slow.feature.judgedGroups('tenant-one', [group_uuid]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await slow.first.replacePolicyGroup({ params: { group_uuid }, body: { name: 'v2' } });
  release?.();
  await early;
  assert.equal((await slow.feature.judgedGroups('tenant-one', [group_uuid]))[0]!.name, 'v2');
});

test('own groups and templates can be attached, others cannot', async () => {
  const own = await first.createPolicyGroup({ body: { name: 'Own' } });
  const shared = await server.colleague.createPolicyGroup({ body: { name: 'Shared', is_template: true } });
  const hidden = await server.colleague.createPolicyGroup({ body: { name: 'Hidden' } });
  const foreign = await server.stranger.createPolicyGroup({ body: { name: 'Foreign', is_template: true } });
  const asked = [own, shared, hidden, foreign].map(({ group_uuid }) => group_uuid);
  assert.deepEqual(
    await feature.attachable(callers.first, [...asked, builtIn, 'nonsense']),
    new Set([own.group_uuid, shared.group_uuid, builtIn]),
  );
  assert.deepEqual(await feature.attachable(callers.first, []), new Set());
});
