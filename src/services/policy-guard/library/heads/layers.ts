import type { Head } from '#engine/text/adapted-head.ts';

/**
 * One head that judges as `lower` does and as `upper` then corrects it. What a policy learned has layers: its text,
 * the exemplars that a language model wrote, what the optimisation lab learned, what a guard was adapted to. Each layer
 * was fitted with the judgement of all below it as its prior, so none takes the place of another.
 */
export function stacked(lower: Head | undefined, upper: Head): Head {
  if (lower === undefined) return upper;
  const size = Math.max(lower.weights.length, upper.weights.length);
  return {
    examples: lower.examples + upper.examples,
    priorWeight: upper.priorWeight * lower.priorWeight,
    bias: upper.bias + upper.priorWeight * lower.bias,
    weights: Array.from(
      { length: size },
      (_, k) => (upper.weights[k] ?? 0) + upper.priorWeight * (lower.weights[k] ?? 0),
    ),
  };
}
