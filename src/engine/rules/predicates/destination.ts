import { choice, oneWay, phrase, texts } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** Where the call goes: recipients, hosts, accounts. */
export interface DestinationPredicate {
  readonly is: 'destination';
  /** `outside`: none of the own domains. */
  readonly where: 'outside' | 'in' | 'not_in';
  readonly places?: readonly string[] | undefined;
}

export const destination: PredicateKind<DestinationPredicate> = {
  is: 'destination',
  fields: {
    where: { type: 'choice', of: ['outside', 'in', 'not_in'] },
    places: { type: 'texts', optional: true },
  },
  refuse: ({ where, places }) =>
    (where === 'outside') === (places === undefined)
      ? undefined
      : "'places' must stand with `in` and `not_in`, and only there",
  wording: oneWay(
    [
      ({ where }) => where === 'outside',
      phrase(choice('where', { outside: 'goes outside of the own domains' })),
    ],
    [
      () => true,
      phrase(choice('where', { in: 'goes to', not_in: 'goes elsewhere than to' }), texts('places')),
    ],
  ),
  match: asCondition(({ where, places = [] }) => ({
    test: 'destination',
    where,
    domains: places.map((place) => place.toLowerCase()),
  })),
};
