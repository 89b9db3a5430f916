import { effectsOf } from '../../actions/verbs.ts';
import type { Expression, RuleForm } from '../rule-form.ts';

function mayHold(expression: Expression, effects: ReadonlySet<string>): boolean {
  if ('all' in expression) return expression.all.every((one) => mayHold(one, effects));
  if ('any' in expression) return expression.any.some((one) => mayHold(one, effects));
  if ('not' in expression) return true;
  if (expression.is === 'effect') return expression.effects.some((effect) => effects.has(effect));
  if (expression.is !== 'action') return true;
  const meant = (expression.acts ?? []).flatMap((act) => effectsOf(act));
  return meant.length === 0 || meant.some((effect) => effects.has(effect));
}

/**
 * Whether a call with these effects can be what the rule is about: what a call has for effect is told more surely than
 * its details.
 */
export const canConcern = (form: object, effects: ReadonlySet<string>): boolean =>
  mayHold((form as RuleForm).when, effects);
