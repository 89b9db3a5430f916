import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashWeights, type Judgement, modelsFolder, pageOf } from './card.ts';

const again = 'run tools/evaluate-judgement/evaluate.ts <data sets folder> --write';
const report = JSON.parse(readFileSync(join(modelsFolder, 'judgement.json'), 'utf8')) as Judgement;

test('the report is about the weights that ship', () => {
  assert.deepEqual(report.weights, hashWeights(), again);
});

test('the page says what the figures say', () => {
  assert.equal(readFileSync(join(modelsFolder, 'judgement.md'), 'utf8'), pageOf(report), again);
});

test('what policies say of themselves was measured with the weights that ship', () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(modelsFolder, name), 'utf8')) as { version: string };
  assert.equal(read('policies.quality.json').version, read('policies.manifest.json').version);
});
