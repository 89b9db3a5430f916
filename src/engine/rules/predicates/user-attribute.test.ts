import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalText, readCanonical } from '../canonical.ts';
import { breaks } from '../fixtures/try-sentence.ts';

const call = [['x', {}]] as const;
const forUser = (sentence: string, attributes: Record<string, unknown>) =>
  breaks(sentence, call, { user: { id: 'u', roles: [], attributes } });
const ward = 'Deny when it is made for a user with "ward" that is not "3".';
const level = 'Deny when it is made for a user with "level" of less than 4.';

test('attributes of the user are compared', () => {
  assert.equal(forUser(ward, { ward: '7' }), true);
  assert.equal(forUser(ward, { ward: '3' }), false);
  assert.equal(forUser(level, { level: 3 }), true);
  assert.equal(forUser(level, { level: 4 }), false);
});

test('nothing is known of a user who is not told, whatever the trace says', () => {
  assert.equal(breaks(ward, call), false);
  assert.equal(breaks(ward, ['I work on ward 7.', ['x', { ward: '7' }]]), false);
});

test('its sentences read back to the same form', () => {
  for (const sentence of [ward, level]) {
    const form = readCanonical(sentence);
    assert.ok(form, sentence);
    assert.deepEqual(readCanonical(canonicalText(form)), form);
  }
});
