import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCanonical } from '../canonical.ts';
import { alternativesTo, withWindow } from './alternatives.ts';

const formOf = (sentence: string) => {
  const form = readCanonical(sentence);
  assert.ok(form, sentence);
  return form;
};
const counted = formOf('Deny when it comes after more than 3 of its kind, itself counted, in the session.');

test('a window that the sentence names and nothing looks for is that of the count', () => {
  const { when } = withWindow(counted, ['Monthly', 'tomato']);
  assert.deepEqual(when, { ...counted.when, window: 'month' });
  assert.equal(withWindow(counted, ['tomato']), counted);
});

test('each alternative differs in one respect, and a form without such respects has none', () => {
  const said = formOf(
    'When it pays, require that it was approved, going by the words of the trace, by "manager", else ask a person.',
  );
  const [checked, ...more] = alternativesTo(said);
  assert.equal(more.length, 0);
  assert.match(checked?.canonical ?? '', /was approved by "manager"/);
  const monthly = withWindow(counted, ['month']);
  assert.deepEqual(
    alternativesTo(monthly).map(({ rule }) => rule),
    [counted],
  );
  assert.deepEqual(alternativesTo(formOf('Deny when it deletes.')), []);
});
