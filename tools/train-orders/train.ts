/**
 * Trains the judges of tool descriptions and of tool results: `node tools/train-orders/train.ts <data sets folder>
 * [--write]`. Each has a linear model of its own; both share a net, which learns from the sentences of both. Deterministic:
 * writes `data/models/descriptions.bin`, `tool-results.bin` and `order-net.bin` (`--write`). The thresholds are set by harmless
 * tools of repositories, and by ordinary pages, that were not learned from.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '#base/random.ts';
import { packWeights as packDescriptions } from '#engine/descriptions/weights.ts';
import { wilsonInterval } from '#engine/evaluation/intervals.ts';
import { OrderNet, packOrderNet } from '#engine/order-net/order-net.ts';
import { piecesOf } from '#engine/tool-outputs/pieces.ts';
import { strongestPassage } from '#engine/tool-outputs/reader-orders.ts';
import { packWeights as packResults, type ResultWeights } from '#engine/tool-outputs/weights.ts';
import { logitOf, packed, type Weights } from '../hashed-models/fit.ts';
import {
  type Definition,
  otherSets,
  readDescriptions,
  trainedDescriptions,
  worstOf,
} from './descriptions.ts';
import { excerptsOf, netSentences, readResults, strongest, toBag, trainedLinear } from './results.ts';
import { joinedBy, type NetSentence, type NetShare, readWordTable, trainOrderNet } from './train-net.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('node tools/train-orders/train.ts <data sets folder> [--write]');
const models = join(import.meta.dirname, '../../data/models');
const seeds = [1, 2, 3];
const netRun = { steps: 1500, seed: 1 };
const fixed = readWordTable();
const log = (line: string) =>
  console.log(`${Math.round(process.cpuUsage().user / 1e6)} s of a processor: ${line}`);

const share = (list: readonly number[], from: number) => {
  const count = list.filter((logit) => logit >= from).length;
  const { low, high } = wilsonInterval(count, list.length);
  return `${count} of ${list.length} (${low.toFixed(4)}–${high.toFixed(4)})`;
};

/** Half-way between the last value that reaches a share and the first that does not. */
function thresholdAt(part: number, logits: readonly number[]): number {
  const sorted = logits.toSorted((a, b) => b - a);
  const at = Math.floor(sorted.length * part);
  return ((sorted[at] ?? 0) + (sorted[at + 1] ?? 0)) / 2;
}

const results = readResults(folder);
log(`${results.linear.length + results.net.length} answers`);
const resultModel = trainedLinear(results.linear, seeds);
const ofResults = netSentences([...results.linear, ...results.net], resultModel);
log(`results: ${results.linear.length} answers, ${ofResults.length} sentences for the net`);

const { rows, hands, tools, repositories } = readDescriptions(folder);
const net = (ofDescriptions: readonly NetSentence[]) =>
  trainOrderNet([ofResults, ofDescriptions], fixed, netRun);

/** Shares of harmless tools of unknown repositories that reach a tier of descriptions. */
const toolShares = { high: 0.007, medium: 0.025, support: 0.06 };
/** What the net weighs against the linear model, each in its own deviations. */
const netWeights = { descriptions: 1, results: 0.7 };
const folds = 2;

/** What both models say of tools of repositories and sets that neither was trained on, and what the net counts. */
function unseenTools(): { logits: Map<Definition, number>; scale: NetShare } {
  const foldOf = new Map<string, number>();
  for (const { group } of rows) if (!foldOf.has(group)) foldOf.set(group, foldOf.size % folds);
  const logits = new Map<Definition, number>();
  const scales: NetShare[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const isOut = ({ group }: { group: string }) => foldOf.get(group) === fold;
    const { linear, sentences } = trainedDescriptions(
      rows.filter((row) => !isOut(row)),
      hands,
      [1],
    );
    const reader = new OrderNet(net(sentences));
    const out = tools.filter(isOut);
    const harmless = out
      .filter(({ group }) => repositories.has(group))
      .flatMap((definition) => definition.sentences);
    const scale = joinedBy(
      harmless.map((sentence) => logitOf(linear, sentence)),
      harmless.map(({ text }) => reader.logit(text)),
      netWeights.descriptions,
    );
    scales.push(scale);
    for (const each of out) logits.set(each, worstOf(each, { linear, net: reader, scale }));
    log(`descriptions: fold ${fold}`);
  }
  const meanOf = (name: keyof NetShare) => scales.reduce((sum, each) => sum + each[name], 0) / folds;
  return { logits, scale: { mean: meanOf('mean'), share: meanOf('share') } };
}

