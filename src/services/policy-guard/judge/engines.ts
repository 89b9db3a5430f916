import { shiftForStrictness } from '#engine/text/engine.ts';
import type { Strictness } from '#engine/text/types.ts';

/** Ways to come to a verdict, of which a guard has one. */
export const engineChoices = ['embedded', 'llm', 'cascade', 'moderation', 'onnx'] as const;
export type EngineChoice = (typeof engineChoices)[number];

/** What a deployment configures to have an engine. */
export const needs: Readonly<Record<EngineChoice, string>> = {
  embedded: 'nothing',
  llm: 'BULWARK_LLM_BASE_URL and BULWARK_LLM_MODEL',
  cascade: 'BULWARK_LLM_BASE_URL and BULWARK_LLM_MODEL',
  moderation: 'BULWARK_POLICY_GUARD_JUDGE_MODERATION_URL',
  onnx: 'BULWARK_POLICY_GUARD_JUDGE_ONNX_FOLDER',
};

/** Who decided a policy; `none`: nobody could, and the guard fails closed or open. */
export type Engine = Exclude<EngineChoice, 'cascade'> | 'none';

/** What a policy becomes whose judge failed: violated, not violated, or what the embedded engine says. */
export const failModes = ['degrade', 'closed', 'open'] as const;
export type FailMode = (typeof failModes)[number];

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
