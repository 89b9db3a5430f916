/**
 * Trains the judge of tool descriptions: `node tools/train-descriptions/train.ts <data sets folder> [--left-out] [--write]`.
 * Deterministic: reads `data/descriptions`, rows of `data/training` about injections, definitions of six authors, and tools
 * of the data sets folder; writes `data/models/descriptions.bin` (`--write`). The thresholds are set by harmless tools of
 * repositories that were left out. Prints how models fare on sets, and on authors (`--left-out`), that they were not
 * trained on.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wilsonInterval } from '#engine/evaluation/intervals.ts';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import { checkTexts } from '#engine/descriptions/check-tool.ts';
import { buckets, readUnit } from '#engine/descriptions/features.ts';
import { textsOf } from '#engine/descriptions/tool.ts';
import { unitsOf, type Unit } from '#engine/descriptions/units.ts';
import { viewsOf } from '#engine/descriptions/views.ts';
import { packWeights } from '#engine/descriptions/weights.ts';
import { type Example, fitMean, logitOf, packed, type Weights } from '../hashed-models/fit.ts';
import { pairedDefinitions } from './pairs.ts';
import {
  handNames,
  harmlessRows,
  poisonedRows,
  readHand,
  readSet,
  templateRows,
  textRows,
  type LabelledTool,
  type Row,
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
if (folder === undefined)
  throw new Error('node tools/train-descriptions/train.ts <data sets folder> [--left-out] [--write]');

type Sentence = Pick<Example, 'at' | 'value'>;
type Grouped = Example & { group: string };
type Definition = LabelledTool & { sentences: (Sentence & { isOrder: boolean })[] };

function sentenceOf(unit: Unit): Sentence {
  const { features } = readUnit(unit);
  return {
    at: Int32Array.from(features, ({ bucket }) => bucket),
    value: Float32Array.from(features, ({ value }) => value),
  };
}

const toExample = ({ unit, label, weight, group }: Row): Grouped => ({
  ...sentenceOf(unit),
  label,
  weight,
  group,
});

/** Names and values are within too many sentences. */
const fewestLetters = 12;

/** Whether a unit lies within the sentence that steers, or holds it. */
const isPart = (unit: string, order: string): boolean => order.includes(unit) || unit.includes(order);

const toDefinition = (tool: LabelledTool): Definition => ({
  ...tool,
  sentences: textsOf(tool.tool)
    .flatMap(({ field, text }) =>
      viewsOf(text).flatMap((view) => unitsOf({ field, text: view.kind === 'plain' ? text : view.text })),
    )
    .map((unit) => ({
      ...sentenceOf(unit),
      isOrder: tool.order !== undefined && unit.text.length > fewestLetters && isPart(unit.text, tool.order),
    })),
});

const publicTools = readSet(folder, 'public_servers');
const others = otherSets.flatMap((name) => readSet(folder, name));
const examples = [
  // Templates weigh little: what they teach most is the wording of their author.
  ...templateRows({ copies: 16, seed: 5 }).map((row) => ({ ...row, weight: row.weight * weightOf(row) })),
  ...harmlessRows(publicTools, 1),
  ...harmlessRows(others, 0.3),
  ...poisonedRows(others, 0.6),
  ...textRows(['agent-injections', 'injection-direct', 'override-wordings'], 0.3),
  ...textRows(['about-attacks', 'injection-words', 'document-orders', 'agent-traffic'], 0.15),
].map(toExample);
const hands = [...handNames.flatMap((name) => readHand(name)), ...pairedDefinitions()].map(toDefinition);

/** Templates that pair what an order touches with what a tool may say of itself count more than single wordings. */
function weightOf({ group }: Row): number {
  if (group === 'bad touch-blunt') return 2.5;
  return /touch|own-/.test(group) ? 1 : 0.6;
}

const worstOf = ({ sentences }: Definition, model: Weights): number =>
  sentences.reduce((most, sentence) => Math.max(most, logitOf(model, sentence)), -99);

/**
 * What is learned of definitions by hand. Where nobody has marked the sentence that steers, the two count that `model`
 * finds worst; of a harmless definition a dozen.
 */
