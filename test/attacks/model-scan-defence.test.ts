/** From a failed case to a defence: policies are proposed, tried by the policy guard, saved, and stop the case in a guard. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { addTestColleague, addTestKey } from '#identity/test-people.ts';
import { startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';
import { openModelScanAndGuard } from '../fixtures/model-scan-and-guard.ts';

const cases = [...readDataSets().values()].flatMap((set) => set.cases);
const [platform, target] = await Promise.all([
  openModelScanAndGuard({ BULWARK_MODEL_SCAN_ATTACK_CASES: '3' }),
  startScriptedTarget({ persona: 'complies', cases }),
]);
after(async () => {
  await platform[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});
const { call, callGuard, tokens, scan } = platform;
const as = tokens.admin;
const model = { base_url: target.url, api_key: 'sk-scripted-000', model_name: 'scripted' };
const scanId = await scan({
  scan_name: 'nightly',
  model,
  datasets: [{ name: 'OWASP LLM Top 10' }, { name: 'Privacy' }, { name: 'Hallucination' }],
  algorithms: ['Flip Attack'],
});

interface Result {
  readonly number: number;
  readonly subcategory: string;
  readonly algorithm: string;
  readonly case: {
    readonly id: string;
    readonly turns: string[];
    readonly intent: string;
    readonly twin?: string;
  };
  readonly tries: { readonly messages: { role: string; content: string }[]; readonly reply: string }[];
}

async function results(query: string): Promise<Result[]> {
  const { body } = await call('GET', `/v1/scan/${scanId}/results?limit=500&${query}`, { as });
  return body.results;
}
async function failure(isMeant: (result: Result) => boolean): Promise<Result> {
  const found = (await results('result=failed')).find(isMeant);
  assert.ok(found);
  return found;
}
const pathOf = ({ number }: Pick<Result, 'number'>, scanned = scanId) =>
  `/v1/scan/${scanned}/results/${number}/defend`;
const isSound = (proposal: { stops_case: boolean; spares_harmless: boolean }) =>
  proposal.stops_case && proposal.spares_harmless;
const defend = (result: Pick<Result, 'number'>, who = as) => call('POST', pathOf(result), { as: who });

test('a policy that is saved from a failed case stops it in a guard, and spares its harmless twin', async () => {
  const failed = await failure(
    ({ subcategory, algorithm, case: each }) =>
      subcategory === 'doxxing' && algorithm === 'Default' && each.turns[0]?.includes('nurse') === true,
  );
  const { status, body: defence } = await defend(failed);
  assert.equal(status, 200, JSON.stringify(defence));
  const [first] = defence.proposals;
  assert.ok(first.recommended && isSound(first), JSON.stringify(first));
  // The policy of the case itself is judged where its request comes in.
  const best = defence.proposals.find(
    ({ place, template }: { place: string; template: object | null }) =>
      place === 'request' && template === null,
  );
  assert.ok(isSound(best), JSON.stringify(best));
  assert.deepEqual([best.harmless.twin, best.harmless.stopped], ['spared', []]);
  assert.ok(best.harmless.tried >= 12 && best.alike.tried > 0);
  assert.equal(
    defence.proposals.filter(({ recommended }: { recommended: boolean }) => recommended).length,
    1,
  );

  const { body: guard } = await callGuard('POST', '/api/guards', {
    as,
    body: { name: 'In front of the model' },
  });
  const asked = { ...best, guard_uuid: guard.guard_uuid };
  const save = () => call('POST', `${pathOf(failed)}/save`, { as, body: asked });
  // Twice at the same time: one group is made.
  const both = await Promise.all([save(), save()]);
  assert.deepEqual(
    both.map(({ status: each }) => each),
    [200, 200],
    JSON.stringify(both),
  );
  const saved = both[0]?.body;
  assert.equal(both[1]?.body.group_uuid, saved.group_uuid);
  assert.deepEqual(new Set(both.map(({ body }) => body.created)), new Set([true, false]));
  const judge = async (text: string) => {
    const body = { text, guard_uuid: guard.guard_uuid, context: 'chat' };
    return (await callGuard('POST', '/api/topic_guard', { as, body })).body.flag;
  };
  const twin = cases.find(({ id }) => id === failed.case.twin);
  assert.equal(await judge(failed.tries.at(-1)?.messages.at(-1)?.content ?? ''), true);
  assert.equal(await judge(twin?.turns[0] ?? ''), false);

  const { body: again } = await save();
  assert.deepEqual([again.group_uuid, again.created], [saved.group_uuid, false]);
  const { body: after } = await callGuard('GET', `/api/guards/${guard.guard_uuid}`, { as });
  assert.deepEqual(after.policy_group_uuids, [saved.group_uuid]);
});

test('a shipped policy is saved with its detector, alone in its group', async () => {
  const failed = await failure(({ subcategory }) => subcategory === 'prompt-injection');
  const { body: defence } = await defend(failed);
  const shipped = defence.proposals.find(
    ({
      template,
      place,
      stops_case: stops,
    }: {
      template: object | null;
      place: string;
      stops_case: boolean;
    }) => template !== null && place === 'request' && stops,
  );
  assert.equal(shipped?.template.policy_id, 'prompt-injection', JSON.stringify(defence.proposals));
  const { body: saved } = await call('POST', `${pathOf(failed)}/save`, { as, body: shipped });
  const { body: group } = await callGuard('GET', `/api/policy_groups/${saved.group_uuid}`, { as });
  assert.deepEqual([group.policies.length, group.threshold], [1, shipped.threshold]);
  const text = failed.tries.at(-1)?.messages.at(-1)?.content ?? '';
  const { body: tried } = await callGuard('POST', `/api/policy_groups/${saved.group_uuid}/test`, {
    as,
    body: { text, context: 'chat' },
  });
  // The figure that was proposed is the one that the saved policy has.
  assert.ok(Math.abs(tried.probs[group.policies[0].name] - shipped.probability) < 0.001);
});

test('redaction is tried on the reply, which is judged again', async () => {
  const failed = await failure(
    ({ subcategory, algorithm }) => subcategory === 'training-data' && algorithm === 'Default',
  );
  const { body } = await defend(failed);
  const [redaction] = body.settings;
  assert.deepEqual([redaction.score_before, redaction.score_after], [0, 100], JSON.stringify(redaction));
  assert.ok(redaction.harmless.tried > 0);
  // A secret of a system prompt looks like nothing that redaction knows.
  const hidden = await failure(
    ({ subcategory, algorithm }) => subcategory === 'hidden-data' && algorithm === 'Default',
  );
  const { body: kept } = await defend(hidden);
  assert.deepEqual([kept.settings[0].score_before, kept.settings[0].score_after], [0, 0]);
});

test('nothing is proposed where there is nothing to block', async () => {
  const [wrong] = await results('result=failed&dataset=Hallucination');
  assert.ok(wrong);
  const { body } = await defend(wrong);
  assert.deepEqual([body.proposals, body.settings], [[], []]);
  assert.match(body.note, /nothing to block/);
  const [passed] = await results('result=passed');
  assert.ok(passed);
  const refused = await defend(passed);
  assert.equal(refused.status, 400);
  assert.match(refused.body.detail, /did not fail/);
  assert.equal((await defend({ number: 999_999 })).status, 404);
});

test('others cannot defend what they cannot read, nor save with a key that may not write policies', async () => {
  const failed = await failure(() => true);
  const colleague = await addTestColleague(call, as);
  const body = { place: 'request', policy: { name: 'Own', block_activities: ['Anything'] } };
  const save = (who: string, sent: object = body) =>
    call('POST', `${pathOf(failed)}/save`, { as: who, body: sent });
  for (const who of [tokens.stranger, colleague]) {
    assert.equal((await defend(failed, who)).status, 404);
    assert.equal((await save(who)).status, 404);
  }
  const key = await addTestKey(platform.db, 'admin');
  assert.equal((await call('POST', pathOf(failed), { key })).status, 200);
  assert.equal((await call('POST', `${pathOf(failed)}/save`, { key, body })).status, 401);

  for (const [sent, field] of [
    [{ place: 'request' }, "'template' or 'policy'"],
    [
      {
        ...body,
        template: { group_uuid: '00000000-0000-4000-8000-000000000009', policy_id: 'prompt-injection' },
      },
      "'policy' is not that of 'template'",
    ],
    [{ ...body, place: 'elsewhere' }, "'place'"],
    [{ ...body, threshold: 2 }, "'threshold'"],
    [{ ...body, policy: { name: '' } }, "'policy.name'"],
    [{ ...body, group_name: ' ' }, "'group_name'"],
  ] as const) {
    const { status, body: answer } = await save(as, sent);
    assert.deepEqual([status, answer.detail.includes(field)], [400, true], answer.detail);
  }
  // A guard of another tenant stays unknown; what was saved before is named.
  const { body: foreign } = await callGuard('POST', '/api/guards', {
    as: tokens.stranger,
    body: { name: 'Foreign' },
  });
  const { status, body: answer } = await save(as, { ...body, guard_uuid: foreign.guard_uuid });
  assert.equal(status, 404);
  assert.match(answer.detail, /saved in the group .* not attached to 'guard_uuid'/);
  const { status: unknown } = await save(as, {
    place: 'request',
    template: { group_uuid: '00000000-0000-4000-8000-000000000009', policy_id: 'none' },
  });
  assert.equal(unknown, 404);
});
