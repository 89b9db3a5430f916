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
  /** Maximum wait for a reply. */
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
  /** Identifies everything that its verdicts depend on besides the material and the policy. */
  version(tenantId: string): Promise<string>;
  /** Whether it supports the policy. */
  covers(policy: PolicySource): boolean;
  /** One verdict per policy, in order, within the remaining time. Never throws for errors of its server. */
  judge(material: Material, policies: readonly PolicySource[]): Promise<readonly Answer[]>;
}
