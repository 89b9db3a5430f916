import { met } from '../../actions/judging/met.ts';
import { answerAbout } from '../../actions/judging/records.ts';
import { leavesAt } from '../comparing/field-path.ts';
import { matchesGlob, refuseGlob } from '../comparing/glob.ts';
import { maybe, phrase, say, text, texts } from '../wording/wording.ts';
import { findCompared } from './operand-values.ts';
import { type Comparison, comparison, comparisonFields, refuseComparison } from './operand.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** A field of the answer of an earlier step fulfils a comparison; the latest answer that has the field counts. */
export interface AnswerPredicate extends Comparison {
  readonly is: 'answer';
  /** Globs over the names of the tools that answered. */
  readonly tools: readonly string[];
  /** The answer is about the same thing: it, or the call that it answered, has the value of this argument. */
  readonly same?: string | undefined;
}

export const answer: PredicateKind<AnswerPredicate> = {
  is: 'answer',
  fields: { ...comparisonFields, tools: { type: 'texts' }, same: { type: 'text', optional: true } },
  refuse: (predicate) =>
    predicate.tools.map(refuseGlob).find((reason) => reason !== undefined) ?? refuseComparison(predicate),
  wording: phrase(
    say('comes after an answer of'),
    texts('tools'),
    maybe('same', phrase(say('for the same'), text('same'))),
    say('with a field'),
    text('path'),
    comparison,
  ),
  match(at, predicate) {
    const { context } = at;
    const { tools, same, path } = predicate;
    const { leaves } = context.call;
    const wanted = same === undefined ? [] : leavesAt(leaves, same).map((leaf) => leaf.text.toLowerCase());
    if (same !== undefined && wanted.length === 0) return undefined;
    for (const step of context.earlier.toReversed()) {
      if (!tools.some((glob) => matchesGlob(glob, step.toolName))) continue;
      const said = answerAbout(step, wanted);
      const isSame = [...step.leaves, ...said].some((leaf) => wanted.includes(leaf.text.toLowerCase()));
      if (same !== undefined && !isSame) continue;
      const hasField = leavesAt(said, path).length > 0;
      if (!hasField && predicate.operator !== 'empty') continue;
      const found = findCompared(said, predicate, at);
      return (
        found && met(true, 1, `${step.toolName} answered that \`${path}\` is "${found.text.slice(0, 80)}".`)
      );
    }
    return undefined;
  },
};
