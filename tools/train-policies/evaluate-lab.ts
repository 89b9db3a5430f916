/**
 * Measures the optimisation lab with few examples: each held-out policy is optimised with some of its own texts, and
 * judged on the others, which the lab never saw. The lab's own estimates stand beside the truth.
 * `node tools/train-policies/evaluate-lab.ts [data sets folder] [--examples 8,12,24] [--every 1] [--tier high]`
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../src/base/random.ts';
import { atCut } from '../../src/engine/evaluation/confusion.ts';
import { areaUnderRoc } from '../../src/engine/evaluation/ranking.ts';
import { loadTextEngine } from '../../src/engine/text/engine.ts';
import { stacked } from '../../src/services/policy-guard/library/heads/layers.ts';
import { cutOf, logitOf } from '../../src/services/policy-guard/learning/optimization/operating-point.ts';
import { optimise, type Tier } from '../../src/services/policy-guard/learning/optimization/optimise.ts';
import { isProposed } from '../../src/services/policy-guard/learning/optimization/is-proposed.ts';
import { type Kind, kinds, type PolicyCase, readCases } from './cases.ts';

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
const sensitivity = { threshold: 0.5, strictnessLevel: 'medium' } as const;
const cut = cutOf(sensitivity);
const objective = { kind: 'f1' } as const;

interface Labelled {
  text: string;
  violates: boolean;
}

const isViolation = (kind: Kind) => kind === 'violating' || kind === 'plain';

/** Of each label the same number of examples; the rest is the truth. */
function split({ texts }: PolicyCase, examples: number, seed: number): [Labelled[], Labelled[]] {
  const random = new Random(seed);
  const of = (violates: boolean) => {
    const all = kinds.filter((kind) => isViolation(kind) === violates).flatMap((kind) => texts[kind]);
    return random.sample(all, all.length).map((text) => ({ text, violates }));
  };
  const [yes, no] = [of(true), of(false)];
  const half = examples / 2;
  return [
    [...yes.slice(0, half), ...no.slice(0, half)],
    [...yes.slice(half), ...no.slice(half)],
  ];
}

const figuresOf = (logits: readonly number[], rows: readonly Labelled[]) => {
  const labels = rows.map(({ violates }) => (violates ? 1 : 0));
  const { recall, falsePositiveRate, f1 } = atCut(logits, labels, cut);
  return { auroc: areaUnderRoc(logits, labels), recall, falsePositiveRate, f1 };
};
type Figures = ReturnType<typeof figuresOf>;

async function measureOne(each: PolicyCase, examples: number, seed: number) {
  const [shown, hidden] = split(each, examples, seed);
  const compiled = engine.compile(each.source);
  const lesson = {
    source: each.source,
    current: compiled,
    untuned: compiled,
    tuning: undefined,
    sensitivity,
    examples: shown,
  };
  const tier = values.tier as Tier;
  const made = await optimise(engine, lesson, { tier, objective, ordinary: true });
  const then = { ...compiled, head: stacked(undefined, made.head) };
  const judged = (policy: typeof compiled) =>
    hidden.map(({ text }) => logitOf(engine.score(engine.analyse(text), policy).probability));
  return {
    isProposed: isProposed(made, shown, sensitivity, objective),
    estimate:
      made.after === null
        ? undefined
        : { ...figuresOf(made.after, shown), auroc: made.afterOrder ?? Number.NaN },
    before: figuresOf(judged(compiled), hidden),
    after: figuresOf(judged(then), hidden),
    everyday: made.ordinary,
  };
}

const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
const shown = (list: readonly number[]) => mean(list).toFixed(3);
const names = ['auroc', 'recall', 'falsePositiveRate', 'f1'] as const satisfies (keyof Figures)[];

for (const examples of values.examples.split(',').map(Number)) {
  const found = [];
  for (const [i, each] of heldOut.entries()) found.push(await measureOne(each, examples, i + 1));
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
