import type { Leaf } from '../../actions/calls/leaves.ts';
import { parseMeasure } from '../comparing/measure.ts';
import type { PartKind } from '../comparing/text-parts.ts';
import { choice, maybe, phrase, say, text } from '../wording/wording.ts';
import { type Comparison, comparison, comparisonFields, refuseComparison } from './operand.ts';

/** A number, a date or a word inside a longer text, with what it is compared with. */
export interface TextPart extends Omit<Comparison, 'path'> {
  readonly what: PartKind;
  /** Only what stands right behind these characters: `--replicas`, `amount:`. */
  readonly after?: string | undefined;
}

const { operator, value } = comparisonFields;

export const partFields = {
  what: { type: 'choice', of: ['number', 'date', 'word'] },
  after: { type: 'text', optional: true },
  operator,
  value,
} as const;

/** "behind "--replicas" a number of more than 3". */
export const part = phrase(
  maybe('after', phrase(say('behind'), text('after'))),
  choice('what', { number: 'a number', date: 'a date', word: 'a word' }),
  comparison,
);

export const refusePart = (comparing: Comparison): string | undefined =>
  comparing.operator === 'empty'
    ? "'operator' must not be `empty`: a text without it has nothing to compare"
    : refuseComparison(comparing);

/** A part as a value; the name of the argument says nothing of the units of what stands in its text. */
export const partLeaf = (part: string, path: string): Leaf => ({
  path,
  key: '',
  text: part,
  number: parseMeasure(part)?.value,
});
