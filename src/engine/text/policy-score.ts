import type { Judge } from './judge.ts';
import {
  type ReadyPhrase,
  type Subject,
  lateInteraction,
  meanCosine,
  readyPhrase,
  stemOverlap,
} from './policy-match.ts';
import type { CompiledPolicy, DetectorSlug } from './types.ts';

export interface ReadyPolicy {
  block: ReadyPhrase[];
  safe: ReadyPhrase[];
}

export const readyPolicy = (policy: CompiledPolicy, judge: Judge): ReadyPolicy => ({
  block: policy.block.map((phrase) => readyPhrase(phrase, judge)),
  safe: policy.safe.map((phrase) => readyPhrase(phrase, judge)),
});

/** Mean and deviation of each signal between block phrases and harmless texts that have nothing to do with them. */
const overlapScale = { mean: 0.0075, deviation: 0.043 };
const lateScale = { mean: 0.068, deviation: 0.078 };
const meanScale = { mean: 0.139, deviation: 0.171 };

const standard = (value: number, { mean, deviation }: { mean: number; deviation: number }) =>
  Math.min(6, (value - mean) / deviation);

/** How near a text is to a phrase, in deviations from what unrelated ones have. */
function nearness(phrase: ReadyPhrase, subject: Subject, size: number): number {
  return (
    (standard(stemOverlap(phrase, subject.stems), overlapScale) +
      standard(lateInteraction(phrase, subject, size), lateScale) +
      standard(meanCosine(phrase, subject), meanScale)) /
    3
  );
}

function nearest(
  phrases: readonly ReadyPhrase[],
  subject: Subject,
  size: number,
): { best: number; mean: number; at: number } {
  let best = -Infinity;
  let sum = 0;
  let at = -1;
  phrases.forEach((phrase, i) => {
    const near = nearness(phrase, subject, size);
    sum += near;
    if (near <= best) return;
    best = near;
    at = i;
  });
  return { best, mean: sum / Math.max(1, phrases.length), at };
}

/** From nearness to logits: unrelated harmless texts lie above the cut in about one of fifty cases. */
const slope = 1.2;
const cut = 3.7;
/** Taken off for each deviation by which a safe phrase is nearer than the nearest block phrase. */
const safeCost = 0.5;
/** Margin by which a nearer safe phrase overrides. */
const vetoMargin = 2;
const vetoLogits = 2.5;

export interface PolicyMatch {
  logit: number;
  /** Number of the nearest block phrase, or -1. */
  phrase: number;
  /** Whether a safe phrase decided. */
  vetoed: boolean;
}

/**
 * Logit of a custom policy: nearness to its block phrases, held back where a safe phrase is nearer, and helped by
 * the built-in detectors whose subject it names.
 */
export function matchPolicy(
  ready: ReadyPolicy,
  policy: CompiledPolicy,
  subject: Subject,
  context: { size: number; detectorLogit: (slug: DetectorSlug) => number },
): PolicyMatch {
  const block = nearest(ready.block, subject, context.size);
  if (block.at < 0) return { logit: -8, phrase: -1, vetoed: false };
  const safe = nearest(ready.safe, subject, context.size);
  let logit = slope * (block.best + 0.3 * block.mean - cut);
  for (const { detector, weight } of policy.priors)
    logit += weight * weight * Math.max(-2, Math.min(3.5, context.detectorLogit(detector) + 1));
  const lead = safe.at >= 0 ? Math.max(0, safe.best - block.best) : 0;
  const vetoed = lead > vetoMargin;
  logit -= lead * safeCost + (vetoed ? vetoLogits : 0);
  return { logit, phrase: block.at, vetoed };
}
