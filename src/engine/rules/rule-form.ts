import type { Predicate } from './predicates/catalog.ts';

/** Tests of a call, joined. */
export type Expression =
  | Predicate
  | { readonly all: readonly Expression[] }
  | { readonly any: readonly Expression[] }
  | { readonly not: Expression };

/**
 * A rule as a value: a call breaks it when `when` holds, and neither `unless` nor `requires` does. Plain JSON: it is
 * stored, shown and edited as it is.
 */
export interface RuleForm {
  readonly when: Expression;
  readonly unless?: Expression | undefined;
  /** What a call has to meet. */
  readonly requires?: Expression | undefined;
  /** Whether a call that breaks it is refused or waits for a person. */
  readonly on_missing: 'deny' | 'ask';
}

export const mostPredicates = 100;
export const deepest = 8;

/** Groups of one are that one, groups in groups of their kind are one group. */
export function flat(expression: Expression): Expression {
  if ('is' in expression) return expression;
  if ('not' in expression) return { not: flat(expression.not) };
  if ('all' in expression) {
    const all = expression.all.map(flat).flatMap((one) => ('all' in one ? one.all : [one]));
    return all.length === 1 && all[0] !== undefined ? all[0] : { all };
  }
  const any = expression.any.map(flat).flatMap((one) => ('any' in one ? one.any : [one]));
  return any.length === 1 && any[0] !== undefined ? any[0] : { any };
}

/** The expression with something in the place of each predicate. */
export function withPredicates(
  expression: Expression,
  change: (predicate: Predicate) => Expression,
): Expression {
  if ('is' in expression) return change(expression);
  if ('not' in expression) return { not: withPredicates(expression.not, change) };
  return 'all' in expression
    ? { all: expression.all.map((one) => withPredicates(one, change)) }
    : { any: expression.any.map((one) => withPredicates(one, change)) };
}

/** The same in all parts of a form. */
export const changedForm = (
  { when, unless, requires, on_missing: onMissing }: RuleForm,
  change: (predicate: Predicate) => Expression,
): RuleForm => ({
  when: withPredicates(when, change),
  ...(unless !== undefined && { unless: withPredicates(unless, change) }),
  ...(requires !== undefined && { requires: withPredicates(requires, change) }),
  on_missing: onMissing,
});

/** Every predicate of an expression, in order. */
export function predicatesOf(expression: Expression): readonly Predicate[] {
  if ('is' in expression) return [expression];
  if ('not' in expression) return predicatesOf(expression.not);
  return ('all' in expression ? expression.all : expression.any).flatMap(predicatesOf);
}

export const partsOf = ({ when, unless, requires }: RuleForm): readonly Expression[] =>
  [when, unless, requires].filter((part) => part !== undefined);
