/**
 * Measures the optimisation lab: each policy is optimised with 100 labelled rows and judged on rows that the lab has
 * never seen. `node tools/train-text/evaluate-optimization.ts [data sets folder] [--tier fast|high|max] [--objective
 * f1|recall_at_fpr] [--draws 1]`
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTextEngine } from '../../src/engine/text/engine.ts';
import { atCut } from '../../src/engine/evaluation/confusion.ts';
import { labelId } from '../../src/engine/text/label-ids.ts';
import { detectorSlugs, type DetectorSlug, type PolicySource } from '../../src/engine/text/types.ts';
import { stacked } from '../../src/services/policy-guard/library/heads/layers.ts';
import { optimise, type Tier } from '../../src/services/policy-guard/learning/optimization/optimise.ts';
import {
  cutOf,
  type Objective,
} from '../../src/services/policy-guard/learning/optimization/operating-point.ts';
import { policyCases } from './policy-cases.ts';
import { Random } from '../../src/base/random.ts';
import { detectorIds, type LabelledRow, readDataSets } from './rows.ts';

/** A policy and the rows on which it is measured. */
interface Case {
  readonly name: string;
  readonly policy: PolicySource;
  readonly positives: readonly LabelledRow[];
  readonly negatives: readonly LabelledRow[];
}

/** Built-in policies on sets written by people and not used for training. */
const builtIn: readonly [slug: DetectorSlug, source: string][] = [
  ['hate-bias-discrimination', 'stormfront'],
  ['hate-bias-discrimination', 'hatemoji_check'],
  ['profanity-offensive-language', 'surge_toxicity'],
  ['profanity-offensive-language', 'wiki_toxicity_test'],
];

const examplesOf = { positives: 40, negatives: 60 };
/** Number of rows that the lab never sees; more would only take longer. */
const mostHeldOut = 1000;

function customCases(rows: readonly LabelledRow[]): Case[] {
  return policyCases.map(({ source, categories, name, description, block, safe }) => {
    const set = rows.filter((row) => row.source === source);
    const isOf = ({ category }: LabelledRow) => categories.includes(category ?? '');
    return {
      name,
      policy: { name, description, blockActivities: block, safeActivities: safe },
      positives: set.filter(isOf),
      negatives: set.filter((row) => !isOf(row)),
    };
  });
}

