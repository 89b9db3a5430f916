import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtInGroup, openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, keys } = service;
const as = tokens.admin;

const cats = {
  name: 'Selling cats',
  description: 'Offers to sell cats.',
  block_activities: ['offering kittens for sale'],
  safe_activities: ['asking how to feed a cat'],
};
const { body: group } = await call('POST', '/api/policy_groups', {
  as,
  body: { name: 'Pets', policies: [cats] },
});
const groupPath = `/api/policy_groups/${group.group_uuid}`;
const [policy] = group.policies;
const casesPath = `${groupPath}/policies/${policy._id}/test_cases`;
const judge = (body: object, who = as) => call('POST', `${groupPath}/draft/judge`, { as: who, body });

const sale = { text: 'I am offering two kittens for sale, 200 euros each.', violates: true };
const parrot = { text: 'The old aquarium goes to whoever comes first on Saturday.', violates: true };
const feeding = { text: 'How often should I feed my cat?', violates: false };

test('test cases are kept with the policy, as many and as long as they may be', async () => {
  assert.deepEqual((await call('GET', casesPath, { as })).body, { test_cases: [] });
  const put = await call('PUT', casesPath, { as, body: { test_cases: [sale, feeding] } });
  assert.equal(put.status, 200);
  const added = await call('POST', casesPath, { as, body: { ...sale, violates: false } });
  assert.deepEqual(added.body.test_cases, [feeding, { ...sale, violates: false }], 'the new answer is taken');
  assert.deepEqual((await call('GET', casesPath, { as })).body.test_cases.length, 2);
  const refused = [
    { test_cases: [sale, sale] },
    { test_cases: [{ text: '  ', violates: true }] },
    { test_cases: [{ text: 'x'.repeat(5001), violates: true }] },
    { test_cases: Array.from({ length: 101 }, (_, i) => ({ text: `${i}`, violates: true })) },
  ];
  for (const body of refused) assert.equal((await call('PUT', casesPath, { as, body })).status, 422);
  const most = Array.from({ length: 100 }, (_, i) => ({ text: `${i}`, violates: true }));
  await call('PUT', casesPath, { as, body: { test_cases: most } });
  assert.equal((await call('POST', casesPath, { as, body: sale })).status, 409);
  assert.equal((await call('POST', casesPath, { as, body: most[3] ?? {} })).status, 200);
});

test('texts that are added at the same time are all there', async () => {
  await call('PUT', casesPath, { as, body: { test_cases: [] } });
  const texts = Array.from({ length: 10 }, (_, i) => `text ${i}`);
  await Promise.all(texts.map((text) => call('POST', casesPath, { as, body: { text, violates: true } })));
  const { body } = await call('GET', casesPath, { as });
  assert.deepEqual(body.test_cases.map(({ text }: { text: string }) => text).toSorted(), texts);
});

test('a draft is judged as it would be if it were saved, and nothing of it is saved', async () => {
  const draft = { ...cats, _id: policy._id, description: 'Offers to sell cats or birds.' };
  const { status, body } = await judge({ policy: draft, test_cases: [sale, feeding, parrot] });
  assert.equal(status, 200, JSON.stringify(body));
  const saved = await call('GET', groupPath, { as });
  assert.equal(saved.body.policies[0].description, cats.description);
  const { body: other } = await call('POST', '/api/policy_groups', {
    as,
    body: { name: 'The same, saved', policies: [{ ...draft, _id: undefined }] },
  });
  for (const [i, { text }] of [sale, feeding, parrot].entries()) {
    const tried = await call('POST', `/api/policy_groups/${other.group_uuid}/test`, { as, body: { text } });
    assert.equal(body.results[i].probability, tried.body.probs[cats.name], text);
    assert.equal(body.results[i].flagged, tried.body.flagged);
  }
  assert.deepEqual(
    body.results.slice(0, 2).map(({ outcome }: { outcome: string }) => outcome),
    ['found', 'passed'],
  );
  const off = await judge({ policy: { ...draft, enabled: false }, test_cases: [sale] });
  assert.equal(off.body.results[0].outcome, 'missed');
});

