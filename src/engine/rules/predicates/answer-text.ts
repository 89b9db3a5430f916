import { outputText } from '../../actions/calls/leaves.ts';
import { met } from '../../actions/judging/met.ts';
import { leavesAt } from '../comparing/field-path.ts';
import { matchesGlob, refuseGlob } from '../comparing/glob.ts';
import { partsIn } from '../comparing/text-parts.ts';
import { maybe, phrase, say, text, texts } from '../wording/wording.ts';
import { findAmong } from './operand-values.ts';
import { part, partFields, partLeaf, refusePart, type TextPart } from './text-part.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** A number, a date or a word in the text that an earlier step answered fulfils a comparison; the latest that has one counts. */
export interface AnswerTextPredicate extends TextPart {
  readonly is: 'answer_text';
  /** Globs over the names of the tools that answered. */
  readonly tools: readonly string[];
  /** The call that was answered, or the text of the answer, names the value of this argument. */
  readonly same?: string | undefined;
}

const longestAnswer = 20_000;

export const answerText: PredicateKind<AnswerTextPredicate> = {
  is: 'answer_text',
  fields: { tools: { type: 'texts' }, same: { type: 'text', optional: true }, ...partFields },
  refuse: ({ tools, ...rest }) => {
    const bad = tools.map(refuseGlob).find((reason) => reason !== undefined);
    return bad === undefined ? refusePart({ ...rest, path: '*' }) : `'tools' ${bad}`;
  },
  wording: phrase(
    say('comes after an answer of'),
    texts('tools'),
    maybe('same', phrase(say('for the same'), text('same'))),
    say('that has in its text'),
    part,
  ),
  match(at, predicate) {
    const { tools, same, what, after } = predicate;
    const wanted =
      same === undefined ? [] : leavesAt(at.context.call.leaves, same).map((leaf) => leaf.text.toLowerCase());
    if (same !== undefined && wanted.length === 0) return undefined;
    for (const { toolName, step, leaves } of at.context.earlier.toReversed()) {
      if (!tools.some((glob) => matchesGlob(glob, toolName))) continue;
      const said = outputText(step.toolOutput).slice(0, longestAnswer);
      const lower = said.toLowerCase();
      if (
        same !== undefined &&
        !wanted.some((one) => lower.includes(one) || leaves.some((leaf) => leaf.text.toLowerCase() === one))
      )
        continue;
      const parts = partsIn(said, what, after).map((one) => partLeaf(one, toolName));
      if (parts.length === 0) continue;
      const found = findAmong(parts, { ...predicate, path: '*' }, at);
      return found && met(true, 1, `${toolName} answered "${found.text.slice(0, 80)}".`);
    }
    return undefined;
  },
};
