import { shiftForStrictness } from '#engine/text/engine.ts';
import type { Strictness } from '#engine/text/types.ts';

/** A probability of violation for each strictness; never falls from low to high. */
export type Probabilities = Readonly<Record<Strictness, number>>;

export const atAll = (probability: number): Probabilities => ({
  low: probability,
  medium: probability,
  high: probability,
});

/** Of one probability, at medium strictness, as the embedded engine shifts it. */
export const shifted = (probability: number): Probabilities => ({
  low: shiftForStrictness(probability, 'low'),
  medium: probability,
  high: shiftForStrictness(probability, 'high'),
});

const combined = (
  a: Probabilities,
  b: Probabilities,
  combine: (a: number, b: number) => number,
): Probabilities => ({
  low: combine(a.low, b.low),
  medium: combine(a.medium, b.medium),
  high: combine(a.high, b.high),
});

export const strongerOf = (a: Probabilities, b: Probabilities): Probabilities => combined(a, b, Math.max);

/** Either of two independent reasons suffices. */
export const either = (a: Probabilities, b: Probabilities): Probabilities =>
  combined(a, b, (p, q) => 1 - (1 - p) * (1 - q));
