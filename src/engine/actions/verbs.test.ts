import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nounSenses } from './verbs.ts';

test('whoever does something is not the act; what ends so by itself is', () => {
  for (const word of ['commander', 'booker', 'senders']) assert.deepEqual(nounSenses(word), [], word);
  assert.deepEqual(nounSenses('command'), ['execute']);
  assert.deepEqual(nounSenses('transfers'), ['pay']);
});
