/** The currency of a limit, where its sentence names one: an amount in another one cannot be compared with it. */
import { changedForm, type RuleForm } from '../rule-form.ts';
import { currencyIn } from './sums.ts';

/** The form with the currency that the sentence names, in every limit of an amount that has none. */
export function withCurrency(sentence: string, form: RuleForm): RuleForm {
  const currency = currencyIn(sentence);
  if (currency === undefined) return form;
  return changedForm(form, (one) =>
    one.is === 'amount' && one.currency === undefined ? { ...one, currency } : one,
  );
}
