/**
 * Trains the judge of tool descriptions: `node tools/train-descriptions/train.ts <data sets folder>`. Deterministic: reads
 * `data/descriptions`, rows of `data/training` about injections, and tools of the data sets folder; writes
 * `data/models/descriptions.bin`. Prints how models fare on repositories, manners and sets that they were not trained on.
 * The thresholds are set by harmless tools of repositories that were left out.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wilsonInterval } from '#engine/evaluation/intervals.ts';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import { checkTexts } from '#engine/descriptions/check-tool.ts';
import { judgeSentences } from '#engine/descriptions/judge-sentences.ts';
import { textsOf, type DescribedTool } from '#engine/descriptions/tool.ts';
import { packWeights, type DescriptionWeights } from '#engine/descriptions/weights.ts';
import { fit, logitOf, toExample, type Example, type Weights } from './fit.ts';
import {
  handRows,
  harmlessRows,
  poisonedRows,
  readFixture,
  readSet,
  templateRows,
  textRows,
  type LabelledTool,
} from './rows.ts';

/** Shares of harmless tools of unknown repositories that reach a tier. */
const shareHigh = 0.007;
const shareMedium = 0.025;
/** A fixed sign says the same there. */
const shareSupport = 0.06;
const folds = 5;
const seeds = [1, 2, 3];
const otherSets = [
  'cisco_evals_remote',
  'damn_vulnerable_mcp',
  'mcpsecbench',
  'saf_mcp_examples',
  'hijack_agentic_ai',
];

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node tools/train-descriptions/train.ts <data sets folder>');

const publicTools = readSet(folder, 'public_servers');
const others = otherSets.flatMap((name) => readSet(folder, name));
const rows = [
  ...templateRows({ copies: 24, seed: 5 }),
  ...harmlessRows(publicTools, 0.5),
  ...harmlessRows(others, 0.3),
  ...poisonedRows(others, 0.6),
  ...textRows(['agent-injections', 'injection-direct', 'override-wordings'], 0.3),
  ...textRows(['about-attacks', 'injection-words', 'document-orders', 'agent-traffic'], 0.15),
];
/** Definitions by another author: of the poisoned ones the sentences that a first model finds worst. */
const byHand = readFixture(
  join(import.meta.dirname, '../../test/fixtures/tool-descriptions/by-another-hand.jsonl'),
);
const first = quantised(trained(rows.map(toExample), [1]));
rows.push(
  ...handRows(byHand, 2.5, (tool) => judgeSentences(textsOf(tool), first).sentences.map(({ unit }) => unit)),
);
const examples = rows.map(toExample);

/** The mean of models that saw the rows in different orders, as whole numbers. */
function trained(some: readonly Example[], orders: readonly number[]): Weights {
  const models = orders.map((seed) => fit(some, { seed }));
  const weights = new Float32Array(models[0]?.weights.length ?? 0);
  for (const model of models)
    for (const [bucket, weight] of model.weights.entries())
      weights[bucket] = (weights[bucket] ?? 0) + weight / models.length;
  return { weights, bias: models.reduce((sum, { bias }) => sum + bias, 0) / models.length };
}

function quantised({ weights, bias }: Weights): DescriptionWeights {
  let largest = 0;
  for (const weight of weights) largest = Math.max(largest, Math.abs(weight));
  const scale = largest / 127;
  return {
    bias,
    scale,
    weights: Int8Array.from(weights, (weight) => Math.round(weight / scale)),
    high: 0,
    medium: 0,
    support: 0,
  };
}

const worstOf = (tool: DescribedTool, model: DescriptionWeights) =>
  judgeSentences(textsOf(tool), model).sentences[0] ?? { logit: -99, unit: { text: '' } };

const foldOf = new Map<string, number>();
for (const { group } of examples) if (!foldOf.has(group)) foldOf.set(group, foldOf.size % folds);
const unseen: (LabelledTool & { logit: number; text: string })[] = [];
const unseenRows: { logit: number; label: number; group: string }[] = [];
for (let fold = 0; fold < folds; fold++) {
  const model = trained(
    examples.filter(({ group }) => foldOf.get(group) !== fold),
    seeds.slice(0, 1),
  );
  const small = quantised(model);
  for (const each of [...publicTools, ...others])
    if (foldOf.get(each.group) === fold) {
      const { logit, unit } = worstOf(each.tool, small);
      unseen.push({ ...each, logit, text: unit.text });
    }
  for (const each of examples)
    if (foldOf.get(each.group) === fold && /^(?:bad|good|hand) /.test(each.group))
      unseenRows.push({ logit: logitOf(model, each), label: each.label, group: each.group });
}

const repositories = new Set(publicTools.map(({ group }) => group));
const harmless = unseen.filter(({ group }) => repositories.has(group)).sort((a, b) => b.logit - a.logit);
const thresholdAt = (share: number) => {
  const [above, below] = [Math.floor(harmless.length * share), Math.floor(harmless.length * share) + 1];
  return ((harmless[above]?.logit ?? 0) + (harmless[below]?.logit ?? 0)) / 2;
};
const high = thresholdAt(shareHigh);
const medium = thresholdAt(shareMedium);
const support = thresholdAt(shareSupport);

const share = (list: readonly { logit: number }[], from: number) => {
  const count = list.filter(({ logit }) => logit >= from).length;
  const { low, high: top } = wilsonInterval(count, list.length);
  return `${count} of ${list.length} (${low.toFixed(3)}–${top.toFixed(3)})`;
};
console.log(
  `${rows.length} rows; high from ${high.toFixed(2)}, medium from ${medium.toFixed(2)}, support from ${support.toFixed(2)}`,
);
console.log(
  `harmless tools of repositories left out: high ${share(harmless, high)}, medium ${share(harmless, medium)}`,
);
for (const { logit, group, tool, text } of harmless.slice(0, 10))
  console.log(`  ${logit.toFixed(2)} ${group} ${tool.name}: ${text.slice(0, 120)}`);
console.log(
  `sentences of manners left out: AUROC ${areaUnderRoc(
    unseenRows.map(({ logit }) => logit),
    unseenRows.map(({ label }) => label),
  ).toFixed(3)}, poisoned at high ${share(
    unseenRows.filter(({ label }) => label === 1),
    high,
  )}, harmless ${share(
    unseenRows.filter(({ label }) => label === 0),
    high,
  )}`,
);
for (const name of otherSets) {
  const own = unseen.filter(({ group }) => group === name);
  console.log(
    `${name}, left out: poisoned ${share(
      own.filter(({ label }) => label === 1),
      high,
    )}, harmless ${share(
      own.filter(({ label }) => label === 0),
      high,
    )}`,
  );
}

const model: DescriptionWeights = { ...quantised(trained(examples, seeds)), high, medium, support };
writeFileSync(join(import.meta.dirname, '../../data/models/descriptions.bin'), packWeights(model));
const synthetic = readSet(folder, 'synthetic_poison');
console.log(
  `synthetic_poison, whole check: ${synthetic.filter(({ tool }) => checkTexts(tool).flagged).length} of ${synthetic.length}`,
);
