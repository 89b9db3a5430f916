import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairNames, pairsOf } from './pairs.ts';

test('both answers of a pair hold the words that are named, the order first', () => {
  for (const name of pairNames) {
    const rows = pairsOf(name);
    assert.ok(rows.length > 1000, name);
    for (const [i, { text, label, order = '' }] of rows.entries()) {
      assert.equal(label, 1 - (i % 2), text);
      assert.ok(order.length > 0 && text.includes(order), text);
    }
  }
});
