/**
 * Whether data that a tool returned speaks to the program that reads it. Detectors of prompt injection that were made
 * for chats find the loud forms ("ignore all previous instructions"); most injections in data are ordinary sentences
 * that tell whatever program reads them what to do. A linear model reads all passages, and a net those that it finds
 * strongest. Pure, synchronous, and linear in the text's length.
 */
import { type OrderNet, shippedOrderNet } from '../order-net/order-net.ts';
import { groupCount, otherFeaturesOf, WordSums } from './features.ts';
import { type Tokens, tokensOf } from './passages.ts';
import { type ResultWeights, shippedWeights } from './weights.ts';

export interface ReaderOrder {
  /** 0 to 1, as fitted; not the probability that a text of everyday traffic is an injection. */
  readonly score: number;
  /** `high`: withheld where a guard blocks; `medium`: marked. */
  readonly tier: 'high' | 'medium';
  /** The passage that was taken for an order. */
  readonly sentence: string;
}

export interface JudgedPassage {
  /** Log-odds; above 0 an order is likelier than not among the texts that the weights were fitted on. */
  readonly logit: number;
  readonly sentence: string;
}

/** Reads the weights now: some 50 ms that the first answer would wait for else. */
export function loadReaderOrders(): void {
  shippedWeights();
  shippedOrderNet();
}

/** So many passages the net reads, those that the linear model finds strongest: each costs as much as ten of them there. */
const mostAsked = 3;

interface Ranked {
  readonly passage: readonly [from: number, to: number];
  readonly logit: number;
}

/** The weights are whole numbers: summed up by group, which is multiplied once. */
const sums = new Int32Array(groupCount);

/** The strongest passages by the linear model, the strongest first. */
function ranked(
  tokens: Tokens,
  { bias, scale, weights }: Pick<ResultWeights, 'bias' | 'scale' | 'weights'>,
): Ranked[] {
  const take = (place: number, group: number) => {
    sums[group] = (sums[group] ?? 0) + (weights[place] ?? 0);
  };
  const best: Ranked[] = [];
  const words = new WordSums(tokens, weights);
  for (const passage of tokens.passages) {
    sums.fill(0);
    words.add(passage[0], passage[1], sums);
    const amounts = otherFeaturesOf(tokens, passage[0], passage[1], take);
    let sum = 0;
    for (let group = 0; group < groupCount; group++) sum += (sums[group] ?? 0) * (amounts[group] ?? 0);
    const logit = bias + sum * scale;
    if (best.length === mostAsked && logit <= (best[mostAsked - 1]?.logit ?? 0)) continue;
    const place = best.findIndex((each) => each.logit < logit);
    best.splice(place === -1 ? best.length : place, 0, { passage, logit });
    if (best.length > mostAsked) best.pop();
  }
  return best;
}

/** The strongest passage of the text; undefined where it has no words. */
export function strongestPassage(
  text: string,
  model: ResultWeights = shippedWeights(),
  net: OrderNet = shippedOrderNet(),
): JudgedPassage | undefined {
  const tokens = tokensOf(text);
  const sentenceOf = ([from, to]: Ranked['passage']) =>
    tokens.text.slice(tokens.starts[from] ?? 0, tokens.ends[to - 1] ?? 0);
  const rarer = model.perLog * Math.log(tokens.passages.length);
  let strongest: JudgedPassage | undefined;
  for (const { passage, logit } of ranked(tokens, model)) {
    const sentence = sentenceOf(passage);
    const added = logit < model.asked ? 0 : model.net.share * (net.logit(sentence) - model.net.mean);
    const joined = logit + added - rarer;
    if (strongest === undefined || joined > strongest.logit) strongest = { logit: joined, sentence };
  }
  return strongest;
}

/** The strongest passage of the text; undefined if none reaches `medium`. */
export function findReaderOrder(text: string): ReaderOrder | undefined {
  const model = shippedWeights();
  const best = strongestPassage(text, model);
  if (best === undefined || best.logit < model.medium) return undefined;
  return {
    score: 1 / (1 + Math.exp(-best.logit)),
    tier: best.logit >= model.high ? 'high' : 'medium',
    sentence: best.sentence,
  };
}
