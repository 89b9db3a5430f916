import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestDatabase } from '#base/db/testing.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { identityMigrations } from '#identity/migrations.ts';
import { gardening, labelled, newGardening, sports } from '../adaptations/fixtures/examples.ts';
import { builtInGroup, openTestService } from '../../fixtures/service.ts';
import { policyGuardMigrations } from '../../service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, keys } = service;

const clubs = {
  name: 'Rival clubs',
  description: 'Talk about other football clubs',
  block_activities: ['praising a rival football club', 'buying shirts of other clubs'],
  safe_activities: ['league tables'],
};

const makeGroup = async (fields: object = {}, as = tokens.admin) => {
  const { status, body } = await call('POST', '/api/policy_groups', {
    as,
    body: { name: 'Lab', policies: [clubs], ...fields },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};

const examples = labelled('Rival clubs', { violating: gardening, harmless: sports });
const optimize = (group: string, body: object = {}, as = tokens.admin) =>
  call('POST', `/api/policy_groups/${group}/optimize`, { as, body: { tier: 'high', examples, ...body } });
const read = async (job: string, as = tokens.admin) => call('GET', `/api/optimization_jobs/${job}`, { as });

/** Waits for a job to end, and returns it. */
async function ended(job: string) {
  for (let i = 0; i < 3000; i += 1) {
    const { body } = await read(job);
    if (body.finished_at !== null) return body;
    await sleep(20);
  }
  assert.fail('the job does not end');
}

async function done(group: string, body: object = {}) {
  const { status, body: queued } = await optimize(group, body);
  assert.equal(status, 202, JSON.stringify(queued));
  assert.equal(queued.status, 'queued');
  const job = await ended(queued.job_id);
  assert.equal(job.status, 'completed', JSON.stringify(job));
  assert.deepEqual([job.id, job.kind], [job.job_id, 'policy_optimization']);
  assert.ok(job.started_at !== null && job.progress.done === job.progress.total);
  return job;
}

const apply = (job: string, body: object = {}, as = tokens.admin) =>
  call('POST', `/api/optimization_jobs/${job}/apply`, { as, body });
const groupOf = async (group: string) =>
  (await call('GET', `/api/policy_groups/${group}`, { as: tokens.admin })).body;
const scoreOf = async (group: string, text = newGardening): Promise<number> => {
  const { status, body } = await call('POST', `/api/policy_groups/${group}/test`, {
    as: tokens.admin,
    body: { text },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.probs['Rival clubs'];
};

test('high: learns from examples, reports the result, and changes nothing before it is applied', async () => {
  const group = await makeGroup();
  const without = await scoreOf(group.group_uuid);
  const job = await done(group.group_uuid);
  assert.deepEqual(
    [job.tier, job.objective, job.progress, job.error, job.applied_version, job.group_version],
    ['high', 'f1', { done: 1, total: 1, step: 'Rival clubs' }, null, null, 1],
  );
  assert.equal(job.group_name, group.name);
  const [found, ...more] = job.policies;
  assert.deepEqual(more, []);
  assert.deepEqual(
    [found.policy, found.examples, found.violating, found.improves],
    ['Rival clubs', 28, 14, true],
  );
  assert.ok(found.after.f1 > found.before.f1 && found.after.auroc > 0.8, JSON.stringify(found.after));
  const { before: everydayBefore, after: everydayAfter } = found.everyday_flagged;
  // The lab promises no more than .03 above what was flagged before.
  assert.ok(everydayAfter <= everydayBefore + 0.03 && everydayAfter < 0.08, String(everydayAfter));
  assert.equal(found.curves.before.length, 51);
  assert.equal(found.curves.after.length, 51);
  assert.deepEqual(
    [found.curves.after[0].recall, found.curves.after[0].precision],
    [1, 0.5],
    'at the threshold 0 everything is flagged',
  );
  assert.ok(found.changed_total >= found.changed_examples.length && found.changed_total > 0);
  for (const { before, after: then } of found.changed_examples) assert.notEqual(before >= 0.5, then >= 0.5);
  assert.ok(found.proposal.learns_from_examples);
  assert.match(found.proposal.changes.join(' '), /learns from 28 examples/);
  assert.deepEqual([found.improves, found.kept_because], [true, null]);
  assert.equal(await scoreOf(group.group_uuid), without);
  assert.equal((await groupOf(group.group_uuid)).version, 1);
});

test('4 + 4 examples are accepted, measured with wide intervals, and neither learned from nor made to flag more', async () => {
  const group = await makeGroup();
  const few = labelled('Rival clubs', { violating: gardening.slice(0, 4), harmless: sports.slice(0, 4) });
  const job = await done(group.group_uuid, { examples: few, tier: 'max' });
  const [found] = job.policies;
  assert.deepEqual(
    [found.examples, found.few_examples, found.proposal.learns_from_examples],
    [8, true, false],
  );
  assert.ok(found.proposal.logit_shift <= 0, String(found.proposal.logit_shift));
  if (found.improves) assert.equal(found.kept_because, null);
  else assert.match(found.kept_because, /^(?:Nothing that was tried|What judges) .*\.$/);
  const { low, high } = found.before.intervals.recall;
  assert.ok(low <= found.before.recall && found.before.recall <= high && high - low > 0.4, `${low}..${high}`);
  const [whole] = (await done(group.group_uuid)).policies;
  assert.equal(whole.few_examples, false);
  const rocIs = whole.before.intervals.auroc;
  assert.ok(rocIs.low <= whole.before.auroc && whole.before.auroc <= rocIs.high);
});

test('applying writes a version that the history explains, and restoring an older version undoes it', async () => {
  const group = await makeGroup();
  const uuid = group.group_uuid;
  const without = await scoreOf(uuid);
  const job = await done(uuid);
  const { status, body: applied } = await apply(job.job_id);
  assert.equal(status, 200, JSON.stringify(applied));
  assert.equal(applied.version, 2);
  assert.match(applied.policies[0].tuning_id, /^[0-9a-f-]{36}$/);
  const tuned = await scoreOf(uuid);
  assert.ok(tuned > 0.5 && tuned > without, `${without} → ${tuned}`);
  assert.equal((await read(job.job_id)).body.applied_version, 2);

  const { body } = await call('GET', `/api/policy_groups/${uuid}/history`, { as: tokens.admin });
  assert.equal(body.history[0].action, 'optimized');
  assert.match(body.history[0].summary, /high, job [0-9a-f-]{36}.*"Rival clubs": It learns from 28 examples/);
  assert.equal(body.history[0].snapshot.policies[0].tuning_id, applied.policies[0].tuning_id);

  const again = await apply(job.job_id);
  assert.equal(again.status, 409);
  assert.match(again.body.detail, /has changed since/);

  const restore = (version: number, as = tokens.admin) =>
    call('POST', `/api/policy_groups/${uuid}/history/${version}/restore`, { as });
  assert.equal((await restore(9)).status, 404);
  assert.equal((await restore(1, tokens.stranger)).status, 404);
  const { body: back } = await restore(1);
  assert.equal(back.version, 3);
  assert.equal(back.policies[0].tuning_id, undefined);
  assert.equal(back.policies[0]._id, group.policies[0]._id);
  assert.equal(await scoreOf(uuid), without);
  assert.equal((await restore(2)).body.version, 4);
  assert.equal(await scoreOf(uuid), tuned, 'what was learned is restored with its version');
  const entries = await call('GET', `/api/policy_groups/${uuid}/history`, { as: tokens.admin });
  assert.deepEqual(
    entries.body.history
      .map((entry: { action: string; summary: string }) => [entry.action, entry.summary])
      .slice(0, 2),
    [
      ['restored', 'Restored version 2.'],
      ['restored', 'Restored version 1.'],
    ],
  );
});

test('the optimised policy is used by guards, kept by copies and edits, and corrected by adaptations', async () => {
  const { group_uuid: uuid } = await makeGroup();
  const guard = (
    await call('POST', '/api/guards', { as: tokens.admin, body: { name: 'G', policy_group_uuids: [uuid] } })
  ).body.guard_uuid;
  const ask = async (text: string): Promise<number> =>
    (await call('POST', '/api/topic_guard', { key: keys.admin, body: { text, guard_uuid: guard } })).body
      .results[0].probs['Rival clubs'];
  const without = await ask(newGardening);
  await apply((await done(uuid)).job_id);
  const tuned = await ask(newGardening);
  assert.ok(tuned > without);
  const { body: copy } = await call('POST', `/api/policy_groups/${uuid}/copy`, { as: tokens.admin });
  assert.equal(await scoreOf(copy.group_uuid), await scoreOf(uuid));
  await call('DELETE', `/api/guards/${guard}`, { as: tokens.admin });
  await call('DELETE', `/api/policy_groups/${uuid}`, { as: tokens.admin });
  assert.ok((await scoreOf(copy.group_uuid)) > without, 'without its original');
  const [policy] = copy.policies;
  const edited = await call('PUT', `/api/policy_groups/${copy.group_uuid}/policies/${policy._id}`, {
    as: tokens.admin,
    body: { enabled: true },
  });
  assert.equal(edited.body.tuning_id, policy.tuning_id);

  const another = (
    await call('POST', '/api/guards', {
      as: tokens.admin,
      body: { name: 'G', policy_group_uuids: [copy.group_uuid] },
    })
  ).body.guard_uuid;
  const { body: adaptation } = await call('POST', `/api/guards/${another}/adaptations`, {
    as: tokens.admin,
    body: { examples },
  });
  assert.ok(adaptation.policies[0].before.recall > 0.9, 'the lab’s result counts as part of the policy');
});

test('fast: shifts the operating point of a built-in policy, and a second run builds on the first', async () => {
  const { body: copy } = await call('POST', `/api/policy_groups/${builtInGroup}/copy`, { as: tokens.admin });
  const policy = 'Profanity and offensive language';
  const rude = [
    'you damn fool',
    'what the hell is that crap',
    'this is bullshit',
    'piss off',
    'stupid idiot',
  ];
  const said = labelled(policy, {
    violating: [...rude, ...rude.map((text) => `${text}, said my neighbour to the dog`)],
    harmless: [...sports, ...gardening],
  });
  const first = await done(copy.group_uuid, { tier: 'fast', examples: said });
  const [found] = first.policies;
  assert.equal(found.proposal.learns_from_examples, false);
  const { threshold, strictness_level: strictness, logit_shift: shift } = found.proposal;
  const levels: Record<string, number> = { low: -1, medium: 0, high: 1 };
  const logit = Math.log(threshold / (1 - threshold));
  assert.ok(
    Math.abs(logit - (levels[strictness] ?? 0) + shift) < 0.01,
    'threshold and strictness flag the same texts as the shift',
  );
  const { body: applied } = await apply(first.job_id, { policies: [policy] });
  assert.equal(applied.version, 2);
  const second = await done(copy.group_uuid, { tier: 'fast', examples: said });
  assert.equal((await apply(second.job_id, { policies: [policy] })).body.version, 3);
});

test('max: finds a better wording of a custom policy, and writes it when applied', async () => {
  const policy = {
    name: 'Plants',
    description: 'Anything about plants',
    block_activities: ['growing flowers', 'football and other ball games'],
  };
  const group = await makeGroup({ policies: [policy] });
  const job = await done(group.group_uuid, {
    tier: 'max',
    examples: labelled('Plants', { violating: gardening, harmless: sports }),
  });
  const { proposal } = job.policies[0];
  assert.ok(job.policies[0].improves);
  const { body } = await apply(job.job_id);
  assert.deepEqual(body.policies[0].block_activities, proposal.block_activities);
  assert.deepEqual(body.policies[0].safe_activities, proposal.safe_activities);
  assert.equal(body.policies[0].description, proposal.description);
});

test('a result learned by another engine version is retrained from its examples instead of being used', async () => {
  const { group_uuid: uuid } = await makeGroup();
  const without = await scoreOf(uuid);
  await apply((await done(uuid)).job_id);
  const tuned = await scoreOf(uuid);
  await service.db.query(
    `update policy_guard.policy_tunings set engine_version = 'older',
      head = '{"examples":1,"priorWeight":0,"bias":9,"weights":[]}' where group_uuid = $1`,
    [uuid],
  );
  await using other = await openTestService({ db: service.db });
  const there = async () =>
    (
      await other.call('POST', `/api/policy_groups/${uuid}/test`, {
        as: other.tokens.admin,
        body: { text: newGardening },
      })
    ).body.probs['Rival clubs'] as number;
  assert.equal(await there(), without, 'by its text only until it has been retrained');
  for (let i = 0; i < 1500 && (await there()) !== tuned; i += 1) await sleep(20);
  assert.ok(Math.abs((await there()) - tuned) < 1e-4);
});

test('a queued or running job can be cancelled, and then never ends in another status', async () => {
  const group = await makeGroup();
  const { body: queued } = await optimize(group.group_uuid, { tier: 'max' });
  const cancelled = await call('POST', `/api/optimization_jobs/${queued.job_id}/cancel`, {
    as: tokens.admin,
  });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  assert.equal(cancelled.body.status, 'cancelled');
  const again = await call('POST', `/api/optimization_jobs/${queued.job_id}/cancel`, { as: tokens.admin });
  assert.equal(again.status, 409);
  const refused = await apply(queued.job_id);
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /is cancelled/);
  // A later job runs, so the cancelled one does not block the queue, and its status is not overwritten.
  await done(group.group_uuid, { tier: 'fast' });
  assert.equal((await read(queued.job_id)).body.status, 'cancelled');
  const { body: list } = await call('GET', `/api/policy_groups/${group.group_uuid}/optimization_jobs`, {
    as: tokens.admin,
  });
  assert.equal(list.total, 2);
  assert.deepEqual(
    list.jobs.map((each: { status: string }) => each.status),
    ['completed', 'cancelled'],
  );
});

test('a job continues after its process has ended', async () => {
  await using db = await openTestDatabase([identityMigrations, runMigrations, policyGuardMigrations]);
  const first = await openTestService({ db });
  const ask = (on: typeof first, method: 'GET' | 'POST', url: string, body?: object) =>
    on.call(method, url, { as: on.tokens.admin, body });
  const group = (await ask(first, 'POST', '/api/policy_groups', { name: 'Lab', policies: [clubs] })).body;
  const path = `/api/policy_groups/${group.group_uuid}/optimize`;
  const { job_id: job } = (await ask(first, 'POST', path, { tier: 'high', examples })).body;
  const statusOf = async (on: typeof first) =>
    (await ask(on, 'GET', `/api/optimization_jobs/${job}`)).body.status as string;
  while ((await statusOf(first)) === 'queued') await sleep(1);
  await first[Symbol.asyncDispose]();
  await using second = await openTestService({ db });
  for (let i = 0; i < 3000 && (await statusOf(second)) !== 'completed'; i += 1) await sleep(20);
  assert.equal(await statusOf(second), 'completed');
});

test('a policy that cannot be optimised is refused by name', async () => {
  const group = await makeGroup();
  const wrong: [object, number, RegExp][] = [
    [{ tier: 'slow' }, 422, /'tier'/],
    [{ objective: 'luck' }, 422, /'objective'/],
    [{ examples: [] }, 422, /'examples' must have at least 1/],
    [{ examples: examples.slice(0, 7) }, 422, /7 different texts .* needs 8 to 500/],
    [{ examples: examples.slice(0, 14) }, 422, /all have the label true/],
    [
      { examples: examples.map((each) => ({ ...each, policy: 'Nope' })) },
      422,
      /"Nope", which the policy group/,
    ],
    [{ max_false_positive_rate: 2 }, 422, /'max_false_positive_rate'/],
  ];
  for (const [body, status, detail] of wrong) {
    const answer = await optimize(group.group_uuid, body);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(answer.body.detail, detail);
  }
  const certain = await makeGroup({ threshold: 1 });
  const extreme = await optimize(certain.group_uuid);
  assert.equal(extreme.status, 422);
  assert.match(extreme.body.detail, /'threshold'/);
  const shipped = await optimize(builtInGroup);
  assert.equal(shipped.status, 403);
});

test('jobs are visible to their owner only', async () => {
  const group = await makeGroup({ is_template: true });
  const job = await done(group.group_uuid, { tier: 'fast' });
  for (const as of [tokens.member, tokens.stranger]) {
    assert.equal((await read(job.job_id, as)).status, 404);
    assert.equal((await apply(job.job_id, {}, as)).status, 404);
    assert.equal((await call('POST', `/api/optimization_jobs/${job.job_id}/cancel`, { as })).status, 404);
  }
  const jobs = `/api/policy_groups/${group.group_uuid}/optimization_jobs`;
  assert.equal((await call('GET', jobs, { as: tokens.stranger })).status, 404);
  assert.equal((await call('GET', jobs, { as: tokens.member })).status, 403);
  assert.equal((await optimize(group.group_uuid, {}, tokens.stranger)).status, 404);
  assert.equal((await optimize(group.group_uuid, {}, tokens.member)).status, 403);
});

test('a user has at most five jobs in progress', async () => {
  const group = await makeGroup();
  const sent = await Promise.all(
    Array.from({ length: 8 }, () => optimize(group.group_uuid, { tier: 'max' })),
  );
  const queued = sent.filter(({ status }) => status === 202).map(({ body }) => body.job_id as string);
  const refused = sent.filter(({ status }) => status === 409);
  assert.ok(queued.length >= 5 && refused.length > 0, JSON.stringify(sent.map(({ status }) => status)));
  for (const job of queued) await call('POST', `/api/optimization_jobs/${job}/cancel`, { as: tokens.admin });
  for (const job of queued) await ended(job);
});
