/** What the judge of tool results learns from answers, and its linear model. */
import { Random } from '#base/random.ts';
import { buckets, featuresOf } from '#engine/tool-outputs/features.ts';
import { tokensOf } from '#engine/tool-outputs/passages.ts';
import { type Example, fitMean, logitOf, type Weights } from '../hashed-models/fit.ts';
import { composedRows } from '../train-tool-results/compose.ts';
import { packageRows } from '../train-tool-results/packages.ts';
import { pairNames, pairsOf } from '../train-tool-results/pairs.ts';
import {
  corpusRows,
  definitionHands,
  definitionRows,
  fixtureOf,
  handNames,
  type LabelledResult,
  ownRows,
  readHand,
  suiteRows,
} from '../train-tool-results/rows.ts';
import type { NetSentence } from './train-net.ts';

export interface Passage extends Pick<Example, 'at' | 'value'> {
  text: string;
  /** Whether it is the order, or stands in the place of one; undefined where nobody has marked it. */
  isOrder: boolean | undefined;
}

export interface Bag extends LabelledResult {
  passages: Passage[];
}

/** Where `order` stands in a text. */
function placeOf(text: string, order: string): readonly [from: number, to: number] | undefined {
  const read = order.normalize('NFKC');
  for (const form of [order, JSON.stringify(order).slice(1, -1), read, read.replaceAll('\n', ' ')]) {
    const from = text.indexOf(form);
    if (from >= 0) return [from, from + form.length];
  }
  return undefined;
}

/** Whether a passage is mostly the order, or holds it beside not much else; undefined where it is only partly so. */
function holds(
  [from, to]: readonly [number, number],
  [first, last]: readonly [number, number],
): boolean | undefined {
  const common = Math.min(to, last) - Math.max(from, first);
  const share = common / (to - from);
  if (share >= 0.5 || (common >= 0.95 * (last - first) && share >= 0.35)) return true;
  return share > 0.2 ? undefined : false;
}

const readCharacters = 6000;
const mostPassages = 90;

function passagesOf({ text: given, order }: LabelledResult): Passage[] {
  const tokens = tokensOf(given.slice(0, readCharacters));
  const place = order === undefined ? undefined : placeOf(tokens.text, order);
  return tokens.passages.slice(0, mostPassages).map(([from, to]) => {
    const [at, groups]: [number[], number[]] = [[], []];
    const amounts = featuresOf(tokens, from, to, (bucket, group) => {
      at.push(bucket);
      groups.push(group);
    });
    const [start, end] = [tokens.starts[from] ?? 0, tokens.ends[to - 1] ?? 0];
    return {
      text: tokens.text.slice(start, end),
      isOrder: place === undefined ? undefined : holds([start, end], place),
      at: Int32Array.from(at),
      value: Float32Array.from(groups, (group) => amounts[group] ?? 0),
    };
  });
}

export const toBag = (row: LabelledResult): Bag => ({ ...row, passages: passagesOf(row) });

export const strongest = ({ passages }: Bag, model: Weights): number =>
  passages.reduce((most, passage) => Math.max(most, logitOf(model, passage)), -Infinity);

/** Of a harmless result so many passages take part: the strongest. */
const mostHarmless = 10;

const byLogit = (passages: readonly Passage[], model: Weights) =>
  passages
    .map((passage) => ({ passage, logit: logitOf(model, passage) }))
    .toSorted((a, b) => b.logit - a.logit);

