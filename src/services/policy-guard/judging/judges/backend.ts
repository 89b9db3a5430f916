import type { ContextMessage, PolicySource } from '#engine/text/types.ts';
import type { Engine } from '../../guards/engines.ts';
import type { Probabilities } from './probabilities.ts';

/** What a text is judged on, besides the policy. */
export interface Material {
  readonly tenantId: string;
  readonly text: string;
  /** Earlier turns, oldest first; not judged themselves. */
  readonly messages: readonly ContextMessage[];
  /** What the text hides, as the embedded engine reads it: decoded, unspaced, … */
  readonly readings: readonly string[];
  /** Whether verdicts may be written to and read from the cache. */
  readonly mayCache: boolean;
  /** No answer is waited for longer. */
  remainingMs(): number;
}

/** A judge's probability for one policy, or why there is none. */
export type Answer =
  | {
      readonly probabilities: Probabilities;
      /** The judge's answer was malformed: the judged text may have manipulated it. */
      readonly isSuspicious: boolean;
      /** Whether it read the whole text; of a very long one some read parts alone. */
      readonly isWhole: boolean;
    }
  | { readonly failure: string };

/** A judge besides the embedded engine. */
export interface Backend {
  readonly engine: Exclude<Engine, 'embedded' | 'none'>;
  /** Identifies everything that its answers depend on besides the material and the policy. */
  version(tenantId: string): Promise<string>;
  /** Whether it supports the policy. */
  covers(policy: PolicySource): boolean;
  /** One answer for each policy, in order; within the time that remains. Never throws for what its server did. */
  judge(material: Material, policies: readonly PolicySource[]): Promise<readonly Answer[]>;
}
