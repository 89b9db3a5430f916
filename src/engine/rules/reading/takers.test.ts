import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Predicate } from '../predicates/catalog.ts';
import { wordsOf } from './sentence-words.ts';
import { takerOf } from './takers.ts';

const taken = (predicate: Predicate, sentence: string) =>
  wordsOf(sentence)
    .filter(takerOf(predicate))
    .map(({ text }) => text);

test('a predicate takes the words that it looks for, in any form, and its numbers', () => {
  for (const [predicate, sentence, words] of [
    [{ is: 'action', acts: ['delete'] }, 'Never remove or erase files', ['remove', 'erase']],
    [{ is: 'action', acts: ['update'] }, 'Never lower prices', []],
    [{ is: 'amount', over: 500 }, 'over $500 of 400', ['$500']],
    [
      { is: 'sum', window: 'day', operator: 'over', value: '5000 USD', per: ['customer'] },
      '$5,000 per customer daily, not 70',
      ['$5,000', 'per', 'customer', 'daily'],
    ],
    [
      { is: 'repeat', over: 3, window: 'month' },
      'three times a month, not five',
      ['three', 'times', 'month'],
    ],
    [{ is: 'destination', where: 'in', places: ['acme.com'] }, 'to acme.com', ['acme.com']],
    [{ is: 'tool', names: ['send_*'] }, 'tulips', []],
    [{ is: 'resource', things: [{ words: ['backup'] }] }, 'delete old backups', ['backups']],
  ] as const)
    assert.deepEqual(taken(predicate, sentence), words, sentence);
});
