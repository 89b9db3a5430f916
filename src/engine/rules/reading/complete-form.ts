/** What the grammar has no test for and a form has: networks, ports, directions, and acts that stand beside a signal. */
import { readWithoutSigns } from '../../actions/rules/compile.ts';
import { parseNetwork } from '../comparing/network.ts';
import type { Predicate } from '../predicates/catalog.ts';
import { type Expression, flat, predicatesOf, type RuleForm, withPredicates } from '../rule-form.ts';
import { withFileEffect } from './file-effect.ts';
import { liftClauses } from './lift-clauses.ts';
import { wordsOf } from './sentence-words.ts';

type Change = (predicate: Predicate) => Expression;

const isRange = (text: string) => /\d[./:]|:.*\//.test(text) && parseNetwork(text) !== undefined;

/** "Opened to 0.0.0.0/0", "reachable from the whole internet": what the call lets in. */
function networksIn(sentence: string): string[] {
  const named = wordsOf(sentence)
    .map(({ plain }) => plain)
    .filter(isRange);
  const isInternet = /\b(?:to|from|for|by) (?:the )?(?:(?:whole|entire|public|open) )?internet\b/i.test(
    sentence,
  );
  return named.length === 0 && isInternet && portsIn(sentence).length > 0 ? ['0.0.0.0/0', '::/0'] : named;
}

const portShape = /\bports? (\d{1,5}(?:(?:,| or| and|, or|, and) \d{1,5})*)/i;

const portsIn = (sentence: string): number[] =>
  (portShape.exec(sentence)?.[1]?.match(/\d+/g) ?? []).map(Number).filter((port) => port <= 65_535);

const anyOf = (all: readonly Expression[]): Expression => flat({ any: all });

/** Opening a port or a group to a network is any change of it; the words for it say little. */
function withNetwork(sentence: string, form: RuleForm): RuleForm {
  const [networks, ports] = [networksIn(sentence), portsIn(sentence)];
  if (networks.length === 0) return form;
  const lets: Expression = anyOf([
    ...networks.map((value): Expression => ({
      is: 'argument',
      path: '*',
      operator: 'covers_network',
      value,
    })),
    ...(networks.includes('::/0')
      ? [{ is: 'argument', path: '*', operator: 'is', value: 'internet' } as const]
      : []),
  ]);
  const atPort: Expression[] =
    ports.length === 0
      ? []
      : [anyOf(ports.map((value) => ({ is: 'argument', path: '*port*', operator: 'is', value }) as const))];
  const spoken = new Set(['port', 'ports', 'internet', 'reachable']);
  const kept = predicatesOf(form.when).filter(
    (one) => one.is === 'resource' && !one.things.some(({ words }) => words.some((word) => spoken.has(word))),
  );
  return { ...form, when: flat({ all: [{ is: 'changes' }, ...kept, ...atPort, lets] }) };
}

const rising = ['raise', 'increase', 'lengthen', 'extend', 'raised', 'increased', 'lengthened', 'extended'];
const falling = [
  'lower',
  'reduce',
  'decrease',
  'shorten',
  'cut',
  'lowered',
  'reduced',
  'decreased',
  'shortened',
];

/** Names that an argument and its earlier value have beside each other. */
const pairs: readonly (readonly [after: string, before: string])[] = [
  ['new_*', 'old_*'],
  ['new_*', 'current_*'],
  ['to', 'from'],
];

/** "Never raised": what is seen to go the other way is allowed, by its name or by its values. */
function withDirection(_: string, form: RuleForm): RuleForm {
  const change: Change = (one) => {
    if (one.is !== 'action' || one.acts?.includes('update') !== true || one.verbs?.length !== 1) return one;
    const verb = one.verbs[0] ?? '';
    const [others, operator] = rising.includes(verb)
      ? [falling, 'at_most' as const]
      : [rising, 'at_least' as const];
    if (others === rising && !falling.includes(verb)) return one;
    const otherWay: Expression[] = [
      { is: 'action', verbs: others.slice(0, 4) },
      ...pairs.map(([path, argument]): Expression => ({
        is: 'argument',
        path,
        operator,
        value: { argument },
      })),
    ];
    return { all: [one, { not: { any: otherWay } }] };
  };
  return { ...form, when: flat(withPredicates(form.when, change)) };
}

/** "Transfer money": a call named for the transfer of something else, as `transfer_call`, is not meant. */
function ofMoney(sentence: string, form: RuleForm): RuleForm {
  if (!/\b(?:money|funds?|cash)\b/i.test(sentence)) return form;
  const change: Change = (one) =>
    one.is === 'action' &&
    one.acts?.includes('pay') === true &&
    one.verbs?.every((verb) => verb.startsWith('transf')) === true
      ? { is: 'action', acts: one.acts, ...(one.alike === true && { alike: true }) }
      : one;
  return { ...form, when: withPredicates(form.when, change) };
}

const exact = '(?:very|exact|precise|particular|specific|same)';
/** "That very backup", "exactly this file", "by its name", "unless the user named it". */
const thisOne = new RegExp(
  `\\b(?:(?:that|this|those|these|the) ${exact}|exactly (?:that|this|those|these)|by (?:its |their |the )?(?:exact )?names?|(?:user|customer|client) (?:has |had |explicitly )*named)\\b`,
  'i',
);
const turns = /\b(?:unless|without|except|only|if|when|where|did not|didn't|not)\b/i;

/** "Unless the user asked for that very backup": another one of its kind is not what they asked for. */
function ofThisOne(sentence: string, form: RuleForm): RuleForm {
  if (!thisOne.test(sentence.slice(Math.max(0, sentence.search(turns))))) return form;
  const change: Change = (one) => (one.is === 'user_asked' ? { ...one, named: true } : one);
  const changed = (part: Expression | undefined) => part && withPredicates(part, change);
  const [unless, requires] = [changed(form.unless), changed(form.requires)];
  return {
    ...form,
    when: withPredicates(form.when, change),
    ...(unless !== undefined && { unless }),
    ...(requires !== undefined && { requires }),
  };
}

const besides = new Set<string>(['erases_traces']);

/** "Delete production backups or logs": deleting logs is a signal of its own, and the backups are meant too. */
function besideSignal(sentence: string, form: RuleForm): RuleForm {
  const all = predicatesOf(form.when);
  const isSignalAlone = all.every(
    (one) => one.is === 'signal' && one.signals.every((name) => besides.has(name)),
  );
  if (!isSignalAlone || form.requires !== undefined || form.unless !== undefined) return form;
  const plain = liftClauses(readWithoutSigns(sentence));
  if (!('form' in plain) || plain.form.requires !== undefined || plain.form.unless !== undefined) return form;
  const named = predicatesOf(plain.form.when);
  if (!named.some(({ is }) => is === 'action') || !named.some(({ is }) => is === 'resource')) return form;
  return { ...form, when: anyOf([form.when, plain.form.when]) };
}

/** The form with what the grammar lost of its sentence. */
export function completeForm(sentence: string, form: RuleForm): RuleForm {
  const whole = [besideSignal, withNetwork, ofMoney, withDirection, ofThisOne, withFileEffect];
  return whole.reduce((before, add) => add(sentence, before), form);
}
