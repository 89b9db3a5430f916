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
}
