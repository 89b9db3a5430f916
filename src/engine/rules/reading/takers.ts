import { namesClass } from '../../actions/calls/sensitive.ts';
import type { DataClass, FactName } from '../../actions/clauses.ts';
import { dataFragments, factFragments } from '../../actions/rules/rule-facts.ts';
import { implied } from '../../actions/rules/rule-action.ts';
import { sameThings } from '../../actions/things.ts';
import { effectsOf, nounSenses, verbSenses } from '../../actions/verbs.ts';
import { root } from '../../actions/words.ts';
import { parseMeasure } from '../comparing/measure.ts';
import type { Predicate } from '../predicates/catalog.ts';
import type { Thing } from '../predicates/thing.ts';
import {
  consentWords,
  numberOf,
  outsideWords,
  quantityWords,
  timeWords,
  type Word,
} from './sentence-words.ts';

/** Whether the predicate looks for what the word says. */
export type Taker = (word: Word) => boolean;

type Of<Is extends Predicate['is']> = Extract<Predicate, { is: Is }>;

const never: Taker = () => false;

const anyOf =
  (...takers: readonly Taker[]): Taker =>
  (word) =>
    takers.some((takes) => takes(word));

/** The words themselves, in any of their forms, or another name of the same thing. */
function byWords(words: readonly string[] = []): Taker {
  const roots = new Set(words.flatMap((text) => text.toLowerCase().split(/[\s_-]+/)).map(root));
  return ({ plain }) => roots.has(root(plain)) || [...sameThings(plain)].some((same) => roots.has(same));
}

/** Characters that stand in one of the values as they are. */
const byText =
  (values: readonly string[] = []): Taker =>
  ({ plain }) =>
    plain.length > 1 && values.some((value) => value.toLowerCase().includes(plain.replace(/^@/, '')));

/** "Trading hours" as a thing that the call is to name: the hour itself is then not looked at. */
const byThings = (things: readonly Thing[] = []): Taker => {
  const exact = things.flatMap((thing) => thing.exact ?? []);
  const takes = anyOf(byWords([...things.flatMap(({ words }) => words), ...exact]), byText(exact));
  return (word) => !(timeWords.has(word.plain) && word.plain !== 'business') && takes(word);
};

/** Verbs that say in which direction, or which outcome: an act that is wider than they are reads them wrongly. */
const narrow = new Set(
  `raise increase lower decrease reduce downgrade upgrade reject decline deny dismiss waive promote demote shorten extend`
    .split(/\s+/)
    .map(root),
);

const impliedBy = (acts: readonly string[]) =>
  new Set(acts.flatMap((act) => (implied[act] ?? '').split(' ')).map(root));

function byActs(acts: readonly string[] = []): Taker {
  const nouns = impliedBy(acts);
  return ({ plain }) =>
    (!narrow.has(root(plain)) &&
      [...verbSenses(plain), ...nounSenses(plain)].some((sense) => acts.includes(sense))) ||
    nouns.has(root(plain));
}

const byFragments = (fragments: readonly string[]): Taker => {
  return ({ plain }) => fragments.some((fragment) => plain.startsWith(fragment));
};

function byNumbers(values: readonly (number | undefined)[]): Taker {
  return ({ plain }) => {
    const number = numberOf(plain);
    return (
      number !== undefined && values.some((value) => value !== undefined && Math.abs(value - number) < 1e-6)
    );
  };
}