function builtInCases(rows: readonly LabelledRow[]): Case[] {
  return builtIn.map(([detector, source]) => {
    const column = detectorIds.findIndex((id) => id === labelId(detector));
    const set = rows.filter((row) => row.source === source);
    return {
      name: `${detectorSlugs.find((slug) => slug === detector)}: ${source}`.slice(0, 44),
      policy: { name: detector, description: '', blockActivities: [], safeActivities: [], detector },
      positives: set.filter(({ labels }) => labels[column] === 1),
      negatives: set.filter(({ labels }) => labels[column] === 0),
    };
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string', multiple: true, default: ['fast', 'high', 'max'] },
    objective: { type: 'string', default: 'f1' },
    draws: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const objective: Objective =
  values.objective === 'f1' ? { kind: 'f1' } : { kind: 'recall_at_fpr', maxFalsePositiveRate: 0.05 };
const engine = await loadTextEngine();
const rows = readDataSets(positionals[0] ?? join(import.meta.dirname, '../../../shared/datasets'));
const cases = [...customCases(rows), ...builtInCases(rows)].filter(
  ({ name }) => values.only === undefined || name.includes(values.only),
);
const sensitivity = { threshold: 0.5, strictnessLevel: 'medium' } as const;
const cut = cutOf(sensitivity);

interface Figures {
  readonly f1: number;
  readonly recall: number;
  readonly falsePositiveRate: number;
}

const show = ({ f1, recall, falsePositiveRate }: Figures) =>
  [f1, recall, falsePositiveRate].map((value) => value.toFixed(3)).join(' ');

async function measureOne({ policy, positives, negatives }: Case, tier: Tier, seed: number) {
  const random = new Random(seed);
  const [yes, no] = [[...positives], [...negatives]].map((list) =>
    list
      .map((row) => ({ row, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ row }) => row),
  ) as [LabelledRow[], LabelledRow[]];
  const shown = Math.min(examplesOf.positives, Math.floor(yes.length / 2));
  const examples = [
    ...yes.slice(0, shown).map(({ text }) => ({ text, violates: true })),
    ...no
      .slice(0, examplesOf.positives + examplesOf.negatives - shown)
      .map(({ text }) => ({ text, violates: false })),
  ]
    .map((example) => ({ example, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ example }) => example);
  const known = new Set(examples.map(({ text }) => text));
  const rest = (list: readonly LabelledRow[]) => list.filter(({ text }) => !known.has(text));
  const share = shown / examples.length;
  const positivesLeft = rest(yes).slice(0, mostHeldOut * share);
  // In the proportion of the examples, because F1 depends on it.
  const negativesLeft = rest(no).slice(0, Math.round((positivesLeft.length * (1 - share)) / share));
  const heldOut = [...positivesLeft, ...negativesLeft];
  const compiled = engine.compile(policy);
  const started = performance.now();
  const used = process.cpuUsage();
  const made = await optimise(
    engine,
    { source: policy, current: compiled, untuned: compiled, tuning: undefined, sensitivity, examples },
    { tier, objective, ordinary: true },
  );
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(used);
  const processorSeconds = (user + system) / 1e6;
  const labels = examples.map(({ violates }) => (violates ? 1 : 0));
  const reworded =
    made.wording === undefined ? compiled : engine.compile({ ...policy, ...made.wording.wording });
  const then = { ...reworded, head: stacked(undefined, made.head) };
  const truth = heldOut.map((_, i) => (i < positivesLeft.length ? 1 : 0));
  const logits = heldOut.map(({ text }) => {
    const analysis = engine.analyse(text);
    return [compiled, then].map((each) => engine.score(analysis, each).probability);
  });
  return {
    seconds,
    processorSeconds,
    made,
    examples: `${shown}+${examples.length - shown}`,
    crossBefore: atCut(made.before, labels, cut),
    crossAfter: made.after === null ? undefined : atCut(made.after, labels, cut),
    heldBefore: atCut(
      logits.map(([now = 0]) => now),
      truth,
      sensitivity.threshold,
    ),
    heldAfter: atCut(
      logits.map(([, later = 0]) => later),
      truth,
      sensitivity.threshold,
    ),
    rows: heldOut.length,
  };
}

for (const tier of values.tier as Tier[]) {
  console.log(`\n${tier}: F1, recall, false-positive rate at the group's threshold`);
  console.log(
    'policy'.padEnd(46),
    'examples  cross-validated before -> after            rows unseen, before -> after             everyday flagged  seconds (of a processor)',
  );
  const risen = { cross: 0, held: 0, all: 0 };
  const slowest = { seconds: 0, processorSeconds: 0 };
  for (const each of cases) {
    for (let draw = 0; draw < Number(values.draws); draw += 1) {
      const found = await measureOne(each, tier, 17 + draw);
      const { crossBefore, crossAfter, heldBefore, heldAfter, made } = found;
      risen.all += 1;
      if (crossAfter !== undefined && crossAfter.f1 > crossBefore.f1) risen.cross += 1;
      if (heldAfter.f1 > heldBefore.f1) risen.held += 1;
      slowest.seconds = Math.max(slowest.seconds, found.seconds);
      slowest.processorSeconds = Math.max(slowest.processorSeconds, found.processorSeconds);
      console.log(
        each.name.padEnd(46),
        found.examples.padEnd(9),
        `${show(crossBefore)} -> ${crossAfter === undefined ? '-' : show(crossAfter)}`,
        ` ${String(found.rows).padStart(4)} ${show(heldBefore)} -> ${show(heldAfter)}`,
        ` ${made.ordinary.before.toFixed(3)} -> ${made.ordinary.after.toFixed(3)}`,
        ` ${found.seconds.toFixed(2)} (${found.processorSeconds.toFixed(2)})`,
        made.scale === null ? `shift ${made.shift}` : `head at ${made.scale}, shift ${made.shift}`,
        made.wording?.what.join('; ') ?? '',
      );
    }
  }
  console.log(
    `F1 rose by cross-validation in ${risen.cross} of ${risen.all}, on unseen rows in ${risen.held}; the slowest took ${slowest.seconds.toFixed(2)} s, or ${slowest.processorSeconds.toFixed(2)} s of a processor`,
  );
}
