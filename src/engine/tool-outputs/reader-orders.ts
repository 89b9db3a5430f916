/**
 * Whether data that a tool returned speaks to the program that reads it. Detectors of prompt injection that were made
 * for chats find the loud forms ("ignore all previous instructions"); most injections in data are ordinary sentences
 * that name their reader and tell it what to do. Pure, synchronous, and linear in the text's length.
 */
import { featureNames, passagesOf, type Passage } from './features.ts';
import { bias, weights } from './weights.ts';

export interface ReaderOrder {
  /** 0 to 1, as fitted; not the probability that a text of everyday traffic is an injection. */
  readonly score: number;
  /** `high`: withheld where a guard blocks; `medium`: marked. */
  readonly tier: 'high' | 'medium';
  /** The sentence that names the reader. */
  readonly sentence: string;
}

/** Log odds from which a passage is marked, and from which it is withheld. */
export const mediumFrom = 0;
export const highFrom = 1.5;

const logOdds = ({ features }: Passage): number => {
  let sum = bias;
  for (const [at, value] of features.entries()) sum += value * (weights[at] ?? 0);
  return sum;
};

/** The strongest passage of the text; undefined if none reaches `medium`. */
export function findReaderOrder(text: string): ReaderOrder | undefined {
  let best: Passage | undefined;
  let most = mediumFrom;
  for (const passage of passagesOf(text)) {
    const odds = logOdds(passage);
    if (odds < most) continue;
    most = odds;
    best = passage;
  }
  if (best === undefined) return undefined;
  return {
    score: 1 / (1 + Math.exp(-most)),
    tier: most >= highFrom ? 'high' : 'medium',
    sentence: best.sentence,
  };
}

/** The signs that a passage bears, for those who tune the judge. */
export const signsOf = ({ features }: Passage): string[] =>
  featureNames.filter((_, at) => (features[at] ?? 0) > 0);
