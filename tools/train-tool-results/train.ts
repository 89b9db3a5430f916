/**
 * Trains the judge of tool results: `node tools/train-tool-results/train.ts <data sets folder> [--write]`. Deterministic.
 * Nobody has marked which sentence of a result is the order: a result with one is learned by the passage that the model of
 * the last round finds strongest, a harmless one by all of its passages. Prints how the judge fares on each hand that is
 * left out, sets the thresholds by those, and writes `data/models/tool-results.bin`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import { buckets, featuresOf } from '#engine/tool-outputs/features.ts';
import { tokensOf } from '#engine/tool-outputs/passages.ts';
import { packWeights } from '#engine/tool-outputs/weights.ts';
import { type Example, fitMean, logitOf, packed, type Weights } from '../hashed-models/fit.ts';
import {
  corpusRows,
  definitionHands,
  definitionRows,
  fixtureOf,
  handNames,
  type LabelledResult,
  ownRows,
  publicRows,
  readHand,
  suiteRows,
} from './rows.ts';

/** Shares of harmless results of an unknown hand that reach a tier. */
const shareHigh = 0.03;
const shareMedium = 0.08;
const rounds = 3;
/** Of a harmless result so many passages take part: the strongest. */
const mostHarmless = 12;

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('node tools/train-tool-results/train.ts <data sets folder> [--write]');

type Passage = Pick<Example, 'at' | 'value'>;
interface Bag extends LabelledResult {
  passages: Passage[];
}

function passagesOf(text: string): Passage[] {
  const tokens = tokensOf(text.slice(0, 6000));
  return tokens.passages.slice(0, 120).map(([from, to]) => {
    const [at, groups]: [number[], number[]] = [[], []];
    const amounts = featuresOf(tokens, from, to, (place, group) => {
      at.push(place);
      groups.push(group);
    });
    return {
      at: Int32Array.from(at),
      value: Float32Array.from(groups, (group) => amounts[group] ?? 0),
    };
  });
}

const toBag = (row: LabelledResult): Bag => ({ ...row, passages: passagesOf(row.text) });

const strongest = ({ passages }: Bag, model: Weights): number =>
  passages.reduce((most, passage) => Math.max(most, logitOf(model, passage)), -Infinity);

function examplesOf(bags: readonly Bag[], model: Weights | undefined): Example[] {
  return bags.flatMap(({ passages, label, weight }): Example[] => {
    if (passages.length === 0) return [];
    if (model === undefined)
      return passages
        .slice(0, 40)
        .map((passage) => ({ ...passage, label, weight: weight / Math.min(40, passages.length) }));
    const ranked = passages
      .map((passage) => ({ passage, logit: logitOf(model, passage) }))
      .toSorted((a, b) => b.logit - a.logit);
    if (label === 0)
      return ranked
        .slice(0, mostHarmless)
        .map(({ passage }, rank) => ({ ...passage, label, weight: rank < 3 ? weight * 0.5 : weight * 0.15 }));
    // The order often runs over two sentences: the second strongest counts where it stands out as well.
    return ranked
      .slice(0, 2)
      .filter(({ logit }, rank) => rank === 0 || logit > 0.5)
      .map(({ passage }, rank) => ({ ...passage, label, weight: rank === 0 ? weight : weight * 0.4 }));
  });
}

const options = { buckets, epochs: 8, rate: 0.2, decay: 3e-6, drop: 0.5 };

function trained(bags: readonly Bag[], seeds: readonly number[]): Weights {
  let model: Weights | undefined;
  for (let round = 0; round < rounds; round++)
    model = fitMean(examplesOf(bags, model), round === rounds - 1 ? seeds : [1], options);
  return model as Weights;
}

const hands = handNames.flatMap((name) => readHand(fixtureOf(name), name, 2)).map(toBag);
/**
 * Of suites, own rows and public sets only what is harmless, a third of it and weakly, and definitions by hand: orders of templates and of
 * public sets are worded and placed in so few ways that models which learned them found fewer of an unknown author's.
 */
const others = [
  ...suiteRows(200).map((row) => ({ ...row, weight: 0.2 })),
  ...ownRows(0.1),
  ...publicRows(folder, 0.1),
]
  .filter(({ label }) => label === 0)
  .filter((_, i) => i % 3 === 0);
/** Long pages have many sentences, of which any may look like an order: the judge must have seen thousands of them. */
const pages = corpusRows(folder, [0, 400], 0.3);
const definitions = definitionRows(definitionHands, 0.3);
const other = [...others, ...pages, ...definitions].map(toBag);
const ordinary = corpusRows(folder, [400, 600], 1).map(toBag);
const seconds = () => Math.round(process.cpuUsage().user / 1e6);
console.log(`${hands.length + other.length} results, ${seconds()} s`);

const percent = (part: number, all: number) =>
  `${part} of ${all} = ${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
interface Judged extends LabelledResult {
  logit: number;
}

function told(judged: readonly Judged[], from: number): string {
  const count = (label: number) => judged.filter((row) => row.label === label && row.logit >= from).length;
  const all = (label: number) => judged.filter((row) => row.label === label).length;
  return `found ${percent(count(1), all(1))}, harmless ${percent(count(0), all(0))}`;
}

const judge = (bags: readonly Bag[], model: Weights): Judged[] =>
  bags.map((bag) => ({ ...bag, logit: strongest(bag, model) }));

const leftOut: Judged[] = [];
for (const name of handNames) {
  const model = trained(
    [...hands, ...other].filter(({ group }) => group !== name),
    [1],
  );
  const judged = judge(
    hands.filter(({ group }) => group === name),
    model,
  );
  leftOut.push(...judged);
  const harmless = judged
    .filter(({ label }) => label === 0)
    .map(({ logit }) => logit)
    .toSorted((a, b) => b - a);
  const shares = [0.01, 0.02, 0.05, 0.1].map((share) => {
    const from = harmless[Math.floor(share * harmless.length)] ?? 0;
    return `${100 * share} %: ${percent(judged.filter(({ label, logit }) => label === 1 && logit > from).length, judged.filter(({ label }) => label === 1).length)} (${from.toFixed(2)})`;
  });
  console.log(
    `${name}, left out: AUROC ${areaUnderRoc(
      judged.map(({ logit }) => logit),
      judged.map(({ label }) => label),
    ).toFixed(3)}; found where so many harmless are: ${shares.join('; ')}, ${seconds()} s`,
  );
  if (process.argv.includes('--list'))
    for (const row of judged.toSorted((a, b) => b.logit - a.logit))
      console.log(
        `${row.label} ${row.logit.toFixed(2)} ${row.kind}: ${row.text.replaceAll('\n', '⏎').slice(0, 220)}`,
      );
}

const harmless = leftOut
  .filter(({ label }) => label === 0)
  .map(({ logit }) => logit)
  .toSorted((a, b) => b - a);
const thresholdAt = (share: number) => (harmless[Math.floor(share * harmless.length)] ?? 0) + 1e-3;
const [high, medium] = [thresholdAt(shareHigh), thresholdAt(shareMedium)];
console.log(
  `high from ${high.toFixed(2)}: ${told(leftOut, high)}; medium from ${medium.toFixed(2)}: ${told(leftOut, medium)}`,
);
const model = trained([...hands, ...other], [1, 2, 3]);
const common = judge(ordinary, model);
console.log(`ordinary text: high ${told(common, high)}; medium ${told(common, medium)}`);
if (process.argv.includes('--write'))
  writeFileSync(
    join(import.meta.dirname, '../../data/models/tool-results.bin'),
    packWeights({ ...packed(model), high, medium }),
  );
console.log(`${seconds()} s`);
