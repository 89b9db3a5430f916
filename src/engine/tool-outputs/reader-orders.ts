/**
 * Whether data that a tool returned speaks to the program that reads it. Detectors of prompt injection that were made
 * for chats find the loud forms ("ignore all previous instructions"); most injections in data are ordinary sentences
 * that tell whatever program reads them what to do. Pure, synchronous, and linear in the text's length.
 */
import { featuresOf, groupCount } from './features.ts';
import { tokensOf } from './passages.ts';
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

/** The strongest passage of the text; undefined where it has no words. */
export function strongestPassage(
  text: string,
  { bias, scale, weights }: ResultWeights = shippedWeights(),
): JudgedPassage | undefined {
  const tokens = tokensOf(text);
  // The weights are whole numbers: summed up by group, which is multiplied once.
  const sums = new Int32Array(groupCount);
  const take = (place: number, group: number) => {
    sums[group] = (sums[group] ?? 0) + (weights[place] ?? 0);
  };
  let best: readonly [number, number] | undefined;
  let most = -Infinity;
  for (const passage of tokens.passages) {
    sums.fill(0);
    const amounts = featuresOf(tokens, passage[0], passage[1], take);
    let sum = 0;
    for (let group = 0; group < groupCount; group++) sum += (sums[group] ?? 0) * (amounts[group] ?? 0);
    if (sum <= most) continue;
    most = sum;
    best = passage;
  }
  if (best === undefined) return undefined;
  const [from, to] = best;
  return {
    logit: bias + most * scale,
    sentence: tokens.text.slice(tokens.starts[from] ?? 0, tokens.ends[to - 1] ?? 0),
  };
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
