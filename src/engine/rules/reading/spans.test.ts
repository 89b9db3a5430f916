import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCanonical } from '../canonical.ts';
import { spansOf } from './spans.ts';

test('each word is of the first predicate that looks for it, at its place in the form', () => {
  const form = readCanonical(
    'Deny when it refunds and it has an amount of more than 500, unless it is the tool "void".',
  );
  assert.ok(form);
  const { spans, unread } = spansOf('Never refund more than 500 tulips.', form);
  assert.deepEqual(
    spans.map(({ text, predicate }) => [text, predicate]),
    [
      ['refund', 'when.all[0]'],
      ['500', 'when.all[1]'],
    ],
  );
  assert.deepEqual(unread, ['tulips']);
});

test('a word that stands twice is named once', () => {
  const form = readCanonical('Deny when it deletes.');
  assert.ok(form);
  assert.deepEqual(spansOf('Delete tulips, tulips and roses.', form).unread, ['tulips', 'roses']);
});
