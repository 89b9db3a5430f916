import type { Head } from '#engine/text/adapted-head.ts';
import type { CompiledPolicy, PolicySource, Strictness } from '#engine/text/types.ts';

/** A policy group as the judge needs it: enabled policies only, compiled. */
export interface JudgedGroup {
  readonly groupUuid: string;
  readonly name: string;
  readonly threshold: number;
  readonly strictnessLevel: Strictness;
  /** Rises with each write; part of the cache key. */
  readonly version: number;
  readonly policies: readonly JudgedPolicy[];
}

export interface JudgedPolicy {
  readonly id: string;
  readonly name: string;
  /** As it was written. */
  readonly source: PolicySource;
  readonly compiled: CompiledPolicy;
  /** What it is made of; of groups that users own. */
  readonly basis?: Basis;
}

/** A policy without what the optimisation lab taught it, and that. */
export interface Basis {
  readonly untuned: CompiledPolicy;
  /** When the exemplars were written that it has learned from; null where it has not. */
  readonly exemplarsAt: string | null;
  readonly tuning: Head | undefined;
}
