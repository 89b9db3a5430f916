import { tryCases } from '../fixtures/try-cases.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Thing, toPhrase, toThing } from './thing.ts';

const things: readonly Thing[] = [
  { words: ['late', 'fees'] },
  { words: [], exact: ['prod"uction'] },
  { words: ['data'], exact: ['a', 'b'], whole: true },
];
test('things are kept as they are by their phrases', () => {
  for (const thing of things) assert.deepEqual(toThing(toPhrase(thing)), thing);
});
tryCases(
  'an exact word has to be met as it stands',
  'Deny when it deletes and it concerns "data" with the exact word "production".',
  [
    ['both', [['delete_data', { env: 'production' }]], true],
    ['another word', [['delete_data', { env: 'test' }]], false],
    ['the word alone', [['delete_user', { env: 'production' }]], false],
  ],
);
