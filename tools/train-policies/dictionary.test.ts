import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliasWords } from './dictionary.ts';

test('words of the dictionary get the row of what they mean; English ones and phrases do not', () => {
  const entries = [
    { english: 'pay', others: ['zahlen', 'payer', 'pay', 'gift'] },
    { english: 'poison', others: ['gift', 'a la carte', 'veleno'] },
    { english: 'unknown', others: ['unbekannt'] },
  ];
  const words = ['the', 'zahlen', 'pay', 'gift', 'poison'];
  const { own, aliases, rows, known } = aliasWords(
    words,
    entries,
    (word) => word === 'gift',
    (text) => text.split(' '),
  );
  assert.deepEqual(own, ['the', 'pay', 'gift', 'poison']);
  assert.deepEqual(aliases, ['zahlen', 'payer', 'veleno']);
  assert.deepEqual([...rows], [1, 1, 3]);
  assert.deepEqual(
    ['pay', 'zahlen', 'gift', 'veleno', 'unbekannt'].map((word) => known.row(word)),
    [1, 1, 2, 3, -1],
  );
});
