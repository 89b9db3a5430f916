import type { Met } from '../../actions/judging/met.ts';
import { kindOf } from '../predicates/catalog.ts';
import type { Expression, RuleForm } from '../rule-form.ts';
import type { JudgedCall } from './judged-call.ts';

const surest = (a: Met, b: Met): Met => (b !== undefined && b.confidence > (a?.confidence ?? 0) ? b : a);

function matchAll(at: JudgedCall, all: readonly Expression[]): Met {
  let confidence = 1;
  let reason: string | undefined;
  for (const one of all) {
    const found = matchExpression(at, one);
    if (found === undefined) return undefined;
    confidence = Math.min(confidence, found.confidence);
    reason ??= found.reason;
  }
  return { confidence, reason };
}

/** Whether it holds of the call: as sure as the weakest of all, or the surest of any. */
function matchExpression(at: JudgedCall, expression: Expression): Met {
  if ('is' in expression) return kindOf(expression.is)?.match(at, expression);
  if ('all' in expression) return matchAll(at, expression.all);
  if ('any' in expression)
    return expression.any.reduce<Met>((best, one) => surest(best, matchExpression(at, one)), undefined);
  return matchExpression(at, expression.not) === undefined ? { confidence: 1 } : undefined;
}

/** What in the call breaks the rule; undefined where nothing does. */
export function breaksForm(at: JudgedCall, { when, unless, requires }: RuleForm): Met {
  const found = matchExpression(at, when);
  if (found === undefined) return undefined;
  if (unless !== undefined && matchExpression(at, unless) !== undefined) return undefined;
  return requires !== undefined && matchExpression(at, requires) !== undefined ? undefined : found;
}
