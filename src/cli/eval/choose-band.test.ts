import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { after, test } from 'node:test';
import { chooseBand } from './choose-band.ts';
import { attack, folder, harmless, inFolder, report, row, run, write } from './fixtures/cli.ts';

after(() => rm(folder, { recursive: true, force: true }));

/** Positives at .01, .02 … 1, negatives at 0, .005 … .495. */
const rows = {
  scores: [
    ...Array.from({ length: 100 }, (_, i) => (i + 1) / 100),
    ...Array.from({ length: 100 }, (_, i) => i / 200),
  ],
  labels: Array.from({ length: 200 }, (_, i) => Number(i < 100)),
};

test('the chosen band is the narrowest one within the error budgets', () => {
  const band = chooseBand(rows, { missBudget: 0.05, alarmBudget: 0.02, threshold: 0.3 });
  // .01 to .05 are missed; .485, .49 and .495 lie below the end set by the threshold.
  assert.deepEqual([band.from, band.missed], [0.06, 0.05]);
  const tight = chooseBand(rows, { missBudget: 0, alarmBudget: 0.02, threshold: 0.1 });
  assert.deepEqual([tight.from, tight.missed, tight.alarms], [0.01, 0, 0.02]);
  assert.ok(tight.to > 0.485 && tight.to <= 0.4852, String(tight.to));
});

test('the chosen band contains the threshold at every strictness level', () => {
  const { from, to } = chooseBand(
    { scores: [0.99, 0.01], labels: [1, 0] },
    { missBudget: 0, alarmBudget: 0, threshold: 0.5 },
  );
  assert.ok(from <= 0.2689 && to >= 0.7311, `${from}..${to}`);
});

test('the command prints the band in the form of the configuration', async () => {
  await write('bands.jsonl', [
    ...Array.from({ length: 3 }, () => row(attack, 1)),
    ...harmless.map((text) => row(text, 0)),
  ]);
  const { code, out, err } = await run([
    'eval',
    'text',
    'bands.jsonl',
    '--choose-band',
    '--miss-budget',
    '0.01',
    '--json',
    'bands.json',
    '--write-bands',
    'written.json',
  ]);
  assert.equal(code, 0, err);
  assert.match(out, /^BULWARK_POLICY_GUARD_JUDGE_BANDS=prompt-injection=0\.\d+\.\.(0\.\d+|1)$/m);
  assert.match(out, /\*: fewer positives than a miss budget of 0.01/);
  const { bands } = await report('bands.json');
  assert.equal(bands?.detectors[0]?.missed, 0);
  const written = JSON.parse(await readFile(inFolder('written.json'), 'utf8'));
  assert.deepEqual(written.detectors, bands?.detectors);
  assert.deepEqual([written.miss_budget, written.rows], [0.01, 6]);
  const refused = await run(['eval', 'text', 'bands.jsonl', '--choose-band', '--strictness', 'high']);
  assert.notEqual(refused.code, 0);
  assert.match(refused.err, /medium strictness/);
});
