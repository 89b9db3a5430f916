import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { stacked } from '../../library/heads/layers.ts';
import { gardening, sports } from '../adaptations/fixtures/examples.ts';
import { isProposed, whyKept } from './is-proposed.ts';
import { chooseShift, cutOf, type Objective, sameAsShift } from './operating-point.ts';
import { type Misjudgement, optimise } from './optimise.ts';
import { edits, mined, wordsOf } from './wording.ts';

const engine = await loadTextEngine();
const sensitivity = { threshold: 0.5, strictnessLevel: 'medium' } as const;
const source = { name: 'Chess', description: '', blockActivities: ['chess openings'], safeActivities: [] };
const compiled = engine.compile(source);
const lesson = {
  source,
  current: compiled,
  untuned: compiled,
  tuning: undefined,
  sensitivity,
  examples: [
    ...gardening.map((text) => ({ text, violates: true })),
    ...sports.map((text) => ({ text, violates: false })),
  ],
};

test('a proposed wording is accepted if it improves unseen examples, and is measured without the examples it has seen', async () => {
  let asked: Misjudgement | undefined;
  const wording = {
    description: 'Gardens and plants',
    blockActivities: ['growing plants, flowers and vegetables in soil', 'watering and pruning garden trees'],
    safeActivities: [],
  };
  const made = await optimise(engine, lesson, {
    tier: 'max',
    objective: { kind: 'f1' },
    ordinary: true,
    propose: async (misjudged) => {
      asked = misjudged;
      return [{ wording, what: 'has another wording', seen: new Set([0, 1]) }];
    },
  });
  assert.deepEqual(asked?.missed.slice(0, 2), [0, 1], 'missed examples are passed on');
  const flagged = lesson.examples.flatMap(({ text, violates }, i) =>
    !violates && engine.score(engine.analyse(text), compiled).probability >= sensitivity.threshold ? [i] : [],
  );
  assert.deepEqual(asked.falselyFlagged, flagged);
  assert.equal(made.after?.length, lesson.examples.length);
  assert.equal(made.before.length, lesson.examples.length);
  if (made.wording !== undefined) assert.equal(made.wording.what[0], 'has another wording');
  const wild = await optimise(engine, lesson, {
    tier: 'max',
    objective: { kind: 'f1' },
    ordinary: true,
    propose: async () => [{ wording, what: 'has seen it all', seen: new Set(lesson.examples.keys()) }],
  });
  assert.ok(
    wild.wording === undefined || !wild.wording.what.includes('has seen it all'),
    'a wording derived from all examples is never selected by them',
  );
});

test('a policy that stays as it is has the same figures after as before', async () => {
  const own = { ...source, name: 'Gardening', blockActivities: ['growing plants, flowers and vegetables'] };
  const policy = engine.compile(own);
  const few = [...lesson.examples.slice(0, 5), ...lesson.examples.slice(-5)];
  const made = await optimise(
    engine,
    { ...lesson, source: own, current: policy, untuned: policy, examples: few },
    { tier: 'high', objective: { kind: 'f1' }, ordinary: true },
  );
  assert.deepEqual([made.shift, made.head.weights, made.wording], [0, [], undefined]);
  assert.deepEqual(made.after, made.before);
  assert.equal(made.afterOrder, null, 'to be taken from the same judgements');
});

test('stacked heads score as one head applied after the other', async () => {
  const analysis = engine.analyse('Sow the carrot seeds in shallow rows.');
  const lower = { examples: 3, priorWeight: 0.5, bias: 0.25, weights: [0.5, -1] };
  const upper = { examples: 4, priorWeight: 2, bias: -1, weights: [0.25] };
  const logit = (probability: number) => Math.log(probability / (1 - probability));
  const below = logit(engine.score(analysis, { ...compiled, head: lower }).probability);
  const features = analysis.features();
  const expected = -1 + 2 * below + 0.25 * (features[0] ?? 0);
  const both = logit(engine.score(analysis, { ...compiled, head: stacked(lower, upper) }).probability);
  assert.ok(Math.abs(both - expected) < 1e-6, `${both} ${expected}`);
  assert.equal(stacked(undefined, upper), upper);
});

