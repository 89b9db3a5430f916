import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownWords } from './known-words.ts';

test('a word has its own row, a word of another language that of what it means, and others have none', () => {
  const words = new KnownWords(['the', 'pay', 'dog', 'zahlen', 'chien'], 3, Uint16Array.of(1, 2));
  const rows = ['the', 'pay', 'dog', 'zahlen', 'chien', 'cat', ''].map((word) => words.row(word));
  assert.deepEqual(rows, [0, 1, 2, 1, 2, -1, -1]);
});

test('a form of a known word has the row of that word, and a symbol none', () => {
  const words = new KnownWords(['the', 'payment', 'chienne', 'verkaufen'], 3, Uint16Array.of(1));
  const rows = ['payments', 'verkaufte', 'payment', 'pays', '######', ''].map((word) =>
    words.rowOfForm(word),
  );
  assert.deepEqual(rows, [1, 1, 1, -1, -1, -1]);
});
