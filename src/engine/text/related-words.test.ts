import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RelatedWords } from './related-words.ts';

const words = [
  'verkaufen',
  'verkäufer',
  'sell',
  'seller',
  'invoice',
  'invoices',
  'invention',
  'rent',
  'rental',
  '',
];
const related = new RelatedWords(words);
const find = (word: string) => words[related.find(word)];

test('an unknown form leads to the word that it shares most of its beginning with', () => {
  assert.equal(find('verkaufst'), 'verkaufen');
  assert.equal(find('sells'), 'sell');
  assert.equal(find("rental's"), 'rental');
});

test('of equally good words the one nearest in length is taken', () => {
  assert.equal(find('invoiced'), 'invoices');
  assert.equal(new RelatedWords(['plantations', 'plantat']).find('plantatio'), 0);
});

test('short words and words that only begin alike have no relative', () => {
  for (const word of ['inventory', 'rentable', 'zebra', 'sold', 'a', ''])
    assert.equal(find(word), undefined, word);
});

test('an empty vocabulary knows no relative', () => assert.equal(new RelatedWords([]).find('anything'), -1));