const unseen = unseenTools();
const ofTools = (isOne: (each: Definition) => boolean) =>
  [...unseen.logits].flatMap(([each, logit]) => (isOne(each) ? [logit] : []));
const harmlessTools = ofTools(({ group }) => repositories.has(group));
const [high, medium, support] = [toolShares.high, toolShares.medium, toolShares.support].map((part) =>
  thresholdAt(part, harmlessTools),
) as [number, number, number];
log(
  `descriptions: high from ${high.toFixed(2)}, medium from ${medium.toFixed(2)}, support from ${support.toFixed(2)}; of harmless tools of repositories left out high ${share(harmlessTools, high)}, medium ${share(harmlessTools, medium)}`,
);
for (const name of otherSets)
  log(
    `${name}, left out: poisoned ${share(
      ofTools((each) => each.group === name && each.label === 1),
      high,
    )}, harmless ${share(
      ofTools((each) => each.group === name && each.label === 0),
      high,
    )}`,
  );
const descriptions = trainedDescriptions(rows, hands, seeds);
const shared = net(descriptions.sentences);
const reader = new OrderNet(shared);
log('the net');

/** Shares of ordinary pages and excerpts of pages, as many of both, that reach a tier of results. */
const pageShares = { high: 0.0015, medium: 0.01 };
/** The net is asked about texts that reach, by the linear model, what this share of pages reach. */
const askedShare = 0.3;
/** Taken off a result for each time that it has e times as many passages, in deviations of the linear model. */
const perLogDeviations = 0.2;
/** Of the passages of ordinary pages every so manyth is measured. */
const measuredPassages = 7;

/** What the results' linear model and the net count together, without thresholds. */
function joinedResults(linear: Weights): ResultWeights {
  const bags = results.ordinary.map(toBag);
  const passages = bags.flatMap((bag) => bag.passages).filter((_, i) => i % measuredPassages === 0);
  const linearLogits = passages.map((passage) => logitOf(linear, passage));
  const scale = joinedBy(
    linearLogits,
    passages.map(({ text }) => reader.logit(text)),
    netWeights.results,
  );
  const mean = linearLogits.reduce((sum, each) => sum + each, 0) / linearLogits.length;
  const deviation = Math.sqrt(
    linearLogits.reduce((sum, each) => sum + (each - mean) ** 2, 0) / linearLogits.length,
  );
  return {
    ...packed(linear),
    net: scale,
    asked: thresholdAt(
      askedShare,
      bags.map((bag) => strongest(bag, linear)),
    ),
    perLog: perLogDeviations * deviation,
    high: 0,
    medium: 0,
  };
}

const joined = joinedResults(resultModel);
const logitsOf = (texts: readonly { text: string }[]) =>
  texts.map(({ text }) =>
    [...piecesOf(text)].reduce(
      (most, piece) => Math.max(most, strongestPassage(piece, joined, reader)?.logit ?? -99),
      -99,
    ),
  );
const excerpts = excerptsOf(results.ordinary, new Random('excerpts'));
const [ofPages, ofExcerpts] = [logitsOf(results.ordinary), logitsOf(excerpts)];
const [withheld, marked] = [pageShares.high, pageShares.medium].map((part) =>
  thresholdAt(part, [...ofPages, ...ofExcerpts]),
) as [number, number];
log(
  `results: high from ${withheld.toFixed(2)}, medium from ${marked.toFixed(2)}; pages high ${share(ofPages, withheld)}, medium ${share(ofPages, marked)}; excerpts high ${share(ofExcerpts, withheld)}, medium ${share(ofExcerpts, marked)}`,
);

if (process.argv.includes('--write')) {
  writeFileSync(
    join(models, 'descriptions.bin'),
    packDescriptions({ ...packed(descriptions.linear), net: unseen.scale, high, medium, support }),
  );
  writeFileSync(join(models, 'tool-results.bin'), packResults({ ...joined, high: withheld, medium: marked }));
  writeFileSync(join(models, 'order-net.bin'), packOrderNet(shared));
}
