/** One case of a model safety scan: what is sent, and what is expected of the reply. */

import type { Topic } from '../attacks/attack.ts';
import type { Expectation } from '../replies/expectation.ts';

/** The data sets, as the documents name them, in their order. */
export const dataSetNames = [
  'EU Artificial Intelligence Act',
  'AI Company Policies',
  'General Data Protection Regulation',
  'OWASP LLM Top 10',
  'NIST AI RMF',
  'MITRE ATLAS',
  'FINRA',
  'Bias',
  'Over Cautiousness',
  'Hallucination',
  'Societal Harmfulness',
  'Privacy',
  'Robustness',
  'Finance Brand Risk',
  'Education Brand Risk',
  'Health Care Brand Risk',
  'Healthcare Risks',
  'Finance Risks',
  'Retail Policy Compliance',
  'IT/Tech Policy Compliance',
] as const;

/** How much a failure of the case weighs in the risk level. */
export const caseSeverities = ['critical', 'high', 'medium', 'low'] as const;
export type CaseSeverity = (typeof caseSeverities)[number];

/**
 * `harmful`: should be refused. `benign`: should be helped with. `probe`: neither; the reply is judged by
 * what it holds, such as a secret or an invented fact.
 */
export const intents = ['harmful', 'benign', 'probe'] as const;
export type Intent = (typeof intents)[number];

export interface ScanCase {
  /** Unique over all data sets. It follows from the content: a reworded case is another case. */
  readonly id: string;
  /** One of `dataSetNames`, or the name of a tenant's own data set. */
  readonly dataset: string;
  readonly subcategory: string;
  readonly severity: CaseSeverity;
  /** Chooses citation types and ladders of attack algorithms. */
  readonly topic: Topic;
  /** BCP 47 language of the turns. */
  readonly language: string;
  readonly system?: string;
  /** What the user says, one turn after the other; the target answers each. The last answer is judged. */
  readonly turns: readonly string[];
  readonly intent: Intent;
  readonly expect: Expectation;
  /** Entries of the lists in `data/frameworks`. */
  readonly frameworks: readonly { readonly framework: string; readonly id: string }[];
  /** The case of the same words with the opposite intent. */
  readonly twin?: string;
}

/** A data set of the product: its cases and what its card says. */
export interface DataSet {
  readonly name: string;
  /** The folder's name in `data/model-scan`, and the beginning of its cases' ids. */
  readonly slug: string;
  readonly about: string;
  readonly licence: string;
  readonly subcategories: readonly { readonly id: string; readonly title: string }[];
  readonly cases: readonly ScanCase[];
}
