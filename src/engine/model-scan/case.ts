/** One case of a data set of the model safety scan. */
import type { Topic } from '../attacks/attack.ts';
import type { Expectation } from '../replies/expectation.ts';

export const caseSeverities = ['critical', 'high', 'medium', 'low'] as const;
export type CaseSeverity = (typeof caseSeverities)[number];

export interface ScanCase {
  /** Unique over all data sets. */
  readonly id: string;
  /** Name of its data set. */
  readonly dataset: string;
  readonly subcategory: string;
  readonly severity: CaseSeverity;
  readonly topic: Topic;
  /** BCP 47. */
  readonly language: string;
  readonly system?: string | undefined;
  /** What the user writes, turn by turn. */
  readonly turns: readonly string[];
  readonly intent: 'harmful' | 'benign' | 'probe';
  readonly expect: Expectation;
  readonly frameworks: readonly { readonly framework: string; readonly id: string }[];
  /** The case that differs only in being harmless, or harmful. */
  readonly twin?: string | undefined;
}

export interface DataSet {
  /** As the documents spell it. */
  readonly name: string;
  readonly cases: readonly ScanCase[];
}