test('a case that is hardly right is near, and what is suggested makes it clear', async () => {
  const draft = { name: 'Pets', block_activities: ['offering kittens for sale'] };
  const ask = (threshold: number) => judge({ policy: draft, test_cases: [sale], suggest: true, threshold });
  const [{ probability }] = (await ask(0.5)).body.results;
  const threshold = Math.max(0.01, probability - 0.05);
  const { body } = await ask(threshold);
  assert.deepEqual([body.results[0].outcome, body.results[0].near], ['found', true]);
  for (const { activity, fixes } of body.suggestions) {
    assert.deepEqual(fixes, [0]);
    const policyWith = { ...draft, block_activities: [...draft.block_activities, activity] };
    const again = await judge({ policy: policyWith, test_cases: [sale], threshold });
    assert.equal(again.body.results[0].near, false);
  }
});

test('what is suggested for missed cases and false alarms does what it promises', async () => {
  const cases = [sale, feeding, parrot];
  const draft = { name: 'Pets', block_activities: ['trading in horses'] };
  const { body } = await judge({ policy: draft, test_cases: cases, suggest: true });
  const missed = body.results.flatMap(({ outcome }: { outcome: string }, i: number) =>
    outcome === 'missed' ? [i] : [],
  );
  assert.ok(missed.length > 0, JSON.stringify(body.results));
  const [best] = body.suggestions;
  assert.equal(best.list, 'block_activities');
  assert.ok(best.fixes.length > best.breaks.length);
  const improved = { ...draft, block_activities: [...draft.block_activities, best.activity] };
  const again = await judge({ policy: improved, test_cases: cases });
  for (const i of best.fixes) assert.equal(again.body.results[i].outcome, 'found', cases[i]?.text);
  const alarm = { text: 'Our horses are not for sale, we only trade in saddles.', violates: false };
  const strict = await judge({ policy: draft, test_cases: [alarm], suggest: true, threshold: 0.01 });
  assert.equal(strict.body.results[0].outcome, 'false_alarm');
  for (const { list } of strict.body.suggestions) assert.equal(list, 'safe_activities');
  const unasked = await judge({ policy: draft, test_cases: cases });
  assert.deepEqual(unasked.body.suggestions, []);
});

const replay = async (body: object, who = as) => {
  const answer = await call('POST', `${groupPath}/draft/replay`, { as: who, body });
  const events = String(answer.body)
    .split('\n\n')
    .filter((each) => each.includes('data:'))
    .map((each) => ({
      event: /event: (\w+)/.exec(each)?.[1],
      data: JSON.parse(/data: (.*)/.exec(each)?.[1] ?? '{}'),
    }));
  return { status: answer.status, result: events.find(({ event }) => event === 'result')?.data, events };
};

test('a replay tells what the draft would change in the traffic of the week, and of nobody else', async () => {
  const made = await call('POST', '/api/guards', {
    as,
    body: { name: 'Shop', policy_group_uuids: [group.group_uuid], settings: { log_requests: true } },
  });
  const other = await call('POST', '/api/guards', {
    as,
    body: { name: 'Other', policy_group_uuids: [builtInGroup], settings: { log_requests: true } },
  });
  const say = (text: string, guard = made.body.guard_uuid) =>
    call('POST', '/api/topic_guard', { key: keys.admin, body: { text, guard_uuid: guard } });
  for (const text of [sale.text, sale.text, feeding.text, parrot.text]) await say(text);
  await say('Something that another guard judged.', other.body.guard_uuid);
  const wide = { ...cats, _id: policy._id, block_activities: [...cats.block_activities, parrot.text] };
  const { status, result } = await replay({ policy: wide });
  assert.equal(status, 200);
  assert.deepEqual([result.scope, result.texts, result.is_complete], ['group', 3, true]);
  assert.deepEqual(
    [result.flagged_before, result.flagged_after, result.now_flagged, result.now_passing],
    [1, 2, 1, 0],
  );
  const [change] = result.changes;
  assert.deepEqual([change.text, change.now_flagged], [parrot.text, true]);
  assert.equal((await call('GET', `/api/queries/${change.query_id}`, { as })).status, 200);
  const off = await replay({ policy: { ...cats, _id: policy._id, enabled: false } });
  assert.equal(off.result.now_passing, 1);
  const same = await replay({ policy: { ...cats, _id: policy._id } });
  assert.deepEqual([same.result.now_flagged, same.result.now_passing], [0, 0]);
  const both = await Promise.all([replay({ policy: wide }), replay({ policy: wide })]);
  assert.deepEqual(
    both.map((each) => each.status).toSorted((a, b) => a - b),
    [200, 409],
  );
  assert.equal((await replay({ policy: wide })).status, 200, 'the next one may run');
});

