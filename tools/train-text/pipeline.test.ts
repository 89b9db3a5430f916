import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Random } from '../../src/base/random.ts';
import { toWords } from './examples.ts';
import { exportModel } from './export.ts';
import { trainModels } from './pipeline.ts';
import { type LabelledRow, readOwnRows } from './rows.ts';
import type { WordVectors } from './vectors.ts';
import { trainingFolder } from '../training-data/generate.ts';

const size = 8;

/** Vectors of the words of the rows, as good as any where only equality counts. */
function vectorsOf(rows: readonly LabelledRow[]): WordVectors {
  const counts = new Map<string, number>();
  for (const { text } of rows)
    for (const word of toWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, 1000);
  const random = new Random(7);
  return {
    words: sorted.map(([word]) => word),
    counts: sorted.map(([, count]) => count),
    size,
    rows: Float32Array.from({ length: sorted.length * size }, () => random.next() - 0.5),
  };
}

const own = readOwnRows(trainingFolder);
const rows = own.filter((_, i) => i % 100 === 0);
const vectors = vectorsOf(rows);

/** The whole of a training, on a hundredth of our own rows: the hash of its weights. */
function hashOfTraining(seed: number): string {
  const trained = trainModels({
    rows,
    lines: [],
    vectors,
    seed,
    epochs: 2,
    rowsPerSource: 20,
    made: 0.01,
    log: () => undefined,
  });
  const file = exportModel({ ...trained, words: vectors.words, version: '', calibration: [] });
  return createHash('sha256').update(file).digest('hex');
}

test('the same rows and seed give the same weights, bit for bit, and another seed gives others', () => {
  const first = hashOfTraining(1);
  assert.equal(hashOfTraining(1), first);
  assert.notEqual(hashOfTraining(2), first);
});
