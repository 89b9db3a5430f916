import type { RuleClause } from '../../actions/clauses.ts';
import { mayBeNamedOtherwise } from '../../actions/judging/like-acts.ts';
import { checkForm, type Checked } from '../check-form.ts';
import type { Expression } from '../rule-form.ts';
import { liftAll } from './lift-condition.ts';

interface Parts {
  readonly when: Expression;
  readonly unless?: Expression;
  readonly requires?: Expression;
}

function partsOfClause({ when, unless, need }: RuleClause): Parts {
  const exceptions = unless.filter((all) => all.length > 0);
  return {
    when: liftAll(when, mayBeNamedOtherwise(when)),
    ...(exceptions.length > 0 && { unless: { any: exceptions.map((all) => liftAll(all)) } }),
    ...(need.length > 0 && { requires: liftAll(need) }),
  };
}

/** What breaks one clause, as a single expression. */
const broken = ({ when, unless, requires }: Parts): Expression => ({
  all: [
    when,
    ...(unless === undefined ? [] : [{ not: unless }]),
    ...(requires === undefined ? [] : [{ not: requires }]),
  ],
});

/**
 * What the grammar read of a sentence, as one form. Clauses that share their exceptions and needs share them in the
 * form; of others each becomes one way to break the rule.
 */
export function liftClauses(clauses: readonly RuleClause[]): Checked {
  const [first, ...others] = clauses.map(partsOfClause);
  if (first === undefined) return { problem: 'The sentence was not understood.' };
  const rest = ({ unless, requires }: Parts) => JSON.stringify([unless, requires]);
  const shared = others.every((parts) => rest(parts) === rest(first));
  const form = shared
    ? { ...first, when: { any: [first, ...others].map(({ when }) => when) } }
    : { when: { any: [first, ...others].map(broken) } };
  return checkForm({ ...form, on_missing: clauses.some(({ asks }) => asks) ? 'ask' : 'deny' }, 'sentence');
}
