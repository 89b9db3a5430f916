import { doesVerb } from '../../actions/judging/match-deed.ts';
import { met } from '../../actions/judging/met.ts';
import type { Call } from '../../actions/calls/call.ts';
import { sameActs } from '../../actions/judging/same-acts.ts';
import { areKin, effectsOf, nounSenses, verbSenses } from '../../actions/verbs.ts';
import { root } from '../../actions/words.ts';
import { coverage } from '../matching/spoken-words.ts';
import { familyOf } from '../matching/word-families.ts';
import { maybe, phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/**
 * The call is an operation on a thing, whatever its tool names it: the nearer the act of the call comes to the verbs, the
 * less has to be said of the thing. Calls that only look something up or prepare something (drafts, requests, quotes,
 * tasks for others) are operations only where the verbs say so.
 */
export interface OperationPredicate {
  readonly is: 'operation';
  readonly verbs: readonly string[];
  /** Names of which one is enough: `card limit`, `medication order`. */
  readonly on?: readonly string[] | undefined;
}

const preparing =
  /^(?:draft|drafts|quote|quotes|request|requests|ask|escalate|escalations?|propose|proposals?|estimate|preview|simulate|dry|task|tasks|todo|remind|reminder|reminders|ticket|tickets|note|notes|validate|calculate|suggest|flag|handoff|helpdesk|log|lookup|search|forecast)$/;
const showing = new Set(
  'see seen view show read access open disclose reveal look visible display tell inform query quer'.split(' ').map(root),
);

/** Acts of which one undoes the other or comes before it. */
const opposites: readonly (readonly [string, string])[] = [
  ['enable', 'disable'],
  ['approve', 'cancel'],
  ['create', 'delete'],
  ['create', 'cancel'],
  ['schedule', 'cancel'],
  ['book', 'cancel'],
  ['book', 'refund'],
  ['buy', 'sell'],
  ['buy', 'refund'],
  ['buy', 'cancel'],
  ['sell', 'refund'],
  ['pay', 'refund'],
  ['charge', 'refund'],
  ['grant', 'cancel'],
  ['enable', 'close'],
  ['execute', 'restart'],
];

/** Nearness of an act that has its name from the verb alone. */
const rare = 1.5;

const sensesOf = (verb: string) => [...verbSenses(verb), ...nounSenses(verb)];

const areOpposite = (senses: readonly string[], done: ReadonlySet<string>): boolean =>
  !senses.some((sense) => done.has(sense)) &&
  opposites.some(([a, b]) => (senses.includes(a) && done.has(b)) || (senses.includes(b) && done.has(a)));

const onlyReads = ({ effects, words, commands }: Call): boolean =>
  (effects.size === 1 && effects.has('read')) ||
  (effects.size === 0 && commands.words.length === 0 && /^(?:get|list|find|show|is|has|check)$/.test(words[0] ?? ''));

/** Draft, quote and the like in the tool's name, where the rule does not speak of them. */
function onlyPrepares({ words, senses }: Call, { verbs, on = [] }: OperationPredicate): boolean {
  const own = new Set([...verbs, ...on.flatMap((name) => name.split(' '))].map(root));
  return words.some((word) => preparing.test(word) && !own.has(root(word)) && !(word === 'ticket' && senses.has('sell')));
}

/** Verbs that say no more than that something is done. */
const general = new Set('change do handle process touch perform make'.split(' ').map(root));

/** Nouns that an act is done by: `appointments.create` books. */
const nounsOf: Readonly<Record<string, string>> = {
  book: 'appointment booking reservation reservations trip',
  pay: 'payment payments transfer bill invoice payout',
  send: 'mail email message sms mailing letter newsletter reply notification',
  share: 'export publication post link',
  grant: 'role permission access member',
  read: 'file record report',
  buy: 'order procurement purchase',
  cancel: 'cancellation',
  refund: 'refund refunds',
};

const isDoneBy = (senses: readonly string[], roots: ReadonlySet<string>): boolean =>
  senses.some((sense) => (nounsOf[sense] ?? '').split(' ').some((noun) => noun !== '' && roots.has(root(noun))));

/** How near the act of the call comes to one of the verbs, 0 to 1. */
function nearness(call: Call, verbs: readonly string[]): number {
  if (verbs.every((verb) => general.has(root(verb)))) return 0.9;
  const senses = verbs.flatMap(sensesOf);
  const words = verbs.map(root);
  if (areOpposite(senses, call.senses)) return 0;
  const roots = new Set(call.words.map(root));
  const families = new Set([...roots].map(familyOf));
  const isNamed = (word: string) => roots.has(word) || families.has(familyOf(word));
  // A verb of which no list says more than its name is met by that name, and says enough.
  if (senses.length === 0 && words.some(isNamed)) return rare;
  if (words.some((word) => isNamed(word) || sameActs(word).some((same) => roots.has(same)))) return 1;
  if (doesVerb(call, { test: 'verb', senses, words: senses.length === 0 ? words : [] })) return 1;
  if (isDoneBy(senses, roots) && ['create', 'write', 'schedule', 'send', 'update', 'pay', 'execute'].some((act) => call.senses.has(act))) return 0.9;
  if (senses.some((sense) => [...call.senses].some((done) => areKin(sense, done)))) return 0.7;
  const effects = senses.flatMap((sense) => effectsOf(sense));
  if (effects.some((effect) => effect !== 'read' && call.effects.has(effect))) return 0.6;
  if (call.senses.size === 0 || senses.length === 0) return 0.5;
  return 0.25;
}

/** How much has to be said of the thing for an act that comes so near. */
const wantedOf = (near: number): number => (near >= rare ? 0 : near >= 1 ? 0.3 : near >= 0.9 ? 0.4 : near >= 0.6 ? 0.5 : near >= 0.5 ? 0.6 : 0.75);

export const operation: PredicateKind<OperationPredicate> = {
  is: 'operation',
  fields: { verbs: { type: 'texts' }, on: { type: 'texts', optional: true } },
  wording: phrase(
    say('is an operation to'),
    texts('verbs'),
    maybe('on', phrase(say('on'), texts('on'))),
  ),
  match({ scene }, one) {
    const { call } = scene;
    const { verbs, on } = one;
    if (call.toolName === '') return undefined;
    const shows = verbs.some((verb) => showing.has(root(verb)));
    if (onlyReads(call) && !shows) return undefined;
    if (onlyPrepares(call, one)) return undefined;
    const near = Math.max(nearness(call, verbs), shows && onlyReads(call) ? 1 : 0, verbs.includes('access') ? 0.9 : 0);
    if (near === 0) return undefined;
    if (on === undefined) return met(near >= 0.9 && verbs.some((verb) => !general.has(root(verb))), 0.8);
    const spoken = coverage(on, scene);
    return met(spoken >= wantedOf(near), Math.min(1, 0.6 + 0.2 * Math.min(1, near) + 0.2 * spoken));
  },
};
