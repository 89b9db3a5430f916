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

/** Every predicate of an expression, in order. */
export function predicatesOf(expression: Expression): readonly Predicate[] {
  if ('is' in expression) return [expression];
  if ('not' in expression) return predicatesOf(expression.not);
  return ('all' in expression ? expression.all : expression.any).flatMap(predicatesOf);
}

export const partsOf = ({ when, unless, requires }: RuleForm): readonly Expression[] =>
  [when, unless, requires].filter((part) => part !== undefined);
