/** Signs that a kind of data stands for something narrower: one thing of the kind, or that of certain people. */
import { root } from '../../../actions/words.ts';
import type { Predicate } from '../../predicates/catalog.ts';
import { dataWords } from '../../predicates/data.ts';
import { wordsOf } from '../sentence-words.ts';
import { takerOf } from '../takers.ts';
import { listOf, quoted, type Seen, withoutPlace } from './seen.ts';

type Kind = Extract<Predicate, { is: 'data' }>['kinds'][number];

/** Words that name the kind as such. By any other word that belongs to it, only a part of the kind is meant. */
const wholeKind: Readonly<Record<Kind, RegExp>> = {
  secret: /^(?:secrets?|credentials?|env|environment)$/,
  personal: /^(?:personal|personally|private|pii|gdpr|sensitive|identifiable)$/,
  contact: /^contacts?$/,
  health: /^(?:health|medical|phi|patients?|clinical)$/,
  card: /^(?:cards?|cardholders?)$/,
  bank: /^(?:bank|banking)$/,
  source_code: /^(?:source|code|codebase|proprietary)$/,
  customer: /^(?:customers?|clients?|users?|subscribers?)$/,
  confidential: /^(?:confidential|proprietary|internal|secrets?|private|company)$/,
};
/** Say what holds data or how it is written, of whichever kind. */
const anyData = /^(?:data|information|details?|numbers?|records?|files?|lists?|documents?)$/;

/** "Passwords, API keys or tokens": so many parts of a kind stand for the kind. */
const severalParts = 3;

/** "Dates of birth", "payroll", "a password": read as data of any of their kind. */
export function widened({ all, sentence }: Seen): string | undefined {
  const words = wordsOf(sentence).filter(({ plain }) => !anyData.test(plain));
  const narrow = all.flatMap((one) => {
    if (one.is !== 'data') return [];
    return one.kinds.flatMap((kind) => {
      const named = words.filter(takerOf({ ...one, kinds: [kind] }));
      const parts = new Set(named.map(({ plain }) => root(plain)));
      const isWhole = words.some(({ plain }) => wholeKind[kind].test(plain));
      return isWhole || parts.size === 0 || parts.size >= severalParts
        ? []
        : [`${quoted(listOf(named.map(({ text }) => text)))} was read as ${dataWords[kind]} of any kind.`];
    });
  });
  return narrow.length === 0 ? undefined : narrow.join(' ');
}

/** "The bank account of an employee", "a tenant's records": whose data it is. */
const owners =
  /\b(?:of|about|belonging to) (?:an?|the|our|any|another|other)? ?(employees?|staff|customers?|clients?|users?|members?|tenants?|patients?|students?|suppliers?|vendors?|colleagues?)\b|\b(employee|customer|client|user|member|tenant|patient|student|supplier|vendor|colleague)s?['’]s?\s/giu;

/** Whose data is meant was lost: that of everybody else is meant as well. */
export function lostOwner({ sentence, all }: Seen): string | undefined {
  if (!all.some(({ is }) => is === 'data')) return undefined;
  const takers = all.map(takerOf);
  const lost = [...sentence.matchAll(owners)]
    .map(([, behind, before]) => (behind ?? before ?? '').toLowerCase())
    .filter((owner) => !wordsOf(owner).some((word) => takers.some((takes) => takes(word))));
  return lost.length === 0 ? undefined : `${withoutPlace(listOf(lost))}: the data of anybody is meant.`;
}
