import { namesClass } from '../../actions/calls/sensitive.ts';
import type { DataClass, FactName } from '../../actions/clauses.ts';
import { dataFragments, factFragments } from '../../actions/rules/rule-facts.ts';
import { effectsOf, nounSenses, verbSenses } from '../../actions/verbs.ts';
import { root } from '../../actions/words.ts';
import type { Predicate } from '../predicates/catalog.ts';
import { changingActs, readingActs } from './file-effect.ts';
import { consentWords, outsideWords, quantityWords, timeWords } from './sentence-words.ts';
import {
  among,
  anyOf,
  byActs,
  byFragments,
  byMeasure,
  byNames,
  byNumbers,
  byText,
  byThings,
  byTools,
  byValue,
  byWords,
  narrow,
  never,
  type Taker,
} from './taking.ts';

type Of<Is extends Predicate['is']> = Extract<Predicate, { is: Is }>;

const adverbs = { hour: 'hourly', day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' } as const;

const exactWords = new Set(['very', 'exact', 'exactly', 'precise', 'particular', 'specific', 'same', 'name']);

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
  tool: ({ names, servers }) => byTools([...(names ?? []), ...(servers ?? [])]),
  spoken_tool: ({ names }) => byTools(names),
  argument: ({ path, operator, value }) => anyOf(byNames([path]), byValue(value, operator)),
  answer: ({ path, operator, value }) => anyOf(byNames([path]), byValue(value, operator)),
  answer_text: ({ tools, after, operator, value }) =>
    anyOf(byTools([...tools, after ?? '']), byValue(value, operator)),
  within_text: ({ path, after, operator, value }) =>
    anyOf(byNames([path, after ?? '']), byValue(value, operator)),
  total: ({ of, same, value }) =>
    anyOf(
      byWords([...of, ...(same ?? [])]),
      byText([JSON.stringify(value)]),
      among(new Set(['total', 'together', 'altogether', 'sum', 'combined', 'overall', 'plus', 'all'])),
      among(quantityWords),
    ),
  field: ({ names, operator, value }) => anyOf(byNames(names), byValue(value, operator)),
  earlier_call: ({ tools, same, path, operator, value, times }) =>
    anyOf(
      byTools(tools),
      byNames([same ?? '', path ?? '']),
      byValue(value, operator),
      byNumbers([times]),
      among(new Set(['first', 'prior', 'previously', 'already', 'earlier', 'before', 'advance'])),
    ),
  dates: ({ first, last }) => byText([first, last]),
  user: ({ path, operator, value }) => anyOf(byNames([path]), byValue(value, operator)),
  role: ({ roles }) => byNames([...roles, 'role']),
  records: ({ of }) => byNames(of),
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
  path: ({ prefixes, effect }) =>
    anyOf(
      byText(prefixes),
      effect === undefined ? never : byActs(effect === 'read' ? readingActs : changingActs),
      among(new Set(['file', 'files', 'folder', 'directory', 'path', 'paths', 'outside', 'below'])),
    ),
  file_kind: ({ endings }) =>
    anyOf(byText(endings), among(new Set(['file', 'files', 'extension', 'extensions']))),
  text: ({ texts }) => byText(texts),
  named_argument: ({ words }) => byWords(words),
  mentioned: ({ words }) => byWords(words),
  user_said: ({ words }) => byWords(words),
  user_asked: ({ about, named }) =>
    anyOf(
      byWords(about),
      named === true ? among(exactWords) : never,
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
