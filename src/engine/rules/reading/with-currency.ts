/** The currency of a limit, where its sentence names one: an amount in another one cannot be compared with it. */
import type { Predicate } from '../predicates/catalog.ts';
import type { Expression, RuleForm } from '../rule-form.ts';
import { currencyIn } from './sums.ts';

const inCurrency = (one: Predicate, currency: string): Predicate =>
  one.is === 'amount' && one.currency === undefined ? { ...one, currency } : one;

function within(expression: Expression, currency: string): Expression {
  if ('is' in expression) return inCurrency(expression, currency);
  if ('not' in expression) return { not: within(expression.not, currency) };
  return 'all' in expression
    ? { all: expression.all.map((one) => within(one, currency)) }
    : { any: expression.any.map((one) => within(one, currency)) };
}

/** The form with the currency that the sentence names, in every limit of an amount that has none. */
export function withCurrency(sentence: string, form: RuleForm): RuleForm {
  const currency = currencyIn(sentence);
  if (currency === undefined) return form;
  return {
    ...form,
    when: within(form.when, currency),
    ...(form.unless !== undefined && { unless: within(form.unless, currency) }),
    ...(form.requires !== undefined && { requires: within(form.requires, currency) }),
  };
}
