import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build, loadStyles, normalised, trainingFolder } from './generate.ts';
import { detectorIds } from '#engine/text/label-ids.ts';
import { type Row } from './style.ts';

const files = build(await loadStyles());

test('generating twice gives identical files', async () => {
  const again = build(await loadStyles());
  assert.deepEqual(
    again.map((file) => [file.name, file.jsonl, file.card]),
    files.map((file) => [file.name, file.jsonl, file.card]),
  );
});

test('the files in data/training are up to date with their sources', () => {
  for (const { name, folder, jsonl, card } of files) {
    const path = join(folder, `${name}.jsonl`);
    assert.ok(existsSync(path), `${name} is not written; run node tools/training-data/generate.ts`);
    assert.ok(readFileSync(path, 'utf8') === jsonl, `${name}.jsonl is stale`);
    assert.equal(readFileSync(join(folder, `${name}.md`), 'utf8'), card);
  }
});

test('the shipped weights were trained on exactly the rows of data/training', () => {
  const manifest = JSON.parse(readFileSync(join(trainingFolder, '../models/text.manifest.json'), 'utf8')) as {
    inputs: Record<string, string>;
  };
  const trainedOn = Object.entries(manifest.inputs).filter(([file]) => file.startsWith('own/'));
  const rows = files
    .filter(({ folder }) => folder === trainingFolder)
    .map(({ name, jsonl }) => [`own/${name}.jsonl`, createHash('sha256').update(jsonl).digest('hex')]);
  assert.deepEqual(Object.fromEntries(rows), Object.fromEntries(trainedOn));
});

test('every row has a text and nine consistent labels', () => {
  for (const { name, rows } of files) {
    for (const { text, labels } of rows) {
      const where = `${name}: ${text}`;
      assert.ok(text.trim() !== '' && text.length <= 20_000, where);
      assert.doesNotMatch(text, /\{(goal|about|group|one|adj|thing|place)\}/, where);
      assert.deepEqual(Object.keys(labels).sort(), [...detectorIds].sort(), where);
      for (const id of detectorIds) assert.ok([0, 1, null].includes(labels[id]), where);
      const grave = (['hate_bias', 'violence_abuse', 'unethical_illegal', 'self_harm'] as const).some(
        (id) => labels[id] === 1,
      );
      if (grave) assert.notEqual(labels.general_harmful, 0, where);
    }
  }
});

test('no text occurs twice across all styles', () => {
  const keys = files.flatMap((file) => file.rows.map(normalised));
  assert.equal(new Set(keys).size, keys.length);
});

test('few rows of a style are near-duplicates', () => {
  let rows = 0;
  let copies = 0;
  for (const file of files) {
    const found = nearCopies(file.rows);
    assert.ok(found <= 0.5 * file.rows.length, `${file.name}: ${found} near-copies of ${file.rows.length}`);
    rows += file.rows.length;
    copies += found;
  }
  assert.ok(copies <= 0.03 * rows, `${copies} near-copies of ${rows}`);
});

/** Rows that share at least four fifths of their word pairs with an earlier row (Jaccard). */
function nearCopies(rows: readonly Row[]): number {
  const byPair = new Map<string, number[]>();
  const sizes: number[] = [];
  let copies = 0;
  for (const [at, row] of rows.entries()) {
    const pairs = wordPairs(normalised(row));
    const shared = new Map<number, number>();
    for (const pair of pairs) {
      for (const earlier of byPair.get(pair) ?? []) shared.set(earlier, (shared.get(earlier) ?? 0) + 1);
    }
    const isCopy = [...shared].some(([earlier, n]) => n / (pairs.size + (sizes[earlier] ?? 0) - n) >= 0.8);
    if (isCopy) copies += 1;
    sizes.push(pairs.size);
    for (const pair of pairs) byPair.set(pair, [...(byPair.get(pair) ?? []), at]);
  }
  return copies;
}

const wordPairs = (text: string): Set<string> => {
  const words = ['^', ...text.split(/\s+/), '$'];
  return new Set(words.slice(1).map((word, at) => `${words[at] ?? ''} ${word}`));
};
