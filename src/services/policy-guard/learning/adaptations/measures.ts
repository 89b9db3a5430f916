import { atCut } from '#engine/evaluation/confusion.ts';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import { atStrictness } from '../../judging/embedded/judge.ts';
import type { Sensitivity } from '../../judging/verdicts/verdict.ts';
import type { Measures } from './adaptation.ts';

const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

/** How well logits separate labels at the sensitivity; both labels must occur. */
export function measure(
  logits: readonly number[],
  labels: readonly number[],
  sensitivity: Sensitivity,
): Measures {
  const probabilities = logits.map((logit) => atStrictness(sigmoid(logit), sensitivity));
  const { f1, recall, falsePositiveRate } = atCut(probabilities, labels, sensitivity.threshold);
  return { f1, recall, falsePositiveRate, auroc: areaUnderRoc(probabilities, labels) };
}
