/** Fitting heads. CPU-bound for some tenths of a second: servers run it in a worker thread. */
import { fitHead, headLogit, type Head, type HeadExample } from './adapted-head.ts';

export interface Fitted {
  /** Learned from all examples. */
  readonly head: Head;
  /** One of {@link scales}. */
  readonly scale: number;
  /** Cross-validated logit of each example; null if one class has a single example. */
  readonly heldOutLogits: readonly number[] | null;
}

/**
 * Factors applied to the features before fitting. Smaller factors mean stronger regularization: the
 * original policy counts more, and a coincidence in a few examples less.
 */
export const scales = [0.15, 0.4, 1];
const safestScale = 0.15;

/** A head learned at one of the {@link scales}. */
export function fitScaled(examples: readonly HeadExample[], scale: number): Head {
  const scaled = examples.map((example) => ({
    ...example,
    features: example.features.map((value) => value * scale),
  }));
  const head = fitHead(scaled);
  return { ...head, weights: head.weights.map((weight) => Number((weight * scale).toFixed(6))) };
}

/** More than these leave enough to learn from in three folds, and enough in one of them to choose a scale by. */
const many = 200;

/** The fold of each example: both kinds are dealt out evenly. */
export function foldsOf(examples: readonly Pick<HeadExample, 'label'>[], folds: number): number[] {
  const seen = [0, 0];
  return examples.map(({ label }) => {
    const turn = seen[label] ?? 0;
    seen[label] = turn + 1;
    // The second kind is dealt from the other end, so that the folds are of one size.
    return label === 1 ? turn % folds : folds - 1 - (turn % folds);
  });
}

/** The logits of the examples of some folds, by heads that have not seen their fold. */
export function judgeHeldOut(
  { examples, foldOf }: { examples: readonly HeadExample[]; foldOf: readonly number[] },
  scale: number,
  folds: readonly number[],
): Map<HeadExample, number> {
  const logits = new Map<HeadExample, number>();
  for (const fold of folds) {
    const head = fitScaled(
      examples.filter((_, i) => foldOf[i] !== fold),
      scale,
    );
    examples.forEach((example, i) => {
      if (foldOf[i] === fold) logits.set(example, headLogit(head, example));
    });
  }
  return logits;
}

/** −log p of the right label. */
export function lossOf(logit: number, label: number): number {
  const wrong = label === 1 ? -logit : logit;
  return Math.max(0, wrong) + Math.log1p(Math.exp(-Math.abs(wrong)));
}

/** Mean of −log p of the right label, with both kinds weighted alike. */
function surprise(logits: ReadonlyMap<Pick<HeadExample, 'label'>, number>): number {
  const sums = [0, 0];
  const counts = [0, 0];
  for (const [{ label }, logit] of logits) {
    sums[label] = (sums[label] ?? 0) + lossOf(logit, label);
    counts[label] = (counts[label] ?? 0) + 1;
  }
  return (sums[0] ?? 0) / Math.max(1, counts[0] ?? 0) + (sums[1] ?? 0) / Math.max(1, counts[1] ?? 0);
}

/** Learns a head, at the scale that does best on examples that were left out. */
export function fitMeasured(examples: readonly HeadExample[]): Fitted {
  const positives = examples.filter(({ label }) => label === 1).length;
  const isMany = examples.length > many;
  const count = Math.min(isMany ? 3 : 5, positives, examples.length - positives);
  if (count < 2) return fitAtScale(examples, safestScale);
  const dealt = { examples, foldOf: foldsOf(examples, count) };
  const folds = Array.from({ length: count }, (_, fold) => fold);
  const [chosenBy, rest] = isMany ? [folds.slice(0, 1), folds.slice(1)] : [folds, []];
  const tried = scales.map((scale) => {
    const logits = judgeHeldOut(dealt, scale, chosenBy);
    return { scale, logits, surprise: surprise(logits) };
  });
  const { scale, logits } = tried.reduce((a, b) => (b.surprise < a.surprise ? b : a));
  const others = judgeHeldOut(dealt, scale, rest);
  const heldOutLogits = examples.map((example) => logits.get(example) ?? others.get(example) ?? 0);
  return { head: fitScaled(examples, scale), scale, heldOutLogits };
}

/** Learns a head at a scale that is known already. */
export const fitAtScale = (examples: readonly HeadExample[], scale: number): Fitted => ({
  head: fitScaled(examples, scale),
  scale,
  heldOutLogits: null,
});
