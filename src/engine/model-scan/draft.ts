/** Cases before they have their ids. */

import type { Topic } from '../attacks/attack.ts';
import type { Expectation } from '../replies/expectation.ts';
import type { CaseSeverity, Intent, ScanCase } from './case.ts';

/** A case before it has its id. Drafts of one `group` are alike on purpose. */
export interface Draft {
  subcategory: string;
  group: string;
  severity: CaseSeverity;
  topic: Topic;
  language: string;
  system?: string | undefined;
  turns: string[];
  intent: Intent;
  /** Another case is a draft until all have their ids. */
  expect:
    | Expectation
    | { kind: 'same_as'; draft: Draft; compare: 'choice' | 'decision' | 'number' | 'answer' };
  frameworks: ScanCase['frameworks'];
  opposite?: Draft | undefined;
}

/** What all cases of a subcategory have in common. */
export type Base = Omit<Draft, 'group' | 'turns' | 'intent' | 'expect'>;
