import type { Call } from '../calls/call.ts';
import { once } from '../calls/once.ts';
import type { Condition } from '../clauses.ts';
import { type Met, met } from './met.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { effectsOf } from '../verbs.ts';

/** Acts that a rule asks for rather than forbids, or that undo. */
const harmless =
  /^(?:reject|decline|refus|deny|note|comment|log|notify|escalat|request|draft|preview|estimat|calculat|validat|verif|ask|flag|remind|cancel|revok|remov|delet|restrict|disabl|lock|unsubscrib|return|forward|transfer)/;

/** Acts of which one undoes the other. */
const opposites: readonly (readonly [string, string])[] = [
  ['enable', 'disable'],
  ['approve', 'cancel'],
  ['create', 'delete'],
  ['create', 'cancel'],
  ['buy', 'sell'],
  ['buy', 'refund'],
  ['grant', 'cancel'],
  ['enable', 'close'],
];

const areOpposite = (senses: readonly string[], done: ReadonlySet<string>): boolean =>
  opposites.some(([a, b]) => (senses.includes(a) && done.has(b)) || (senses.includes(b) && done.has(a)));

const enough = 2;

const mayStand = once(
  ({ toolName, effects, words }: Call): boolean =>
    toolName !== '' &&
    !(effects.size === 1 && effects.has('read')) &&
    !words.some((word) => harmless.test(word)),
);

/** The call does not do one of these acts by its name, and comes to the same. */
export function standsForAct({ call }: EvaluationContext, senses: readonly string[]): Met {
  if (!mayStand(call) || areOpposite(senses, call.senses)) return undefined;
  const effects = senses.flatMap((sense) => effectsOf(sense));
  return met(
    effects.length === 0 || effects.some((effect) => effect !== 'read' && call.effects.has(effect)),
    0.8,
  );
}

const named = new WeakMap<readonly Condition[], boolean>();

/**
 * Whether the tests say so much that an act of another name is meant too: the tool may name it otherwise than the rule
 * ("expose a bucket", `set_bucket_acl`). Where two other tests of the rule, of a thing among them, are to hold as well, an
 * act with the same effect on the world stands for it. With fewer tests beside it, or with any effect, it blocked more
 * than it found; rules about what a trace itself shows are left out, for they hold for most tools.
 */
export function mayBeNamedOtherwise(when: readonly Condition[]): boolean {
  const known = named.get(when);
  if (known !== undefined) return known;
  const others = when.filter(({ test }) => test !== 'verb' && test !== 'argument');
  const found =
    others.length >= enough &&
    others.some(({ test }) => test === 'about') &&
    others.every(({ test }) => test !== 'fact');
  named.set(when, found);
  return found;
}
