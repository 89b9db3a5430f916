import { keptOn } from '../../actions/calls/kept-on.ts';
import type { Met } from '../../actions/judging/met.ts';
import { kindOf, type Predicate } from '../predicates/catalog.ts';
import { type Expression, predicatesOf, type RuleForm } from '../rule-form.ts';
import type { JudgedCall } from './judged-call.ts';

type Test = (at: JudgedCall) => Met;

const never: Test = () => undefined;

const surest = (a: Met, b: Met): Met => (b !== undefined && b.confidence > (a?.confidence ?? 0) ? b : a);

const allOf =
  (tests: readonly Test[]): Test =>
  (at) => {
    let confidence = 1;
    let reason: string | undefined;
    for (const test of tests) {
      const found = test(at);
      if (found === undefined) return undefined;
      confidence = Math.min(confidence, found.confidence);
      reason ??= found.reason;
    }
    return { confidence, reason };
  };

const anyOf =
  (tests: readonly Test[]): Test =>
  (at) => {
    let best: Met;
    for (const test of tests) best = surest(best, test(at));
    return best;
  };

const noneOf =
  (test: Test): Test =>
  (at) =>
    test(at) === undefined ? { confidence: 1 } : undefined;

/** As sure as the weakest of all, or the surest of any. */
function testFor(expression: Expression): Test {
  if ('is' in expression) {
    const match = kindOf(expression.is)?.match;
    return match === undefined ? never : (at) => match(at, expression);
  }
  if ('all' in expression) return allOf(expression.all.map(testFor));
  if ('any' in expression) return anyOf(expression.any.map(testFor));
  return noneOf(testFor(expression.not));
}

const tests = keptOn<Expression, Test>();

/**
 * Whether it holds of the call. What an expression is made of is looked up once and not with each call: a call is held
 * against hundreds of rules, most of which its first test tells to be about something else.
 */
export function matchExpression(at: JudgedCall, expression: Expression): Met {
  let test = tests.get(expression);
  if (test === undefined) tests.set(expression, (test = testFor(expression)));
  return test(at);
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
