import { met } from '../../actions/judging/met.ts';
import { leavesAt } from '../comparing/field-path.ts';
import { partsIn } from '../comparing/text-parts.ts';
import { phrase, say, text } from '../wording/wording.ts';
import { findAmong } from './operand-values.ts';
import { part, partFields, partLeaf, refusePart, type TextPart } from './text-part.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** A number, a date or a word inside a text of the call fulfils a comparison: in a command, a statement, a message. */
export interface WithinTextPredicate extends TextPart {
  readonly is: 'within_text';
  /** Of the arguments whose text is looked into. */
  readonly path: string;
}

export const withinText: PredicateKind<WithinTextPredicate> = {
  is: 'within_text',
  fields: { path: { type: 'text' }, ...partFields },
  refuse: refusePart,
  wording: phrase(say('has in the text of'), text('path'), part),
  match(at, predicate) {
    const { path, what, after } = predicate;
    const parts = leavesAt(at.context.call.leaves, path).flatMap((leaf) =>
      partsIn(leaf.text, what, after).map((one) => partLeaf(one, leaf.path)),
    );
    const found = findAmong(parts, predicate, at);
    return found && met(true, 1, `\`${found.path}\` has "${found.text.slice(0, 80)}" in its text.`);
  },
};
