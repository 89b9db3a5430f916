import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryCache } from '#base/cache/memory-cache.ts';
import { loadTextEngine } from '#engine/text/engine.ts';
import { builtInGroup, openTestService } from '../../fixtures/service.ts';
import { gardening, harmful, labelled, newGardening, sports } from './fixtures/examples.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, keys } = service;

const makeGuard = async (fields: object = {}, as = tokens.admin): Promise<string> =>
  (
    await call('POST', '/api/guards', {
      as,
      body: { name: 'G', policy_group_uuids: [builtInGroup], ...fields },
    })
  ).body.guard_uuid;
const path = (guard: string, rest = '') => `/api/guards/${guard}/adaptations${rest}`;
const adapt = (guard: string, body: object, as = tokens.admin) => call('POST', path(guard), { as, body });
const list = async (guard: string) => (await call('GET', path(guard), { as: tokens.admin })).body;
const scoreOf = async (guard: string, text: string, { on = service, key = keys.admin } = {}) => {
  const { status, body } = await on.call('POST', '/api/topic_guard', {
    key,
    body: { text, guard_uuid: guard },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.results[0].probs[harmful] as number;
};
const examples = labelled(harmful, { violating: gardening, harmless: sports });
const without = await scoreOf(await makeGuard(), newGardening);
assert.ok(without < 0.3, 'an unadapted guard does not flag the text');

test('a guard learns from labelled examples, reports the improvement, and other guards do not change', async () => {
  const guard = await makeGuard();
  const other = await makeGuard();
  const { status, body } = await adapt(guard, { examples });
  assert.equal(status, 201, JSON.stringify(body));
  const { adaptation_id, created_at, policies, ...rest } = body;
  assert.deepEqual(rest, { version: 1, active: true });
  assert.match(adaptation_id, /^[0-9a-f-]{36}$/);
  assert.match(created_at, /Z$/);
  const [learned, ...more] = policies;
  assert.deepEqual(more, []);
  const { before, after: afterwards, ...which } = learned;
  assert.deepEqual(which, {
    policy: harmful,
    policy_group_uuid: builtInGroup,
    policy_group_name: 'Default Policies',
    examples: examples.length,
  });
  assert.equal(before.recall, 0);
  assert.ok(afterwards.recall >= 0.7 && afterwards.f1 > before.f1, JSON.stringify(learned));
  assert.ok(afterwards.auroc > 0.9 && afterwards.false_positive_rate <= 0.2, JSON.stringify(learned));

  assert.ok((await scoreOf(guard, newGardening)) > 0.5, 'an unseen text');
  assert.equal(await scoreOf(other, newGardening), without);
  assert.equal((await call('GET', `/api/guards/${guard}`, { as: tokens.admin })).body.version, 2);
});

test('the active adaptation can be extended, replaced by an older one, turned off and deleted', async () => {
  const guard = await makeGuard();
  const { body: first } = await adapt(guard, { examples });
  const adapted = await scoreOf(guard, newGardening);
  const sent = [
    { text: gardening[0], policy: harmful, label: false },
    { text: 'The referee saw the foul too late.', policy: harmful, label: false },
  ];
  const { body: second } = await adapt(guard, { examples: sent, extend: true });
  assert.deepEqual([second.version, second.active], [2, true]);
  assert.equal(second.policies[0].examples, examples.length + 1, 'the text that was sent again counts once');
  const { body: detail } = await call('GET', path(guard, `/${second.adaptation_id}`), { as: tokens.admin });
  assert.deepEqual(
    detail.examples.slice(0, 2),
    sent.map((each) => ({ ...each, policy_group_uuid: builtInGroup })),
    'with its new label',
  );
  assert.equal(detail.examples.length, examples.length + 1);
  const extended = await scoreOf(guard, newGardening);
  assert.notEqual(extended, adapted);

  const { body: reverted } = await call('POST', path(guard, `/${first.adaptation_id}/activate`), {
    as: tokens.admin,
  });
  assert.deepEqual(reverted, { ...first, active: true });
  assert.equal(await scoreOf(guard, newGardening), adapted, 'at once, and exactly as it was');
  const removeOf = (id: string) => call('DELETE', path(guard, `/${id}`), { as: tokens.admin });
  assert.equal((await removeOf(first.adaptation_id)).status, 409);
  assert.equal((await removeOf(second.adaptation_id)).status, 200);
  assert.equal((await removeOf(second.adaptation_id)).status, 404);

  for (let time = 0; time < 2; time += 1)
    assert.equal((await call('DELETE', path(guard, '/active'), { as: tokens.admin })).status, 200);
  assert.equal(await scoreOf(guard, newGardening), without);
  assert.equal((await removeOf(first.adaptation_id)).status, 200);
  assert.deepEqual(await list(guard), { adaptations: [], total: 0 });
  const [left] = await service.db.query(
    'select count(*) as rows from policy_guard.adapted_policies where adaptation_id = $1',
    [first.adaptation_id],
  );
  assert.deepEqual(left, { rows: 0 });
  const { body: third } = await adapt(guard, { examples, activate: false });
  assert.deepEqual([third.version, third.active], [3, false], 'version numbers are not reused');
  assert.equal(await scoreOf(guard, newGardening), without);
});

test('a PUT keeps the adaptation; detaching a group leaves the adaptation of the others', async () => {
  const guard = await makeGuard();
  await adapt(guard, { examples });
  const adapted = await scoreOf(guard, newGardening);
  await call('PUT', `/api/guards/${guard}`, { as: tokens.admin, body: { name: 'Renamed' } });
  assert.equal(await scoreOf(guard, newGardening), adapted);
  await call('PUT', `/api/guards/${guard}`, { as: tokens.admin, body: { policy_group_uuids: [] } });
  const { body } = await call('POST', '/api/topic_guard', {
    key: keys.admin,
    body: { text: newGardening, guard_uuid: guard },
  });
  assert.deepEqual(body.results, []);
  const extended = await adapt(guard, { examples, extend: true });
  assert.equal(extended.status, 422);
});

test('custom and built-in policies can be adapted together; a name in two groups needs its group', async () => {
  const policy = {
    name: 'Rival',
    description: 'Talk about other football clubs',
    block_activities: ['rival clubs'],
  };
  const groups: string[] = [];
  for (const name of ['One', 'Two'])
    groups.push(
      (await call('POST', '/api/policy_groups', { as: tokens.admin, body: { name, policies: [policy] } }))
        .body.group_uuid,
    );
  const guard = await makeGuard({ policy_group_uuids: [builtInGroup, ...groups] });
  const rival = labelled('Rival', { violating: sports, harmless: gardening });
  const ambiguous = await adapt(guard, { examples: rival });
  assert.equal(ambiguous.status, 422);
  assert.match(ambiguous.body.detail, /'examples\[0\].policy' .*two groups.*policy_group_uuid/);
  const said = rival.map((each) => ({ ...each, policy_group_uuid: groups[1] }));
  const { status, body } = await adapt(guard, { examples: [...examples, ...said] });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(
    body.policies.map((each: Record<string, unknown>) => [each['policy'], each['policy_group_uuid']]),
    [
      [harmful, builtInGroup],
      ['Rival', groups[1]],
    ],
  );
  const { body: verdict } = await call('POST', '/api/topic_guard', {
    key: keys.admin,
    body: { text: 'The striker scored twice before the final whistle of the match.', guard_uuid: guard },
  });
  const [, one, two] = verdict.results;
  assert.ok(two.probs.Rival > 0.5 && two.probs.Rival > one.probs.Rival, JSON.stringify(verdict.results));
});

test('examples that cannot be used are refused with the reason', async () => {
  const guard = await makeGuard();
  const many = (count: number, change: (i: number) => object) =>
    Array.from({ length: count }, (_, i) => ({
      text: `text ${i}`,
      policy: harmful,
      label: i % 2 === 0,
      ...change(i),
    }));
  const wrong: [unknown, number, RegExp][] = [
    [undefined, 400, /'examples' is required/],
    [[], 422, /'examples' must have at least 1/],
    [many(7, () => ({})), 422, /7 different texts .* needs 8 to 500/],
    [many(20, (i) => ({ text: `text ${i % 4}` })), 422, /4 different texts/],
    [many(501, () => ({})), 422, /501 different texts/],
    [many(5001, () => ({})), 422, /'examples' must have at most 5000/],
    [many(10, () => ({ label: true })), 422, /label true; it needs at least one of each/],
    [many(10, () => ({ label: 'yes' })), 422, /'examples\[0\].label'/],
    [many(10, () => ({ text: '' })), 422, /'examples\[0\].text'/],
    [many(10, () => ({ text: 'a\u0000' })), 422, /'examples\[0\].text'/],
    [many(10, () => ({ text: 'x'.repeat(8_001) })), 422, /'examples\[0\].text' must have at most 8000/],
    [many(300, (i) => ({ text: `${i} `.repeat(2000) })), 422, /characters, earlier ones included/],
    [many(10, (i) => ({ text: `text ${i % 9}` })), 422, /'examples\[9\].text' was sent twice/],
    [many(10, () => ({ policy: 'Nope' })), 422, /'examples\[0\].policy' names the policy "Nope"/],
    [
      many(10, () => ({ policy_group_uuid: 'nope' })),
      422,
      /'examples\[0\].policy_group_uuid' names the group nope/,
    ],
  ];
  for (const [sent, status, detail] of wrong) {
    const answer = await adapt(guard, { examples: sent });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(answer.body.detail, detail);
  }
  assert.equal((await list(guard)).total, 0);
});

test('examples that differ only in case and spaces count once, in learning and in measuring', async () => {
  const guard = await makeGuard();
  const odd = (texts: readonly string[]) => texts.filter((_, i) => i % 2 === 1);
  const even = (texts: readonly string[]) => texts.filter((_, i) => i % 2 === 0);
  // Labels without any pattern: only a model that has seen the very text can know its label.
  const sent = labelled(harmful, {
    violating: [...odd(gardening), ...even(sports)],
    harmless: [...even(gardening), ...odd(sports)],
  });
  const loud = sent.map((each) => ({ ...each, text: `  ${each.text.toUpperCase().replaceAll(' ', '  ')} ` }));
  const { status, body } = await adapt(guard, { examples: [...sent, ...loud] });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.policies[0].examples, sent.length);
  assert.ok(body.policies[0].after.f1 < 0.8, JSON.stringify(body.policies[0]));
});

test('one example per label is enough to learn, but not to measure', async () => {
  const guard = await makeGuard();
  const few = labelled(harmful, { violating: gardening.slice(0, 1), harmless: sports });
  const { status, body } = await adapt(guard, { examples: few });
  assert.equal(status, 201);
  assert.equal(body.policies[0].after, null);
});

test('a guard’s adaptations are visible to its owner only', async () => {
  const guard = await makeGuard();
  const mine = (await adapt(guard, { examples })).body.adaptation_id as string;
  for (const as of [tokens.member, tokens.stranger])
    for (const [method, rest, body] of [
      ['POST', '', { examples }],
      ['GET', '', undefined],
      ['GET', `/${mine}`, undefined],
      ['POST', `/${mine}/activate`, undefined],
      ['DELETE', '/active', undefined],
      ['DELETE', `/${mine}`, undefined],
    ] as const)
      assert.equal((await call(method, path(guard, rest), { as, body })).status, 404, `${method} ${rest}`);
  const other = await makeGuard();
  for (const method of ['GET', 'DELETE'] as const)
    assert.equal((await call(method, path(other, `/${mine}`), { as: tokens.admin })).status, 404);
  assert.equal(
    (await call('POST', path(other, `/${mine}/activate`), { as: tokens.admin })).status,
    404,
    'an adaptation belongs to one guard',
  );
  assert.equal((await list(guard)).adaptations[0].active, true);
});

test('a guard keeps twenty adaptations, and deleting the guard deletes them', async () => {
  const guard = await makeGuard();
  const few = labelled(harmful, { violating: gardening.slice(0, 5), harmless: sports.slice(0, 5) });
  await service.db.query(
    `insert into policy_guard.adaptations (adaptation_id, guard_uuid, version, created_at)
      select gen_random_uuid(), $1, n, now() from generate_series(1, 19) n`,
    [guard],
  );
  await service.db.query(
    'update policy_guard.guards set last_adaptation_version = 19 where guard_uuid = $1',
    [guard],
  );
  assert.equal((await adapt(guard, { examples: few })).body.version, 20);
  const refused = await adapt(guard, { examples: few });
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /20 adaptations/);
  const { adaptations } = await list(guard);
  assert.deepEqual(
    adaptations.map((each: { version: number; active: boolean }) => [each.version, each.active]),
    Array.from({ length: 20 }, (_, i) => [20 - i, i === 0]),
  );
  await call('DELETE', `/api/guards/${guard}`, { as: tokens.admin });
  const [left] = await service.db.query(
    'select count(*) as rows from policy_guard.adaptations where guard_uuid = $1',
    [guard],
  );
  assert.deepEqual(left, { rows: 0 });
});

