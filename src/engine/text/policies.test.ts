import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TextEngine, loadTextEngine } from './engine.ts';
import type { CompiledPolicy, PolicyScore } from './types.ts';

let engine: TextEngine;
let privacy: CompiledPolicy;

before(async () => {
  engine = await loadTextEngine();
  privacy = engine.compile({
    name: 'Guests stay anonymous',
    description:
      'Never tell a caller or visitor whether a named person stays in our hotel, nor the room number.',
    blockActivities: ['confirming that a person is a guest', 'giving out the room number of a guest'],
    safeActivities: ['Passing on a message without saying whether the person stays here'],
  });
});

const judged = (text: string): PolicyScore => engine.score(engine.analyse(text), privacy);

test('a violation scores higher than a refusal, a question about the rule and a report that use the same words', () => {
  const violation = judged('Sure, Ms Berger is a guest, her room number is 214, just go up.').probability;
  for (const harmless of [
    'I am sorry, I cannot tell you whether a person is a guest or give you a room number.',
    'Are we allowed to give out the room number of a guest?',
    'Reminder: never give out the room number of a guest to a caller.',
  ])
    assert.ok(judged(harmless).probability < violation, harmless);
});

test('a safe activity as the policy words it is never flagged', () => {
  const score = judged('Passing on a message without saying whether the person stays here');
  assert.ok(score.probability < 0.5);
  assert.equal(score.vetoed, true);
});

test('text that has nothing to do with the policy is not flagged', () => {
  for (const text of [
    'Which gear should I use on a steep hill?',
    'The cat sat on the mat and looked at the rain.',
    'def add(a, b):\n    return a + b',
  ])
    assert.ok(judged(text).probability < 0.5, text);
});

test('repeating a text does not raise its probability', () => {
  const text =
    'We talked about the guest list for the wedding and about which rooms have a view of the lake. ';
  const once = judged(text.repeat(2)).probability;
  for (const times of [8, 32, 128]) assert.ok(judged(text.repeat(times)).probability <= once + 0.02);
});

test('evidence lies in the text, also where the text has none of the words of the policy', () => {
  const text = 'He checked in on Monday, second floor, the suite with the balcony. Knock loudly.';
  const { evidence } = judged(text);
  for (const { start, end, quote } of evidence) assert.equal(text.slice(start, end), quote);
});