/** What the linear model learns: of a result with an order the passage that the model of the last round finds strongest. */
function examplesOf(bags: readonly Bag[], model: Weights | undefined): Example[] {
  return bags.flatMap(({ passages, label, weight }): Example[] => {
    if (passages.length === 0) return [];
    if (model === undefined)
      return passages
        .slice(0, 20)
        .map(({ at, value }) => ({ at, value, label, weight: weight / Math.min(20, passages.length) }));
    const ranked = byLogit(passages, model);
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

const rounds = 4;
const options = { buckets, epochs: 8, rate: 0.2, decay: 3e-6, drop: 0.5 };

export function trainedLinear(bags: readonly Bag[], seeds: readonly number[]): Weights {
  let model: Weights | undefined;
  for (let round = 0; round < rounds; round++)
    model = fitMean(examplesOf(bags, model), round === rounds - 1 ? seeds : [1], options);
  return model as Weights;
}

/** What the net learns of one answer: like the linear model, but that orders and their twins are known where they are marked. */
function netSentencesOf({ passages, label, weight }: Bag, model: Weights): NetSentence[] {
  const sentence = ({ passage: { text } }: { passage: Passage }, of: 0 | 1, share: number): NetSentence => ({
    text,
    label: of,
    weight: weight * share,
  });
  const marked = byLogit(
    passages.filter(({ isOrder }) => isOrder === true),
    model,
  );
  if (marked.length === 0) {
    const ranked = byLogit(passages, model);
    return label === 1
      ? ranked.slice(0, 1).map((each) => sentence(each, 1, 1))
      : ranked.slice(0, mostHarmless).map((each, rank) => sentence(each, 0, rank < 3 ? 0.5 : 0.15));
  }
  const rest = byLogit(
    passages.filter(({ isOrder }) => isOrder === false),
    model,
  );
  return [
    ...(label === 1
      ? marked.slice(0, 2).map((each, rank) => sentence(each, 1, rank === 0 ? 1 : 0.4))
      : marked.slice(0, 3).map((each, rank) => sentence(each, 0, rank === 0 ? 0.7 : 0.3))),
    ...rest.slice(0, 2).map((each) => sentence(each, 0, 0.15)),
  ];
}

export const netSentences = (bags: readonly Bag[], model: Weights): NetSentence[] =>
  bags.flatMap((bag) => netSentencesOf(bag, model));

const learnedPages = 400;

/** What both models learn from, what the net alone does, and ordinary pages that neither learns from. */
export function readResults(folder: string): { linear: Bag[]; net: Bag[]; ordinary: LabelledResult[] } {
  const weighted = (rows: readonly LabelledResult[], order: number, harmless: number) =>
    rows.map((row) => ({ ...row, weight: row.label === 1 ? order : harmless }));
  // Hands are few and by many authors' measure the hardest: each of their rows weighs as much as dozens of composed ones.
  const hands = handNames.flatMap((name) => weighted(readHand(fixtureOf(name), name, 1), 10, 4));
  // Of suites and own rows only what is harmless, and weakly: orders of templates and of public sets are worded and placed
  // in so few ways that models which learned them found fewer of an unknown author's.
  const others = [...suiteRows(200).map((row) => ({ ...row, weight: 0.2 })), ...ownRows(0.1)]
    .filter(({ label }) => label === 0)
    .filter((_, i) => i % 6 === 0);
  // Long pages have many sentences, of which any may look like an order: the judge must have seen thousands of them.
  const pages = corpusRows(folder, [0, learnedPages], 1.2);
  const packages = packageRows(0, 2);
  const composed = composedRows([...pages, ...packages], { framed: 5000, copies: 3 }, new Random('composed'));
  const definitions = definitionRows(definitionHands, 1.5);
  const pairs = [
    ...pairNames.flatMap(pairsOf),
    ...pairedHands.flatMap((name) => readHand(fixtureOf(name), name, 1)),
  ];
  return {
    linear: [...hands, ...others, ...pages, ...packages, ...definitions, ...composed].map(toBag),
    net: weighted(pairs, 8, 6).map(toBag),
    ordinary: [
      ...packageRows(1, 1).filter((_, i) => i % 2 === 0),
      ...corpusRows(folder, [learnedPages, learnedPages + 80], 1),
    ],
  };
}

/** Authors whose pairs only the net learns from: the linear model found fewer of other authors' orders with them. */
const pairedHands = ['by-a-tenth-hand', 'by-an-eighth-hand-developed', 'by-a-ninth-hand-developed'] as const;

/** One to four sentences from the middle of each page: answers of tools are short more often than pages are. */
export function excerptsOf(pages: readonly LabelledResult[], random: Random): LabelledResult[] {
  return pages.flatMap((page) => {
    const parts = page.text.split(/(?<=[.!?:])\s+|\n+/).filter((part) => part.trim().length > 8);
    if (parts.length === 0) return [];
    const count = random.between(1, 4);
    const at = random.below(Math.max(1, parts.length - count + 1));
    const text = parts.slice(at, at + count).join(random.chance(0.5) ? ' ' : '\n');
    return [{ ...page, text: text.slice(0, 700) }];
  });
}
