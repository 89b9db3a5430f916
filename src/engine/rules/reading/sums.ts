/** "No more than $5,000 of refunds per customer per day": a sum over all sessions, which the grammar does not know. */
import { quantitiesIn } from '../../actions/calls/quantity.ts';
import { nounSenses, verbSenses } from '../../actions/verbs.ts';
import type { ActionPredicate } from '../predicates/action.ts';
import type { AmountPredicate } from '../predicates/amount.ts';
import type { QuantityPredicate } from '../predicates/quantity.ts';
import type { SumPredicate } from '../predicates/sum.ts';
import type { Expression, RuleForm } from '../rule-form.ts';

const spans: Readonly<Record<string, SumPredicate['window']>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  yearly: 'year',
  annually: 'year',
};
/** "A month old", "within a day of delivery", "a monthly budget" say when or what something is, and limit nothing. */
const spanShape =
  /\b(?:per|(?<!\b(?:than|for|of|on|after|before|about|by|least|most) )an?|each|every|in any|within (?:an?|one|any)|in (?:an?|one)|over (?:an?|one|any)|(?:in|within|over) the (?:last|past)) (?:calendar |single )?(hour|day|week|month|year)\b(?! (?:old|ago|before|after|later|earlier|ahead|of|off|in advance)\b)|\b(hourly|daily|weekly|monthly|yearly|annually)\b(?=\s*(?:[.,;:)]|$|per\b|for\b|in total\b))/gi;

/** The one span of time that the sentence limits something by. */
function windowIn(sentence: string): SumPredicate['window'] | undefined {
  const named = new Set(
    [...sentence.matchAll(spanShape)].map(
      ([, span, adverb = '']) => span?.toLowerCase() ?? spans[adverb.toLowerCase()],
    ),
  );
  const [only] = named;
  return named.size === 1 ? (only as SumPredicate['window']) : undefined;
}

const perShape =
  /\b(?:per|for (?:each|every|the same|any one|a single)|to (?:each|every|the same|any one|a single)|from (?:each|every|the same)) ([a-z]{3,20})\b/gi;
const times = /^(?:hour|day|week|month|year|calendar|time|single|session)$/;

/** For whom it is limited: undefined where each single act is meant, or where several are named. */
function perIn(sentence: string): readonly string[] | undefined {
  const named = new Set(
    [...sentence.matchAll(perShape)]
      .map(([, word = '']) => word.toLowerCase())
      .filter((word) => !times.test(word)),
  );
  const isAct = (word: string) => verbSenses(word).length > 0 || nounSenses(word).length > 0;
  return named.size > 1 || [...named].some((word) => isAct(word) || /^(?:call|request|item)$/.test(word))
    ? undefined
    : [...named];
}

/** The currency of the sentence's amounts, where it names one. */
export function currencyIn(sentence: string): string | undefined {
  const found = new Set(quantitiesIn(sentence, sentence.length).map(({ currency }) => currency));
  return found.size === 1 ? [...found][0] : undefined;
}

const sizeShape = /(\d[\d,]*(?:\.\d+)?)\s?([kmgt]i?b)\b/gi;
/** Names that arguments about how much data it is have. */
const sizeNames = ['*size*', '*bytes*', '*_kb', '*_mb', '*_gb', '*_tb'];

interface Said {
  readonly window: SumPredicate['window'];
  readonly per: readonly string[];
  readonly acts: readonly string[];
}

const limitOf = ({ over, atleast }: AmountPredicate | QuantityPredicate) =>
  over !== undefined
    ? (['over', over] as const)
    : atleast !== undefined
      ? (['at_least', atleast] as const)
      : undefined;

const sumOf = (
  { window, per, acts }: Said,
  operator: SumPredicate['operator'],
  { value, of }: Pick<SumPredicate, 'value' | 'of'>,
): SumPredicate => ({
  is: 'sum',
  ...(of !== undefined && { of }),
  ...(acts.length > 0 && { acts }),
  ...(per.length > 0 && { per }),
  window,
  operator,
  value,
});

function moneySum(sentence: string, one: AmountPredicate, said: Said): SumPredicate | undefined {
  const limit = limitOf(one);
  if (limit === undefined || one.under !== undefined || one.atmost !== undefined) return undefined;
  const unit = one.currency ?? currencyIn(sentence);
  return sumOf(said, limit[0], { value: unit === undefined ? limit[1] : `${limit[1]} ${unit}` });
}

function sizeSum(sentence: string, one: QuantityPredicate, said: Said): SumPredicate | undefined {
  const limit = limitOf(one);
  const sizes = [...sentence.matchAll(sizeShape)];
  const [size] = sizes;
  if (limit === undefined || sizes.length !== 1 || size === undefined || !one.of.includes('gb'))
    return undefined;
  const [, digits = '', unit = ''] = size;
  if (Number(digits.replaceAll(',', '')) !== limit[1]) return undefined;
  return sumOf(said, limit[0], { value: `${limit[1]} ${unit.toUpperCase()}`, of: sizeNames });
}

function withSum(expression: Expression, sentence: string, said: Said): Expression {
  if ('not' in expression) return expression;
  if ('any' in expression) return { any: expression.any.map((one) => withSum(one, sentence, said)) };
  if ('is' in expression) {
    if (expression.is === 'amount') return moneySum(sentence, expression, said) ?? expression;
    return expression.is === 'quantity' ? (sizeSum(sentence, expression, said) ?? expression) : expression;
  }
  const acts = expression.all.flatMap((one) =>
    'is' in one && one.is === 'action' ? ((one as ActionPredicate).acts ?? []) : [],
  );
  return { all: expression.all.map((one) => withSum(one, sentence, { ...said, acts })) };
}

/** The form with its amount added up over the span of time that the sentence names; else as it was. */
export function withSums(sentence: string, form: RuleForm): RuleForm {
  const window = windowIn(sentence);
  const per = perIn(sentence);
  return window === undefined || per === undefined
    ? form
    : { ...form, when: withSum(form.when, sentence, { window, per, acts: [] }) };
}
