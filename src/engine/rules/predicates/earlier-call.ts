import type { Call } from '../../actions/calls/call.ts';
import { met } from '../../actions/judging/met.ts';
import { answerAbout } from '../../actions/judging/records.ts';
import type { Operand, Operator } from '../comparing/compare.ts';
import { leavesAt } from '../comparing/field-path.ts';
import { matchesGlob, refuseGlob } from '../comparing/glob.ts';
import { maybe, number, phrase, say, text, texts } from '../wording/wording.ts';
import type { JudgedCall } from '../matching/judged-call.ts';
import { findCompared } from './operand-values.ts';
import { comparison, comparisonFields, refuseComparison } from './operand.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** One of these tools was called before, with arguments or an answer of this kind. */
export interface EarlierCallPredicate {
  readonly is: 'earlier_call';
  /** Globs over the names of the tools. */
  readonly tools: readonly string[];
  /** How often at least; once where it is not said. */
  readonly times?: number | undefined;
  /** It was about the same thing: it, or its answer, has the value of this argument. */
  readonly same?: string | undefined;
  /** A field of its arguments or its answer, with a comparison. */
  readonly path?: string | undefined;
  readonly operator?: Operator | undefined;
  readonly value?: Operand | undefined;
}

const mostTimes = 100;

function fits(at: JudgedCall, step: Call, predicate: EarlierCallPredicate): boolean {
  const { tools, same, path, operator, value } = predicate;
  if (!tools.some((glob) => matchesGlob(glob, step.toolName))) return false;
  const wanted =
    same === undefined ? [] : leavesAt(at.context.call.leaves, same).map((leaf) => leaf.text.toLowerCase());
  const leaves = [...step.leaves, ...answerAbout(step, wanted)];
  if (same !== undefined && !leaves.some((leaf) => wanted.includes(leaf.text.toLowerCase()))) return false;
  return (
    path === undefined ||
    operator === undefined ||
    findCompared(leaves, { path, operator, value }, at) !== undefined
  );
}

export const earlierCall: PredicateKind<EarlierCallPredicate> = {
  is: 'earlier_call',
  fields: {
    tools: { type: 'texts' },
    times: { type: 'number', optional: true },
    same: { type: 'text', optional: true },
    path: { type: 'text', optional: true },
    operator: { ...comparisonFields.operator, optional: true },
    value: comparisonFields.value,
  },
  refuse({ tools, times, path, operator, value }) {
    const bad = tools.map(refuseGlob).find((reason) => reason !== undefined);
    if (bad !== undefined) return `'tools' ${bad}`;
    if (times !== undefined && (!Number.isInteger(times) || times < 2 || times > mostTimes))
      return `'times' must be a whole number from 2 to ${mostTimes}`;
    if (path === undefined || operator === undefined)
      return path === undefined && operator === undefined && value === undefined
        ? undefined
        : "'path' and 'operator' must stand together";
    return refuseComparison({ path, operator, value });
  },
  wording: phrase(
    say('comes after a call of the tool'),
    texts('tools'),
    maybe('times', phrase(say('at least'), number('times'), say('times'))),
    maybe('same', phrase(say('for the same'), text('same'))),
    maybe('path', phrase(say('where'), text('path'), say('is a field'), comparison)),
  ),
  match(at, predicate) {
    const { times = 1 } = predicate;
    const found = at.context.earlier.filter((step) => fits(at, step, predicate)).slice(0, times);
    return met(found.length >= times, 1, `It comes after ${found[0]?.toolName ?? ''}.`);
  },
};
