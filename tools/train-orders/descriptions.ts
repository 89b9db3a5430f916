/** What the judge of descriptions learns from definitions and rows, and its linear model. */
import { buckets, readUnit } from '#engine/descriptions/features.ts';
import { mostRead } from '#engine/descriptions/judge-sentences.ts';
import { textsOf } from '#engine/descriptions/tool.ts';
import { unitsOf, type Unit } from '#engine/descriptions/units.ts';
import { viewsOf } from '#engine/descriptions/views.ts';
import type { OrderNet } from '#engine/order-net/order-net.ts';
import { type Example, fitMean, logitOf, type Weights } from '../hashed-models/fit.ts';
import { pairedDefinitions, pairNames, pairsOf } from '../train-descriptions/pairs.ts';
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
} from '../train-descriptions/rows.ts';
import type { NetShare } from './train-net.ts';

/** A sentence, with its features for the linear model. */
export interface Sentence extends Pick<Example, 'at' | 'value'> {
  text: string;
}

/** A sentence that is learned; those of one group are left out together. */
export interface Learned extends Example {
  text: string;
  group: string;
}

export interface Definition extends LabelledTool {
  sentences: (Sentence & { isOrder: boolean })[];
}

function sentenceOf(unit: Unit): Sentence {
  const { features } = readUnit(unit);
  return {
    text: unit.text,
    at: Int32Array.from(features, ({ bucket }) => bucket),
    value: Float32Array.from(features, ({ value }) => value),
  };
}

const toLearned = ({ unit, label, weight, group }: Row): Learned => ({
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

/** Authors of hundreds of pairs: of their harmless definitions the sentence in the place of the order comes first. */
const isOfPairs = ({ group }: { group: string }): boolean =>
  pairNames.some((name) => group === `hand ${name}`);

/** What the sentences of a definition weigh, by their rank, of either label. */
const weightOf = (label: 0 | 1, rank: number): number =>
  label === 1 ? (rank === 0 ? 16 : 4) : rank < 3 ? 8 : 2.4;

/**
 * What is learned of definitions by hand. Where nobody has marked the sentence that steers, the two count that `model`
 * finds worst; of a harmless definition a dozen, that in the place of an order first.
 */
const learnedOf = (definitions: readonly Definition[], model: Weights, ofPairs: number): Learned[] =>
  definitions.flatMap((definition) => {
    const { sentences, label, group } = definition;
    const orders = sentences.filter(({ isOrder }) => isOrder);
    const byLogit = (some: readonly Sentence[]) =>
      some
        .map((sentence) => ({ sentence, logit: logitOf(model, sentence) }))
        .toSorted((a, b) => b.logit - a.logit);
    const ranked =
      label === 1
        ? byLogit(orders.length > 0 ? orders : sentences)
        : [...byLogit(orders), ...byLogit(sentences.filter(({ isOrder }) => !isOrder))];
    const share = isOfPairs(definition) ? ofPairs : 1;
    return ranked
      .slice(0, label === 1 ? 2 : isOfPairs(definition) ? 6 : 12)
      .map(({ sentence: { text, at, value } }, rank) => ({
        text,
        at,
        value,
        label,
        weight: share * weightOf(label, rank),
        group,
      }));
  });

const options = { buckets, epochs: 8, rate: 0.25, decay: 2e-6, drop: 0.5 };
const quick = { ...options, epochs: 2 };

/** What a pair counts in the linear model and in the net, beside a definition by hand: there are hundreds of each author. */
const pairsInLinear = 0.5;
const pairsInNet = 1;

/** The mean of linear models that saw the rows in different orders, in three rounds; and what the net learns. */
export function trainedDescriptions(
  rows: readonly Learned[],
  byHand: readonly Definition[],
  seeds: readonly number[],
): { linear: Weights; sentences: Learned[] } {
  const first = fitMean(rows, [1], quick);
  const second = fitMean([...rows, ...learnedOf(byHand, first, pairsInLinear)], [1], options);
  const linear = fitMean([...rows, ...learnedOf(byHand, second, pairsInLinear)], seeds, options);
  return { linear, sentences: [...rows, ...learnedOf(byHand, linear, pairsInNet)] };
}

/** What both models together say of the worst sentence, as `judgeSentences` joins them. */
export function worstOf(
  { sentences }: Definition,
  { linear, net, scale }: { linear: Weights; net: OrderNet; scale: NetShare },
): number {
  return sentences
    .map((sentence) => ({ text: sentence.text, logit: logitOf(linear, sentence) }))
    .toSorted((a, b) => b.logit - a.logit)
    .reduce(
      (most, { text, logit }, rank) =>
        Math.max(most, rank < mostRead ? logit + scale.share * (net.logit(text) - scale.mean) : logit),
      -99,
    );
}

/** Templates that pair what an order touches with what a tool may say of itself count more than single wordings. */
function weightOfRow({ group }: Row): number {
  if (group === 'bad touch-blunt') return 2.5;
  return /touch|own-/.test(group) ? 1 : 0.6;
}

export const otherSets = [
  'cisco_evals_remote',
  'damn_vulnerable_mcp',
  'mcpsecbench',
  'saf_mcp_examples',
  'hijack_agentic_ai',
];

/** Rows, definitions by hand, and tools of public servers and of other sets. */
export function readDescriptions(folder: string) {
  const publicTools = readSet(folder, 'public_servers');
  const others = otherSets.flatMap((name) => readSet(folder, name));
  const rows = [
    // Templates weigh little: what they teach most is the wording of their author.
    ...templateRows({ copies: 16, seed: 5 }).map((row) => ({
      ...row,
      weight: row.weight * weightOfRow(row),
    })),
    ...harmlessRows(publicTools, 1),
    ...harmlessRows(others, 0.3),
    ...poisonedRows(others, 0.6),
    ...textRows(['agent-injections', 'injection-direct', 'override-wordings'], 0.3),
    ...textRows(['about-attacks', 'injection-words', 'document-orders', 'agent-traffic'], 0.15),
  ].map(toLearned);
  const hands = [
    ...handNames.flatMap((name) => readHand(name)),
    ...pairedDefinitions(),
    ...pairNames.flatMap(pairsOf),
  ].map(toDefinition);
  return {
    rows,
    hands,
    tools: [...publicTools, ...others].map(toDefinition),
    repositories: new Set(publicTools.map(({ group }) => group)),
  };
}