test('drafts and test cases are for the owner and administrators', async () => {
  const body = { policy: cats, test_cases: [] };
  const { member, stranger } = tokens;
  assert.equal((await judge(body, member)).status, 404);
  assert.equal((await judge(body, stranger)).status, 404);
  assert.equal((await call('GET', casesPath, { as: stranger })).status, 404);
  await call('PUT', groupPath, { as, body: { visibility: 'tenant' } });
  for (const [method, path] of [
    ['GET', casesPath],
    ['POST', `${groupPath}/draft/judge`],
    ['POST', `${groupPath}/draft/replay`],
  ] as const) {
    const answer = await call(method, path, { as: member, ...(method === 'POST' && { body }) });
    assert.equal(answer.status, 403, path);
  }
  assert.equal((await call('GET', `${groupPath}/policies/nope/test_cases`, { as })).status, 404);
  const shipped = await call('POST', `/api/policy_groups/${builtInGroup}/draft/judge`, { as, body });
  assert.equal(shipped.status, 403);
});

test('enough test cases say how well their own policy is judged, anew after each change', async () => {
  const topics = [
    'two kittens',
    'a Siamese cat',
    'three young cats',
    'my old tomcat',
    'kittens from the farm',
    'a litter',
  ];
  const sales = topics.map((each) => ({
    text: `I am offering ${each} for sale, 200 euros.`,
    violates: true,
  }));
  const questions = topics.map((each) => ({ text: `What is the right food for ${each}?`, violates: false }));
  const embedded = async () => {
    const { body } = await call('GET', groupPath, { as });
    return body.policies[0].judged_by.embedded;
  };
  const measured = async (isMeasured = true) => {
    for (const until = Date.now() + 20_000; Date.now() < until; await sleep(20)) {
      const found = await embedded();
      if ((found.measured_on === 'test_cases') === isMeasured) return found;
    }
    throw new Error('not measured in time');
  };
  await call('PUT', casesPath, { as, body: { test_cases: [...sales, ...questions.slice(1)] } });
  await embedded();
  await sleep(300);
  assert.equal((await embedded()).measured_on, 'policies_alike', 'five of a kind are too few');

  await call('PUT', casesPath, { as, body: { test_cases: [...sales, ...questions] } });
  const right = await measured();
  assert.deepEqual(right.cases, { violating: 6, harmless: 6 });
  assert.ok(right.quality > 0.9, JSON.stringify(right));
  assert.ok(right.interval.low < 1 && right.interval.high === 1);
  assert.ok(right.near_flagged < 0.2, String(right.near_flagged));

  const turned = [...sales, ...questions].map(({ text, violates }) => ({ text, violates: !violates }));
  await call('PUT', casesPath, { as, body: { test_cases: turned } });
  // A measurement that had been asked for before may have been of these cases already.
  const next = await embedded();
  assert.ok(next.measured_on === 'policies_alike' || next.quality < 0.1, 'no figure of other cases is shown');
  // Who is right with these cases is wrong with them turned round.
  assert.ok(Math.abs((await measured()).quality - (1 - right.quality)) < 0.002);
  assert.equal((await measured()).near_flagged, right.found);

  await call('PUT', `${groupPath}/policies/${policy._id}`, { as, body: { description: 'Offers of cars.' } });
  assert.equal((await embedded()).measured_on, 'policies_alike', 'nor that of another wording');
  await measured();
});