test('the shift optimises the objective without flagging ordinary messages', () => {
  const labels = [1, 1, 1, 1, 0, 0, 0, 0];
  const logits = [-1, -1.2, -0.8, -1.1, -3, -3.2, -2.9, -3.5];
  const shift = chooseShift({ logits, labels, ordinary: [], ordinaryNow: 0 }, 0, { kind: 'f1' });
  assert.ok(shift > 1.2 && shift < 2.9, `${shift}`);
  const ordinary = Array.from({ length: 100 }, () => -0.5);
  const held = chooseShift({ logits, labels, ordinary, ordinaryNow: 0 }, 0, { kind: 'f1' });
  assert.ok(held <= 0.5, `${held} would flag all day`);
  const few = chooseShift(
    { logits: logits.map((each) => each + 9), labels, ordinary: [], ordinaryNow: 0 },
    0,
    {
      kind: 'recall_at_fpr',
      maxFalsePositiveRate: 0.05,
    },
  );
  assert.ok(few < -4.5, `${few}: harmless texts at 6 are not flagged`);
  const strict = { threshold: 0.7, strictnessLevel: 'high' } as const;
  for (const moved of [-2, -0.4, 0, 0.9, 3])
    assert.ok(Math.abs(cutOf(sameAsShift(strict, moved)) - (cutOf(strict) - moved)) < 1e-9);
  assert.deepEqual(sameAsShift(sensitivity, 0), sensitivity);
});

test('what raises false alarms is not proposed, unless the objective allows them', () => {
  const examples = [1, 1, 1, 1, 0, 0, 0, 0].map((label, i) => ({ text: `${i}`, violates: label === 1 }));
  const before = [-1, -1, -1, 1, -2, -2, -2, -2];
  const calm = { before: 0, after: 0 };
  const better = [1, 1, 1, 1, -1, -1, -1, -1];
  const louder = [1, 1, 1, 1, 1, -1, -1, -1];
  const proposes = (after: number[] | null, objective: Objective, ordinary = calm) =>
    isProposed({ before, after, ordinary }, examples, sensitivity, objective);
  const f1 = { kind: 'f1' } as const;
  assert.equal(proposes(better, f1), true);
  assert.equal(proposes(louder, f1), false, 'although its F1 is higher');
  assert.equal(proposes(louder, { kind: 'recall_at_fpr', maxFalsePositiveRate: 0.3 }), true);
  assert.equal(proposes(better, f1, { before: 0, after: 0.1 }), false, 'ordinary messages count too');
  assert.equal(proposes(before, f1), false);
  assert.equal(proposes(null, f1), false);
  const why = (after: number[] | null, ordinary = calm) =>
    whyKept({ before, after, ordinary }, examples, sensitivity, f1);
  assert.match(why(louder), /harmless examples/);
  assert.match(why(better, { before: 0, after: 0.1 }), /ordinary messages/);
  assert.match(why(before), /Nothing that was tried/);
  assert.match(why(null), /single example/);
});

test('false alarms of the policy as it is bound the shift, and few examples never make it flag more', () => {
  const labels = [1, 1, 1, 1, 0, 0, 0, 0];
  const logits = [-1, -1.2, -0.8, -1.1, -1.05, -3.2, -0.9, -3.5];
  const judged = { logits, labels, ordinary: [], ordinaryNow: 0 };
  const free = chooseShift(judged, 0, { kind: 'f1' });
  const bound = chooseShift({ ...judged, now: logits }, 0, { kind: 'f1' });
  assert.ok(free > 1 && bound < 0.6, `${free} ${bound}`);
  assert.ok(chooseShift({ ...judged, mayFlagMore: false }, 0, { kind: 'f1' }) <= 0);
});

test('edited wordings drop, merge and add activities', () => {
  const wording = { description: '', blockActivities: ['a b', 'c d'], safeActivities: ['e'] };
  assert.deepEqual(
    edits(wording).map(({ wording: { blockActivities, safeActivities } }) => [
      blockActivities,
      safeActivities,
    ]),
    [
      [['c d'], ['e']],
      [['a b'], ['e']],
      [['a b', 'c d'], []],
      [['a b; c d'], ['e']],
    ],
  );
  assert.deepEqual(edits({ ...wording, blockActivities: ['a'] }).length, 1, 'one activity is left to block');
  const words = ['Plant tomatoes now', 'tomatoes need water', 'goal and whistle', 'water polo'].map(wordsOf);
  const found = mined(
    wording,
    { words, labels: [1, 1, 0, 0], flagged: [false, false, false, true] },
    [0, 1, 2, 3],
  );
  assert.deepEqual(
    found.map(({ wording: { blockActivities } }) => blockActivities.at(-1)),
    ['tomatoes'],
  );
  assert.deepEqual([...(found[0]?.seen ?? [])], [0, 1, 2, 3]);
});
