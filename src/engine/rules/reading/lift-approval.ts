import { speakers } from '../../actions/judging/consent.ts';
import type { ApprovalPredicate } from '../predicates/approval.ts';
import type { Expression } from '../rule-form.ts';

/** Who is named where anybody may say yes. */
const anybody = new Set(['human', 'person', 'people', 'approver', 'colleague', 'team', 'agent', 'somebody']);

/** Names of departments that end like a plural. */
const single =
  /(?:ss|us|is|(?:ale|operation|ogistic|omm|ccount|payment|system|op|relation|resource|service|work|affair)s)$/;

/** A role stands in the singular: "only managers" means each of them. */
const roleOf = (named: string): string =>
  named.length < 4 || single.test(named) ? named : named.replace(/s$/, '');

/**
 * Who has to say yes, as a sentence names them. Whoever talks to the agent does so in words of the trace; everybody
 * else, and where nobody is named, under an identity that was checked: words about others can be forged.
 */
export function liftApproval({
  by,
  explicit,
}: {
  readonly by: readonly string[];
  readonly explicit: boolean;
}): Expression {
  const roles = new Set(by.map(roleOf));
  const [said, checked] = [[...roles.intersection(speakers)], [...roles.difference(speakers)]];
  const named = checked.filter((role) => !anybody.has(role));
  const inWords: ApprovalPredicate = {
    is: 'approval',
    by: said,
    from: 'user_words',
    ...(explicit && { explicit: true }),
  };
  const byIdentity: ApprovalPredicate = {
    is: 'approval',
    ...(named.length > 0 && { by: named }),
    from: 'checked',
  };
  if (said.length === 0) return byIdentity;
  return named.length === 0 ? inWords : { any: [inWords, byIdentity] };
}
