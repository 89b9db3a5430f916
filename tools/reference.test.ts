import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stalePages } from './reference.ts';

test('the generated reference pages are up to date', () => {
  assert.deepEqual(stalePages(), []);
});
