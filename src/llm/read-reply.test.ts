import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as holds, json, property, string, tuple } from 'fast-check';
import { findJson, isRefusal, withoutReasoning } from './read-reply.ts';

test('reasoning is removed from a reply', () => {
  assert.equal(withoutReasoning('<think>A or B?</think>\n\nC'), 'C');
  assert.equal(withoutReasoning('It is A.</think>C'), 'C');
  assert.equal(withoutReasoning('<reasoning>half a thought'), '');
  assert.equal(withoutReasoning('no thoughts'), 'no thoughts');
});

test('JSON is found inside prose', () => {
  assert.deepEqual(findJson('```json\n{"a": [1, "}"]}\n```'), { a: [1, '}'] });
  assert.deepEqual(findJson('Here {it} is: {"a": 1} and {"b": 2}'), { a: 1 });
  assert.deepEqual(findJson('[1, 2]'), [1, 2]);
  assert.equal(findJson('{"a": 1'), undefined);
  assert.equal(findJson('"text"'), undefined);
  assert.equal(findJson('none'), undefined);
});

test('any object is found after any prose without brackets', () => {
  holds(
    property(tuple(string(), json()), ([talk, value]) => {
      const wrapped = JSON.stringify({ value: JSON.parse(value) as unknown });
      assert.deepEqual(
        findJson(`${talk.replaceAll(/[{}[\]]/g, '')}\n${wrapped}\nDone.`),
        JSON.parse(wrapped),
      );
    }),
  );
});

test('hostile replies are parsed in bounded time', () => {
  const startedAt = performance.now();
  findJson('{"'.repeat(100_000));
  findJson('{'.repeat(200_000));
  findJson(`{"${'\\"'.repeat(100_000)}`);
  withoutReasoning('<think>'.repeat(200_000));
  assert.ok(performance.now() - startedAt < 10_000);
});

test('refusals are recognised, and answers are not mistaken for them', () => {
  for (const text of [
    'I’m sorry, but I can’t help with that.',
    "I can't assist with this request.",
    'Sorry, I cannot do that.',
    'I am unable to judge this.',
    'As an AI, I do not judge.',
  ])
    assert.ok(isRefusal(text), text);
  for (const text of [
    'C',
    'Verdict: A',
    '{"sorry": true}',
    'In my view it is fine.',
    'Sorry state of affairs: A',
  ])
    assert.ok(!isRefusal(text), text);
});
