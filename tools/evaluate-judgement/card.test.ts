import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MeasuredQuality, QualityFile } from '#engine/text/policy-quality.ts';
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

test('the guide gives the figures that policies give of themselves', () => {
  const { kinds } = JSON.parse(
    readFileSync(join(modelsFolder, 'policies.quality.json'), 'utf8'),
  ) as QualityFile;
  const guide = readFileSync(join(modelsFolder, '../../docs/guides/choosing-a-judge.md'), 'utf8');
  const columns = [kinds.english, kinds.other_language, kinds.short];
  const cells = (row: RegExp) =>
    guide
      .split('\n')
      .find((line) => line.startsWith('|') && row.test(line))
      ?.split('|')
      .slice(2, -1)
      .map((cell) => cell.trim());
  const shares = (of: (each: MeasuredQuality) => { value: number }) =>
    columns.map((each) => (Math.round(100 * of(each).value) / 100).toFixed(2).replace(/^0/, ''));
  assert.deepEqual(
    cells(/^\| at \.5/)?.map((head) => Number(/\d+/.exec(head)?.[0])),
    columns.map(({ policies }) => policies),
  );
  assert.deepEqual(
    cells(/other words than/),
    shares(({ found }) => found),
  );
  assert.deepEqual(
    cells(/violations in the policy's words/),
    shares(({ foundPlain }) => foundPlain),
  );
  assert.deepEqual(
    cells(/harmless texts in the policy's words/),
    shares(({ nearFlagged }) => nearFlagged),
  );
  assert.deepEqual(
    cells(/AUROC/),
    shares(({ near }) => near),
  );
});
