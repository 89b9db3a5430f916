import type { Head } from '#engine/text/adapted-head.ts';
import type { Example } from '../../library/heads/example.ts';

/** How well a policy separates examples, at the guard's threshold and strictness. */
export interface Measures {
  readonly f1: number;
  readonly recall: number;
  readonly falsePositiveRate: number;
  /** Area under the receiver operating curve: the threshold does not matter to it. */
  readonly auroc: number;
}

export interface AdaptedPolicy {
  readonly groupUuid: string;
  readonly policyId: string;
  /** As it was called when the adaptation was made. */
  readonly name: string;
  readonly exampleCount: number;
  readonly before: Measures;
  /** By cross-validation: no example is judged by what was learned from it. Null where one kind has one example. */
  readonly after: Measures | null;
}

/** What a guard has learned from examples: a head for each of some policies. Never changes once it is made. */
export interface Adaptation {
  readonly adaptationId: string;
  /** Counts up in each guard from 1. */
  readonly version: number;
  readonly active: boolean;
  readonly policies: readonly AdaptedPolicy[];
  readonly createdAt: Date;
}

/** A policy of a guard with the examples that are meant for it. */
export interface LabelledPolicy {
  readonly groupUuid: string;
  readonly policyId: string;
  readonly name: string;
  readonly examples: readonly Example[];
}

/** A policy with what was learned for it. */
export interface LearnedPolicy extends LabelledPolicy {
  readonly before: Measures;
  readonly after: Measures | null;
  readonly head: Head;
  /** The best value by cross-validation; used again when the head is retrained. */
  readonly scale: number;
  readonly engineVersion: string;
}
