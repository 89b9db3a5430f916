/**
 * Measures the optimisation lab with few examples: each held-out policy is optimised with some of its own texts, and
 * judged on the others, which the lab never saw. The lab's own estimates stand beside the truth.
 * `node tools/train-policies/evaluate-lab.ts [data sets folder] [--examples 8,12,24] [--every 1] [--tier high]`
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTextEngine } from '../../src/engine/text/engine.ts';
import type { Tier } from '../../src/services/policy-guard/learning/optimization/optimise.ts';
import { readCases } from './cases.ts';
import { type LabCase, type LabFigures, measureLab } from './lab.ts';

const root = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    examples: { type: 'string', default: '8,12,24' },
    /** Only every so manieth policy. */
    every: { type: 'string', default: '1' },
    tier: { type: 'string', default: 'high' },
  },
});
const folder = positionals[0] ?? join(root, '../shared/datasets');
const heldOut = [
  ...readCases(join(root, 'data/training/policies')),
  ...readCases(join(folder, 'policies')),
].filter((each, i) => each.heldOut && i % Number(values.every) === 0);
const engine = await loadTextEngine();
const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
const shown = (list: readonly number[]) => mean(list).toFixed(3);
const names = ['auroc', 'recall', 'falsePositiveRate', 'f1'] as const satisfies (keyof LabFigures)[];

for (const examples of values.examples.split(',').map(Number)) {
  const found: LabCase[] = [];
  for (const [i, each] of heldOut.entries())
    found.push(await measureLab(engine, each, { examples, seed: i + 1, tier: values.tier as Tier }));
  const proposed = found.filter((one) => one.isProposed);
  console.log(`\n${examples} examples: ${found.length} policies, proposed for ${proposed.length}`);
  for (const [title, list] of [
    ['all', found],
    ['proposed', proposed],
  ] as const)
    for (const name of list.length === 0 ? [] : names) {
      const guessed = list.flatMap(({ estimate, after }) =>
        estimate === undefined ? [] : [estimate[name] - after[name]],
      );
      console.log(
        title.padEnd(9),
        name.padEnd(18),
        `before ${shown(list.map(({ before }) => before[name]))}`,
        ` after ${shown(list.map(({ after }) => after[name]))}`,
        ` by the lab ${shown(list.flatMap(({ estimate }) => estimate?.[name] ?? []))}`,
        ` lab − truth ${shown(guessed)}, of one policy ±${shown(guessed.map(Math.abs))}`,
      );
    }
  const rises = proposed.map(({ before, after }) => after.falsePositiveRate - before.falsePositiveRate);
  console.log(
    `proposed, with more than .03 false alarms more: ${rises.filter((rise) => rise > 0.03).length} of ${rises.length}`,
    ` everyday flagged ${shown(found.map(({ everyday }) => everyday.before))} -> ${shown(found.map(({ everyday }) => everyday.after))}`,
  );
}
