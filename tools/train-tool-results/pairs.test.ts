import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pairNames, pairsOf, readPairs } from './pairs.ts';
import type { LabelledResult } from './rows.ts';

const measured = join(import.meta.dirname, '../../data/tool-results/measured');

function checkPairs(name: string, rows: readonly LabelledResult[]): void {
  assert.ok(rows.length > 1000, name);
  for (const [i, { text, label, order = '' }] of rows.entries()) {
    assert.equal(label, 1 - (i % 2), text);
    assert.ok(order.length > 0 && text.includes(order), text);
  }
}

test('both answers of a pair hold the words that are named, the order first', () => {
  for (const name of pairNames) checkPairs(name, pairsOf(name));
});

test('so do those of pairs that only measure, and none of them is learned from', () => {
  const learned = new Set(pairNames.flatMap((name) => pairsOf(name).map(({ order }) => order)));
  const files = readdirSync(measured);
  assert.ok(files.length >= 4);
  for (const file of files) {
    const rows = readPairs(join(measured, file), file);
    checkPairs(file, rows);
    assert.deepEqual(
      rows.filter(({ order = '' }) => order.length > 40 && learned.has(order)).map(({ order }) => order),
      [],
    );
  }
});
