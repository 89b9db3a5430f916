import { amountOf, moneyIn, sumOf } from '../../actions/judging/quantities.ts';
import { met } from '../../actions/judging/met.ts';
import { recordLeaves } from '../../actions/judging/records.ts';
import { flag, maybe, phrase, say, text } from '../wording/wording.ts';
import { boundFields, type Bounds, bounds, isWithinBounds, refuseBounds } from './bounds.ts';
import { currencyOf, mostIn } from './currency.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The money of the call. */
export interface AmountPredicate extends Bounds {
  readonly is: 'amount';
  /** With the calls of its kind before it in the session. */
  readonly total?: true | undefined;
  /**
   * An ISO code. An amount in another currency counts as beyond the limit unless it is clearly below by rough rates, and as
   * beyond in any case where there are none.
   */
  readonly currency?: string | undefined;
}

export const amount: PredicateKind<AmountPredicate> = {
  is: 'amount',
  fields: {
    ...boundFields,
    total: { type: 'flag', optional: true },
    currency: { type: 'text', optional: true },
  },
  refuse: (predicate) =>
    refuseBounds(predicate) ??
    (predicate.currency === undefined || /^[A-Z]{3}$/.test(predicate.currency)
      ? undefined
      : "'currency' must be three capital letters, as in `EUR`"),
  wording: phrase(
    say('has an amount of'),
    bounds,
    maybe('currency', phrase(say('in'), text('currency'))),
    flag('total', 'together with those before it'),
  ),
  match({ context }, { total, currency, ...limits }) {
    const upward = limits.over !== undefined || limits.atleast !== undefined;
    const value =
      total === true
        ? sumOf(context)
        : (amountOf(context.call) ?? (upward ? moneyIn(recordLeaves(context)) : undefined));
    if (value === undefined) return undefined;
    const named = currency === undefined ? undefined : currencyOf(context.call);
    if (named !== undefined && currency !== undefined && named !== currency) {
      // With rough rates and a margin: a refund of 6 euros is not beyond 500 dollars.
      const most = mostIn(value, named, currency);
      return met(
        most === undefined ? upward : isWithinBounds(most, limits),
        0.9,
        `The amount is ${value} ${named}, and the rule's limit in ${currency}.`,
      );
    }
    return met(isWithinBounds(value, limits), 1, `The amount is ${value}.`);
  },
};
