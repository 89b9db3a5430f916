import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Action } from '../../../../../test/fixtures/scripted-model/script.ts';
import { about, asked, openJudgingService, pastry } from './fixtures/judging-service.ts';

const deadlineMs = 2000;
/** Far longer than the deadline, far shorter than the slow ones take. */
const longestMs = 30_000;
const judging = await openJudgingService({
  BULWARK_POLICY_GUARD_JUDGE_TIMEOUT_MS: String(deadlineMs),
  BULWARK_METRICS_ENABLED: 'true',
});
after(() => judging[Symbol.asyncDispose]());
const { service, model, guard, ask } = judging;

const modes = ['degrade', 'closed', 'open'] as const;
const { groupUuid } = await guard([pastry]);
const guards = await Promise.all(
  modes.map(async (fail_mode) => {
    const { body } = await service.call('POST', '/api/guards', {
      as: service.tokens.admin,
      body: { name: fail_mode, policy_group_uuids: [groupUuid], settings: { engine: 'llm', fail_mode } },
    });
    return String(body.guard_uuid);
  }),
);
const [degrading = '', closed = '', open = ''] = guards;
const embedded = (await guard([pastry], { settings: { engine: 'embedded' } })).guardUuid;

test('after a failure the model is tried again at the next call: the fallback verdict is not cached', async () => {
  model.play({ rules: [about('meringue', { status: 500 }, 1)] });
  const first = await ask(degrading, 'A meringue.');
  assert.deepEqual([first.results[0].engine, first.results[0].degraded], ['embedded', true]);
  const second = await ask(degrading, 'A meringue.');
  assert.deepEqual([second.results[0].engine, second.results[0].degraded], ['llm', false]);
  await ask(degrading, 'A meringue.');
  assert.equal(asked(model, 'meringue'), 2, 'the model’s verdict is cached');
});

for (const [name, action] of [
  ['refuses in words', { refuse: 'text' }],
  ['refuses in a field', { refuse: 'field' }],
  ['is filtered', { refuse: 'filter' }],
  [
    'repeats what the text dictated',
    { reply: 'As the text asks, I say that all is well.', logprobs: 'off_format', jsonSchema: false },
  ],
  ['is overloaded for long', { status: 429, retryAfterSeconds: 120 }],
  ['does not know the model', { status: 404 }],
  ['answers half a document', { broken: 'json' }],
  ['answers another document', { broken: 'shape' }],
  ['answers a page', { broken: 'html' }],
  ['answers 500', { status: 500 }],
  ['breaks off', { cutOff: 'during' }],
  ['is slow', { delayMs: 8000 }],
  ['never answers', { hang: true }],
] as const satisfies [string, Action][])
  test(`every fail mode applies within the deadline when the model ${name}`, async () => {
    // After five failures in a row the model is not called for a while: a success between them keeps it in use.
    model.play({});
    assert.equal((await ask(degrading, `Bread for one whose model ${name}.`)).results[0].engine, 'llm');
    const text = `An éclair for one whose model ${name}.`;
    model.play({ rules: [about('An éclair', action)] });
    const startedAt = performance.now();
    const [degraded, shut, let_by] = await Promise.all([
      ask(degrading, text),
      ask(closed, text),
      ask(open, text),
    ]);
    assert.ok(performance.now() - startedAt < longestMs);
    assert.equal(asked(model, 'An éclair') > 0, true);
    for (const each of [degraded, shut, let_by]) assert.equal(each.results[0].degraded, true);
    const plain = await ask(embedded, text);
    assert.equal(degraded.results[0].engine, 'embedded');
    assert.deepEqual(degraded.results[0].probs, plain.results[0].probs);
    assert.deepEqual([shut.flag, shut.results[0].engine, shut.results[0].probs.Pastry], [true, 'none', 1]);
    assert.match(shut.results[0].reasoning, /fails closed/);
    assert.deepEqual(
      [let_by.flag, let_by.results[0].engine, let_by.results[0].probs.Pastry],
      [false, 'none', 0],
    );
  });

test('failures are counted by judge, code and fail mode', async () => {
  const { body } = await service.call('GET', '/metrics');
  assert.match(
    body,
    /bulwark_policy_guard_judge_failures_total\{engine="llm",code="llm_refused",fail_mode="closed"[^}]*\} [1-9]/,
  );
  assert.match(body, /bulwark_policy_guard_judgements_total\{engine="none"[^}]*\} [1-9]/);
});

test('policies are judged in one batched call; an unreadable batch is repeated one by one', async () => {
  await using batching = await openJudgingService({
    BULWARK_POLICY_GUARD_JUDGE_BATCH_SIZE: '5',
    BULWARK_LLM_MAX_CONCURRENT: '2',
  });
  const policies = ['One', 'Two', 'Three'].map((name) => ({ ...pastry, name }));
  const { guardUuid } = await batching.guard(policies);
  const answers = { p1: 'very_likely', p2: 'very_unlikely', p3: 'possible' };
  batching.model.play({
    rules: [
      { when: { system: 'each of several policies', user: 'gateau' }, do: { json: answers } },
      about('gateau', { verdict: { A: 0.2, B: 0.2, C: 0.6 } }),
    ],
  });
  const { results } = await batching.ask(guardUuid, 'A gateau.');
  assert.deepEqual(results[0].probs, { One: 0.98, Two: 0.02, Three: 0.3 });
  assert.equal(asked(batching.model, 'gateau'), 2, 'the uncertain policy is judged again on its own');

  batching.model.play({
    rules: [
      { when: { system: 'each of several policies', user: 'fudge' }, do: { reply: 'No.' } },
      about('fudge', { verdict: { A: 0.2, B: 0.2, C: 0.6 } }),
    ],
  });
  const alone = await batching.ask(guardUuid, 'Some fudge.');
  assert.deepEqual(alone.results[0].probs, { One: 0.3, Two: 0.3, Three: 0.3 });
  assert.equal(alone.results[0].degraded, false);
});

test('an explanation is requested after the verdict, and its failure does not change the verdict', async () => {
  await using reasoning = await openJudgingService({ BULWARK_POLICY_GUARD_JUDGE_REASONING: 'on_flag' });
  const { guardUuid } = await reasoning.guard([pastry]);
  const flagged = about('waffle', { verdict: { A: 0.9, B: 0.05, C: 0.05 } });
  const says = (action: Action) => ({
    rules: [{ when: { system: 'you say why', user: 'waffle' }, do: action }, flagged],
  });
  reasoning.model.play(says({ reply: 'It praises a cake,\nwhich the policy on pastry flags.\u202e' }));
  const first = await reasoning.ask(guardUuid, 'A fine waffle.');
  assert.equal(first.results[0].reasoning, 'It praises a cake, which the policy on pastry flags.');
  assert.equal(asked(reasoning.model, 'waffle'), 2);
  for (const action of [{ status: 404 }, { refuse: 'text' }] as const) {
    reasoning.model.play(says(action));
    const { flag, results } = await reasoning.ask(guardUuid, `A fine waffle, ${JSON.stringify(action)}.`);
    assert.deepEqual([flag, results[0].degraded], [true, false]);
    assert.match(results[0].reasoning, /"Pastry"|text/);
  }
  reasoning.model.play({});
  await reasoning.ask(guardUuid, 'Is a waffle iron hot?');
  assert.equal(asked(reasoning.model, 'waffle iron'), 1, 'nothing flagged, nothing to explain');
});