test('another process applies the adaptation within a second, and then from memory', async () => {
  let queries = 0;
  const counted = new Proxy(service.db, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (key === 'query') queries += 1;
        return (value as (...all: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  const cache = createMemoryCache({ maxEntries: 10, ttlSeconds: 60 });
  await using other = await openTestService({ db: counted, cache });
  const guard = await makeGuard({ settings: { cache_enabled: false } });
  assert.equal(await scoreOf(guard, newGardening, { on: other }), without);
  await adapt(guard, { examples });
  const endMs = Date.now() + 20_000;
  let score = without;
  while (score === without && Date.now() < endMs) score = await scoreOf(guard, newGardening, { on: other });
  assert.equal(score, await scoreOf(guard, newGardening));
  const before = queries;
  await scoreOf(guard, newGardening, { on: other });
  assert.ok(queries - before <= 1, 'no query but the metrics, which are written once a second');
});

test('another engine version retrains from the stored examples and stores the result', async () => {
  const guard = await makeGuard();
  const { body } = await adapt(guard, { examples });
  const versions = async () =>
    (
      await service.db.query<{ engine_version: string; head: { examples: number; bias: number } }>(
        'select engine_version, head from policy_guard.adapted_policies where adaptation_id = $1',
        [body.adaptation_id],
      )
    ).at(0);
  const learnedHere = await versions();
  await service.db.query(
    `update policy_guard.adapted_policies set engine_version = 'older',
      head = '{"examples":0,"priorWeight":0,"bias":-9,"weights":[]}' where adaptation_id = $1`,
    [body.adaptation_id],
  );
  const engine = await loadTextEngine();
  await using other = await openTestService({ db: service.db, engine });
  assert.equal(
    await scoreOf(guard, newGardening, { on: other }),
    await scoreOf(guard, newGardening),
    'never with the older engine’s result',
  );
  const endMs = Date.now() + 20_000;
  while ((await versions())?.engine_version === 'older' && Date.now() < endMs) await sleep(5);
  assert.deepEqual(await versions(), learnedHere);
});

test('guards adapted at the same moment all succeed, and other requests do not wait for them', async () => {
  const guard = await makeGuard();
  const many = Array.from({ length: 400 }, (_, i) => ({
    text: `${i}. ${[...gardening, ...sports].at(i % 28)} ${[...sports, ...gardening].at((i * 5) % 28)}`,
    policy: harmful,
    label: i % 28 < gardening.length,
  }));
  const learning = Promise.all([adapt(guard, { examples: many }), adapt(guard, { examples })]);
  let others = 0;
  let answered = false;
  void learning.then(() => (answered = true));
  while (!answered) {
    await sleep(1);
    await call('GET', '/health');
    others += 1;
  }
  // A count, not a time: the machine may be busy.
  assert.ok(others > 5, `${others} other calls were answered meanwhile`);
  const answers = await learning;
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
  const { adaptations } = await list(guard);
  assert.deepEqual(
    adaptations.map((each: { version: number; active: boolean }) => [each.version, each.active]),
    [
      [2, true],
      [1, false],
    ],
  );
});
