import type { Condition } from '../../actions/clauses.ts';
import { root } from '../../actions/words.ts';
import type { Predicate } from '../predicates/catalog.ts';
import { toThing } from '../predicates/thing.ts';
import type { Expression } from '../rule-form.ts';
import { liftApproval } from './lift-approval.ts';

type One<Test extends Condition['test']> = Extract<Condition, { test: Test }>;

const dayKeys = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** An empty list says nothing. */
const some = <T>(key: string, list: readonly T[] | undefined) =>
  list === undefined || list.length === 0 ? {} : { [key]: list };
const when = (key: string, holds: boolean | undefined) => (holds === true ? { [key]: true } : {});

/** The grammar keeps "500 or more" as a bound that lies a little beside 500. */
function bound(
  value: number | undefined,
  [strict, inclusive]: readonly [string, string],
): Record<string, number> {
  if (value === undefined) return {};
  // Of 0 as well: what lies beside it is 1e-9, which has six figures of its own.
  const plain = Math.abs(value) < 1e-6 ? 0 : Number(value.toPrecision(6));
  return Math.abs(plain - value) < 1e-12 * Math.max(1, Math.abs(value))
    ? { [strict]: value }
    : { [inclusive]: plain };
}

/** The rule's own verbs as it says them, where their roots are those that are looked for. */
function verbsOf({ words = [], said = [] }: One<'verb'>): readonly string[] {
  const roots = new Set(words);
  const own = said.filter((word) => roots.has(root(word)));
  return new Set(own.map(root)).size === roots.size ? own : words;
}

type Lifts = {
  readonly [Test in Exclude<Condition['test'], 'any'>]: (condition: One<Test>, alike: boolean) => object;
};

const lifts: Lifts = {
  verb: (one, alike) => ({
    is: 'action',
    ...some('acts', one.senses),
    ...some('verbs', verbsOf(one)),
    ...when('alike', alike),
  }),
  effect: ({ effects }) => ({ is: 'effect', effects }),
  acts: () => ({ is: 'changes' }),
  mentioned: ({ words }) => ({ is: 'mentioned', words }),
  about: ({ phrases, party, source }) => ({
    is: 'resource',
    things: phrases.map(toThing),
    ...when('party', party),
    ...when('source', source),
  }),
  data: ({ classes }) => ({ is: 'data', kinds: classes }),
  fact: ({ facts }) => ({ is: 'signal', signals: facts }),
  amount: ({ over, inclusive, total }) => ({
    is: 'amount',
    ...(inclusive ? { atleast: over } : bound(over, ['over', 'atleast'])),
    ...when('total', total),
  }),
  amount_under: ({ under }) => ({ is: 'amount', atmost: under }),
  count: ({ over, of }) => ({ is: 'count', over, ...some('of', of) }),
  repeat: ({ over, senses, per, words }) => ({
    is: 'repeat',
    over,
    ...some('acts', senses),
    ...some('per', per),
    ...some('words', words),
    window: 'session',
  }),
  number: ({ of, over, under, relative }) => ({
    is: 'quantity',
    of,
    ...bound(over, ['over', 'atleast']),
    ...bound(under, ['under', 'atmost']),
    ...when('relative', relative),
  }),
  exceeds: ({ of }) => ({ is: 'more_than_named', words: of }),
  lacks: ({ words }) => ({ is: 'nothing_of', words }),
  differs: ({ slot, phrases }) => ({ is: 'other_than', slot, things: phrases.map(toThing) }),
  again: ({ states }) => ({ is: 'done_again', ...some('states', states) }),
  own: () => ({ is: 'own_work' }),
  listed: ({ words }) => ({ is: 'looked_up', ...some('words', words) }),
  state: ({ states, strict }) => ({ is: 'state', states, ...when('strict', strict) }),
  destination: ({ where, domains }) =>
    where === 'outside' ? { is: 'destination', where } : { is: 'destination', where, places: domains },
  time: ({ days, fromMinute, toMinute, outside, week }) =>
    week === undefined
      ? {
          is: 'time',
          ...some(
            'days',
            days.map((day) => dayKeys[day]),
          ),
          from: fromMinute,
          to: toMinute,
          ...when('outside', outside),
        }
      : { is: 'time', from: week[0], to: week[1], weekly: true, ...when('outside', outside) },
  path: ({ where, prefixes }) => ({ is: 'path', where, prefixes }),
  extension: ({ extensions }) => ({ is: 'file_kind', endings: extensions }),
  tool: ({ names, where }) => ({ is: 'spoken_tool', where, names }),
  approved: liftApproval,
  literal: ({ texts }) => ({ is: 'text', texts }),
  user_asked: ({ about }) => ({ is: 'user_asked', ...some('about', about) }),
  user_said: ({ words }) => ({ is: 'user_said', words }),
  told: () => ({ is: 'told' }),
  earlier: ({ wantsMost, said, done, senses, phrases }) => ({
    is: 'earlier_step',
    ...some('acts', senses),
    ...some('things', phrases.map(toThing)),
    ...when('most', wantsMost),
    ...when('said', said),
    ...when('done', done),
  }),
  argument: ({ words }) => ({ is: 'named_argument', words }),
};

/** All tests of a list together, as one expression. */
export const liftAll = (conditions: readonly Condition[], alike = false): Expression => ({
  all: conditions.map((one) => liftCondition(one, alike)),
});

/**
 * A test of the grammar as an expression of a rule's form.
 * @param alike an act of another name that comes to the same is meant too
 */
function liftCondition(condition: Condition, alike: boolean): Expression {
  if (condition.test === 'any') return { any: condition.of.map((all) => liftAll(all)) };
  return (lifts[condition.test] as (one: Condition, alike: boolean) => object)(condition, alike) as Predicate;
}
