import type { Met } from '../../actions/judging/met.ts';
import { kindOf, type Predicate } from '../predicates/catalog.ts';
import { type Expression, predicatesOf, type RuleForm } from '../rule-form.ts';
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

/** What the words of a sentence were taken for: where such a part is misread, a call that is meant does not meet it. */
const ofWords: ReadonlySet<string> = new Set(['field', 'mentioned', 'named_argument', 'state', 'user_said']);

const mostWords = 2;

function isOpen(one: Predicate): boolean {
  if (one.is === 'resource')
    return one.party === true || one.things.some(({ words }) => words.length > mostWords);
  return ofWords.has(one.is);
}

/** Whether it would hold of the call if every open part did. */
function mayHold(at: JudgedCall, expression: Expression): boolean {
  if ('is' in expression) return isOpen(expression) || matchExpression(at, expression) !== undefined;
  if ('all' in expression) return expression.all.every((one) => mayHold(at, one));
  if ('any' in expression) return expression.any.some((one) => mayHold(at, one));
  return predicatesOf(expression.not).some(isOpen) || matchExpression(at, expression) !== undefined;
}

/** What a rule is about, whatever it says of it. */
const acts: ReadonlySet<string> = new Set(['action', 'signal', 'spoken_tool', 'tool']);

/** Whether the call does what the rule is about, and only parts that are words of its sentence tell it from a breach. */
export function mayBreakForm(at: JudgedCall, { when, unless, requires }: RuleForm): boolean {
  return (
    predicatesOf(when).some((one) => acts.has(one.is) && matchExpression(at, one) !== undefined) &&
    mayHold(at, when) &&
    (unless === undefined || matchExpression(at, unless) === undefined) &&
    (requires === undefined || matchExpression(at, requires) === undefined)
  );
}