const adverbs = { hour: 'hourly', day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' } as const;

/** "$5,000", "5,000 USD", "3 GB": the number and the unit. */
function byMeasure(value: unknown): Taker {
  const measure = typeof value === 'string' || typeof value === 'number' ? parseMeasure(value) : undefined;
  if (measure === undefined) return byText([JSON.stringify(value)]);
  const numbers = byNumbers([measure.value / measure.factor]);
  const unit = String(value)
    .replaceAll(/[\d.,\s-]/g, '')
    .toLowerCase();
  return anyOf(numbers, ({ plain }) => unit !== '' && plain === unit);
}

const among =
  (set: ReadonlySet<string>): Taker =>
  ({ plain }) =>
    set.has(plain);

const bounds = ({ over, atleast, under, atmost }: Of<'quantity'> | Of<'amount'>) =>
  anyOf(byNumbers([over, atleast, under, atmost]), among(quantityWords));

const hourOf = (minutes: number) => [Math.floor(minutes / 60), Math.floor(minutes / 60) % 12, minutes % 60];

const beyond = new Set(['outside', 'inside', 'anywhere', 'elsewhere', 'else', 'within', 'beyond']);

type Takers = { readonly [Is in Predicate['is']]: (predicate: Of<Is>) => Taker };

const takers: Takers = {
  action: ({ acts, verbs }) =>
    anyOf(
      (word) => (acts === undefined || !narrow.has(root(word.plain))) && byWords(verbs)(word),
      byActs(acts),
    ),
  effect:
    ({ effects }) =>
    ({ plain }) =>
      verbSenses(plain).some((sense) => effectsOf(sense).some((effect) => effects.includes(effect))),
  changes:
    () =>
    ({ plain }) =>
      [...verbSenses(plain), ...nounSenses(plain)].some((sense) =>
        effectsOf(sense).some((effect) => effect !== 'read'),
      ),
  tool: ({ names, servers }) => byText([...(names ?? []), ...(servers ?? [])]),
  spoken_tool: ({ names }) => byText(names),
  argument: ({ path, value }) => anyOf(byWords([path]), byText([JSON.stringify(value ?? '')])),
  answer: ({ path, value }) => anyOf(byWords([path]), byText([JSON.stringify(value ?? '')])),
  answer_text: ({ tools, after, value }) =>
    anyOf(byWords([...tools, after ?? '']), byText([JSON.stringify(value ?? '')])),
  within_text: ({ path, after, value }) =>
    anyOf(byWords([path, after ?? '']), byText([JSON.stringify(value ?? '')])),
  total: ({ of, same, value }) =>
    anyOf(
      byWords([...of, ...(same ?? [])]),
      byText([JSON.stringify(value)]),
      among(new Set(['total', 'together', 'altogether', 'sum', 'combined', 'overall', 'plus', 'all'])),
      among(quantityWords),
    ),
  field: ({ names, value }) => anyOf(byWords(names), byText([JSON.stringify(value ?? '')])),
  earlier_call: ({ tools, path, value, times }) =>
    anyOf(
      byWords([...tools, path ?? '']),
      byText([JSON.stringify(value ?? '')]),
      byNumbers([times]),
      among(new Set(['first', 'prior', 'previously', 'already', 'earlier', 'before', 'advance'])),
    ),
  dates: ({ first, last }) => byText([first, last]),
  user: ({ path, value }) => anyOf(byWords([path]), byText([JSON.stringify(value ?? '')])),
  role: ({ roles }) => byWords([...roles, 'role']),
  records: ({ of }) => byText(of),
  resource: ({ things }) => byThings(things),
  other_than: ({ slot, things }) => anyOf(byThings(things), byWords(slot), among(beyond)),
  data: ({ kinds }) =>
    anyOf(
      ({ plain }) => kinds.some((kind) => namesClass(plain, kind as DataClass)),
      byFragments(kinds.flatMap((kind) => dataFragments(kind))),
      among(new Set(['data', 'information', 'details', 'number', 'numbers'])),
    ),
  destination: ({ places, where }) =>
    where === 'outside'
      ? among(outsideWords)
      : anyOf(
          byText(places),
          among(new Set(['domain', 'domains', 'address', 'addresses', 'outside', 'anywhere', 'else'])),
        ),
  amount: (one) => anyOf(bounds(one), one.total === true ? among(new Set(['session', 'together'])) : never),
  quantity: (one) =>
    anyOf(bounds(one), byWords(one.of), one.relative === true ? among(new Set(['change'])) : never),
  count: ({ over, of }) => anyOf(byNumbers([over]), byWords(of), among(new Set(['at', 'time', 'once']))),
  repeat: ({ over, acts, per, words, window }) =>
    anyOf(
      byNumbers([over, over + 1]),
      byActs(acts),
      byWords(per),
      byWords(words),
      among(
        new Set([
          window,
          'times',
          'once',
          'twice',
          'again',
          ...(window === 'session' ? ['conversation', 'run'] : []),
        ]),
      ),
    ),
  sum: ({ of, acts, per, value, window }) =>
    anyOf(
      byWords(of),
      byActs(acts),
      byWords(per),
      byMeasure(value),
      among(
        new Set([
          window,
          `${window}s`,
          adverbs[window],
          'last',
          'calendar',
          'together',
          'altogether',
          'overall',
        ]),
      ),
      among(quantityWords),
    ),
  more_than_named: ({ words }) => byWords(words),
  nothing_of: ({ words }) => byWords(words),
  done_again: ({ states }) =>
    anyOf(
      byWords(states),
      among(new Set(['again', 'twice', 'already', 'same', 'second', 'duplicate', 'duplicates', 'time'])),
    ),
  own_work: () =>
    among(new Set(['own', 'itself', 'self', 'created', 'opened', 'wrote', 'written', 'authored'])),
  looked_up: ({ words }) =>
    anyOf(byWords(words), among(new Set(['list', 'listed', 'approved', 'known', 'existing']))),
  state: ({ states }) => byWords(states),
  time: ({ from, to }) =>
    anyOf(among(timeWords), byNumbers([...hourOf(from), ...hourOf(to)]), ({ plain }) =>
      /^\d{1,2}(?::\d\d)?(?:am|pm)?$/.test(plain),
    ),
  path: ({ prefixes }) =>
    anyOf(
      byText(prefixes),
      among(new Set(['file', 'files', 'folder', 'directory', 'path', 'paths', 'outside', 'below'])),
    ),
  file_kind: ({ endings }) =>
    anyOf(byText(endings), among(new Set(['file', 'files', 'extension', 'extensions']))),
  text: ({ texts }) => byText(texts),
  named_argument: ({ words }) => byWords(words),
  mentioned: ({ words }) => byWords(words),
  user_said: ({ words }) => byWords(words),
  user_asked: ({ about }) =>
    anyOf(
      byWords(about),
      among(
        new Set([
          'user',
          'customer',
          'asked',
          'requested',
          'asks',
          'ask',
          'request',
          'requests',
          'explicitly',
          'unasked',
          'named',
        ]),
      ),
    ),
  told: () =>
    among(
      new Set([
        'tell',
        'tells',
        'told',
        'show',
        'shows',
        'shown',
        'preview',
        'user',
        'customer',
        'inform',
        'informed',
        'explain',
        'summary',
        'draft',
      ]),
    ),
  earlier_step: ({ acts, things }) =>
    anyOf(
      byActs(acts),
      byThings(things),
      among(new Set(['first', 'prior', 'previously', 'already', 'earlier', 'preceded', 'advance'])),
    ),
  approval: ({ by }) =>
    anyOf(
      among(consentWords),
      byWords(by),
      by === undefined ? among(new Set(['user', 'customer', 'human', 'person'])) : never,
    ),
  signal: ({ signals }) => byFragments(signals.flatMap((fact) => factFragments(fact as FactName))),
};

/** What of a sentence the predicate may have been read from. */
export const takerOf = (predicate: Predicate): Taker =>
  (takers[predicate.is] as (one: Predicate) => Taker)(predicate);