const learnedOf = (definitions: readonly Definition[], model: Weights): Grouped[] =>
  definitions.flatMap(({ sentences, label, group }) => {
    const orders = sentences.filter(({ isOrder }) => isOrder);
    return (orders.length > 0 ? orders : sentences)
      .map((sentence) => ({ sentence, logit: logitOf(model, sentence) }))
      .toSorted((a, b) => b.logit - a.logit)
      .slice(0, label === 1 ? 2 : 12)
      .map(({ sentence }, rank) => {
        const weight = label === 1 ? (rank === 0 ? 16 : 4) : rank < 3 ? 8 : 2.4;
        return { ...sentence, label, weight, group };
      });
  });

const options = { buckets, epochs: 8, rate: 0.25, decay: 2e-6, drop: 0.5 };
const quick = { ...options, epochs: 2 };

/** The mean of models that saw the rows in different orders, in three rounds. */
function trained(
  some: readonly Grouped[],
  byHand: readonly Definition[],
  orders: readonly number[],
): Weights {
  const first = fitMean(some, [1], quick);
  const second = fitMean([...some, ...learnedOf(byHand, first)], [1], options);
  return fitMean([...some, ...learnedOf(byHand, second)], orders, options);
}

const repositories = new Set(publicTools.map(({ group }) => group));
const definitions = [...publicTools, ...others].map(toDefinition);
const foldOf = new Map<string, number>();
for (const { group } of examples) if (!foldOf.has(group)) foldOf.set(group, foldOf.size % folds);
const unseen: (LabelledTool & { logit: number })[] = [];
for (let fold = 0; fold < folds; fold++) {
  const model = trained(
    examples.filter(({ group }) => foldOf.get(group) !== fold),
    hands,
    [1],
  );
  for (const each of definitions)
    if (foldOf.get(each.group) === fold) unseen.push({ ...each, logit: worstOf(each, model) });
}

const harmless = unseen.filter(({ group }) => repositories.has(group)).sort((a, b) => b.logit - a.logit);
const thresholdAt = (share: number) => {
  const [above, below] = [Math.floor(harmless.length * share), Math.floor(harmless.length * share) + 1];
  return ((harmless[above]?.logit ?? 0) + (harmless[below]?.logit ?? 0)) / 2;
};
const [high, medium, support] = [thresholdAt(shareHigh), thresholdAt(shareMedium), thresholdAt(shareSupport)];

const share = (list: readonly { logit: number }[], from: number) => {
  const count = list.filter(({ logit }) => logit >= from).length;
  const { low, high: top } = wilsonInterval(count, list.length);
  return `${count} of ${list.length} (${low.toFixed(3)}–${top.toFixed(3)})`;
};
console.log(
  `${examples.length} rows; high from ${high.toFixed(2)}, medium from ${medium.toFixed(2)}, support from ${support.toFixed(2)}`,
);
console.log(
  `harmless tools of repositories left out: high ${share(harmless, high)}, medium ${share(harmless, medium)}`,
);
for (const name of otherSets) {
  const own = unseen.filter(({ group }) => group === name);
  const at = (label: number) =>
    share(
      own.filter((each) => each.label === label),
      high,
    );
  console.log(`${name}, left out: poisoned ${at(1)}, harmless ${at(0)}`);
}

/** An author who is left out: found and flagged at the thresholds. */
function tellLeftOut(name: string): void {
  const model = trained(
    examples,
    hands.filter(({ group }) => group !== `hand ${name}`),
    [1],
  );
  const own = hands
    .filter(({ group }) => group === `hand ${name}`)
    .map((each) => ({ label: each.label, logit: worstOf(each, model) }));
  const ranking = areaUnderRoc(
    own.map(({ logit }) => logit),
    own.map(({ label }) => label),
  );
  const [poisoned, fine] = [1, 0].map((label) => own.filter((each) => each.label === label)) as [
    typeof own,
    typeof own,
  ];
  console.log(
    `${name}, left out: AUROC ${ranking.toFixed(3)}, high: ${share(poisoned, high)}, harmless ${share(fine, high)}; medium: ${share(poisoned, medium)}, harmless ${share(fine, medium)}`,
  );
}
if (process.argv.includes('--left-out')) for (const name of handNames) tellLeftOut(name);

if (process.argv.includes('--write')) {
  const model = { ...packed(trained(examples, hands, seeds)), high, medium, support };
  writeFileSync(join(import.meta.dirname, '../../data/models/descriptions.bin'), packWeights(model));
  const synthetic = readSet(folder, 'synthetic_poison');
  console.log(
    `synthetic_poison, whole check: ${synthetic.filter(({ tool }) => checkTexts(tool).flagged).length} of ${synthetic.length}`,
  );
}
