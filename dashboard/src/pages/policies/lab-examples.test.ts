import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExamples } from './lab-examples.ts';

test('label words, and JSON with a label of its own', () => {
  const lines =
    'violates, a\nsafe: b\n{"text": "c", "label": true}\n{"text": "d", "label": 0, "policy": "Other"}';
  assert.deepEqual(readExamples(lines, 'Mine'), {
    examples: [
      { text: 'a', label: true, policy: 'Mine' },
      { text: 'b', label: false, policy: 'Mine' },
      { text: 'c', label: true, policy: 'Mine' },
      { text: 'd', label: false, policy: 'Other' },
    ],
    problems: [],
  });
});

test('rows of evaluations name policies by their ids', () => {
  const lines =
    '{"text": "is the blue shirt on sale?", "labels": {"rival_clubs": 1, "prices": 0, "other": 1}}';
  assert.deepEqual(readExamples(lines, 'Rival clubs', ['Rival clubs', 'Prices']).examples, [
    { text: 'is the blue shirt on sale?', label: true, policy: 'Rival clubs' },
    { text: 'is the blue shirt on sale?', label: false, policy: 'Prices' },
  ]);
});

test('what cannot be used is named with its line', () => {
  const lines = 'hello\n{"labels": {}}\n{"text": "x", "labels": {"b": 1}}\n{"text": "x"}\n{"text": ';
  assert.deepEqual(readExamples(lines, 'A').problems, [
    'Line 1 begins with neither “violates,” nor “safe,”.',
    'Line 2 has no “text”.',
    'Line 3 has none of the labels “a”, with 1 or 0.',
    'Line 4 has no “label” with true or false.',
    'Line 5 is not a JSON object.',
  ]);
});
