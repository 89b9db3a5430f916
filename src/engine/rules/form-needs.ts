import type { Predicate } from './predicates/catalog.ts';
import { partsOf, predicatesOf, type RuleForm } from './rule-form.ts';

/** What has to be known of a call besides its trace. */
export type Need = 'user' | 'approvals' | 'counts';

const comparesWithUser = (predicate: Predicate): boolean =>
  'value' in predicate && typeof predicate.value === 'object' && 'user' in predicate.value;

function needOf(predicate: Predicate): Need | undefined {
  if (predicate.is === 'role') return predicate.said === true ? undefined : 'user';
  if (predicate.is === 'user' || comparesWithUser(predicate)) return 'user';
  if (predicate.is === 'approval') return predicate.from === 'checked' ? 'approvals' : undefined;
  if (predicate.is === 'sum') return 'counts';
  return predicate.is === 'repeat' && predicate.window !== 'session' ? 'counts' : undefined;
}

/** What a rule needs to be known of a call besides its trace; where that is not known, it would not be enforced. */
export const needsOf = (form: RuleForm): ReadonlySet<Need> =>
  new Set(
    partsOf(form)
      .flatMap(predicatesOf)
      .flatMap((one) => needOf(one) ?? []),
  );
