import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { calibrate, fitPlatt } from '#llm/calibration.ts';
import { about, openJudgingService, pastry } from '../judges/fixtures/judging-service.ts';

const judging = await openJudgingService();
after(() => judging[Symbol.asyncDispose]());
const { service, model, guard, ask } = judging;
const { call, tokens } = service;

const { guardUuid, groupUuid } = await guard([pastry]);
const { body: group } = await call('GET', `/api/policy_groups/${groupUuid}`, { as: tokens.admin });
const subject = { policy_group_uuid: groupUuid, policy_id: group.policies[0]._id };
const create = (examples: object[], as = tokens.admin) =>
  call('POST', '/api/judge/calibrations', { as, body: { ...subject, examples } });

/** An overconfident model: .9 where a third of the texts violate, .02 where none do. */
const overconfident = {
  rules: [
    about('cake', { verdict: { A: 0.85, B: 0.1, C: 0.05 } }),
    about('bread', { verdict: { A: 0.01, B: 0.02, C: 0.97 } }),
  ],
};
const examples = [
  ...Array.from({ length: 30 }, (_, i) => ({ text: `A cake, number ${i}.`, violates: i % 3 === 0 })),
  ...Array.from({ length: 30 }, (_, i) => ({ text: `Some bread, number ${i}.`, violates: false })),
];
const probability = async (text: string): Promise<number> =>
  (await ask(guardUuid, text)).results[0].probs.Pastry;

test('the model’s probabilities are calibrated to labelled examples at once, and the calibration can be reverted', async () => {
  model.play(overconfident);
  assert.equal(await probability('A cake.'), 0.9);
  const { status, body } = await create(examples);
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(
    [body.policy, body.model, body.version, body.in_force, body.method, body.examples],
    ['Pastry', 'scripted', 1, true, 'platt', 60],
  );
  assert.ok(body.error_after < body.error_before, JSON.stringify(body));
  const rows = examples.map(({ text, violates }) => ({
    probability: text.includes('cake') ? 0.9 : 0.02,
    positive: violates,
  }));
  const expected = calibrate(0.9, fitPlatt(rows));
  assert.ok(Math.abs((await probability('A cake.')) - expected) < 1e-5);
  assert.ok(Math.abs(expected - 1 / 3) < 0.1, 'a third of them do');

  const off = await call('POST', `/api/judge/calibrations/${body.calibration_id}/deactivate`, {
    as: tokens.admin,
  });
  assert.equal(off.body.in_force, false);
  assert.equal(await probability('A cake.'), 0.9);

  const again = await create([]);
  assert.deepEqual([again.body.version, again.body.method, again.body.error_before], [2, 'contextual', null]);
  assert.ok((await probability('Other bread.')) < 0.1, 'harmless texts stay harmless');
  await call('POST', `/api/judge/calibrations/${body.calibration_id}/activate`, { as: tokens.admin });
  const { body: list } = await call('GET', '/api/judge/calibrations', { as: tokens.admin });
  assert.deepEqual(
    list.calibrations.map((each: { version: number; in_force: boolean }) => [each.version, each.in_force]),
    [
      [2, false],
      [1, true],
    ],
  );
  assert.ok(Math.abs((await probability('A cake.')) - expected) < 1e-5);
});

test('concurrent calibrations of one policy become versions, and the last one is active', async () => {
  model.play(overconfident);
  const made = await Promise.all(Array.from({ length: 4 }, () => create([])));
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  const versions = made.map(({ body }) => body.version as number).sort((a, b) => a - b);
  assert.deepEqual(
    versions.map((version) => version - (versions[0] ?? 0)),
    [0, 1, 2, 3],
  );
  const { body: list } = await call('GET', '/api/judge/calibrations', { as: tokens.admin });
  const inForce = list.calibrations.filter((each: { in_force: boolean }) => each.in_force);
  assert.deepEqual(
    inForce.map((each: { version: number }) => each.version),
    [versions[3]],
  );
});

test('only administrators can calibrate, with examples of both labels, policies they can read', async () => {
  assert.equal((await create(examples, tokens.member)).status, 403);
  assert.equal((await create(examples, tokens.stranger)).status, 404);
  assert.equal((await create(examples.slice(0, 10))).status, 422);
  assert.equal((await create(examples.filter(({ violates }) => !violates))).status, 422);
  const { body } = await call('GET', '/api/judge/calibrations', { as: tokens.stranger });
  assert.equal(body.total, 0);
  const { body: mine } = await call('GET', '/api/judge/calibrations', { as: tokens.admin });
  const foreign = await call(
    'POST',
    `/api/judge/calibrations/${mine.calibrations[0].calibration_id}/activate`,
    { as: tokens.stranger },
  );
  assert.equal(foreign.status, 404);
  const unknown = await call('POST', '/api/judge/calibrations/nonsense/activate', { as: tokens.admin });
  assert.equal(unknown.status, 404);
});

test('when the model does not respond, nothing changes', async () => {
  model.play({ rules: [about('cake', { status: 404 })] });
  const fresh = examples.map((each) => ({ ...each, text: `${each.text} Again.` }));
  const { status } = await create(fresh);
  assert.equal(status, 502);
});
