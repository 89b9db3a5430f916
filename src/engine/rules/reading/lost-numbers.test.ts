import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCanonical } from '../canonical.ts';
import { lostNumbersOf } from './lost-numbers.ts';

const lost = (sentence: string, canonical: string) => {
  const form = readCanonical(canonical);
  assert.ok(form, canonical);
  return lostNumbersOf(sentence, form);
};

test('a number that the form has, also as the next one, as minutes or as a factor, is not lost', () => {
  for (const [sentence, canonical] of [
    ['No stays above 30 nights.', 'Deny when it has an argument "nights" of more than 30.'],
    ['Loans of 2,500 or more.', 'Deny when it has an argument "loan" of at least "2,500 EUR".'],
    ['Nothing between 7 pm and 6 am.', 'Deny when it happens between 19:00 and 06:00.'],
    [
      'Up 20% at most.',
      'Deny when it has an argument "rent" of more than the argument "old_rent" times 1.2.',
    ],
  ] as const)
    assert.deepEqual(lost(sentence, canonical), [], sentence);
});

test('another number and another currency are lost', () => {
  const form = 'Deny when it pays and it has an amount of more than 300 in "EUR".';
  assert.deepEqual(lost('Pay no more than 300 euros.', form), []);
  assert.deepEqual(lost('Pay no more than €300.', form), []);
  assert.deepEqual(lost('Pay no more than $300.', form), ['$300']);
  assert.deepEqual(lost('Pay no more than 30 dollars.', form), ['30', 'dollars']);
  assert.deepEqual(lost('Pay in one go.', form), []);
});
