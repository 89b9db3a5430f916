/**
 * Forms that somebody else fills in for a sentence, as a language model does: what may stand in them, and the draft that
 * becomes of them. Nothing of it is believed unchecked.
 */
import { compileRule } from '../../actions/rules/compile.ts';
import { canonicalText } from '../canonical.ts';
import { checkForm } from '../check-form.ts';
import { compileForm } from '../compile-form.ts';
import { allKinds } from '../predicates/catalog.ts';
import type { FieldShape } from '../predicates/predicate-kind.ts';
import { alternativesTo } from './alternatives.ts';
import { type Draft, readerVersion } from './draft.ts';
import { lostNumbersOf } from './lost-numbers.ts';
import { numberOf } from './sentence-words.ts';
import { spansOf } from './spans.ts';

type Json = Readonly<Record<string, unknown>>;

const text: Json = { type: 'string' };
const plain: Json = { type: ['string', 'number', 'boolean'] };
const listOf = (items: Json): Json => ({ type: 'array', items, minItems: 1 });
const objectOf = (properties: Json, required: readonly string[]): Json => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const shapes: Readonly<Record<FieldShape['type'], (of: readonly string[]) => Json>> = {
  text: () => text,
  texts: () => listOf(text),
  number: () => ({ type: 'number' }),
  flag: () => ({ const: true }),
  things: () =>
    listOf(
      objectOf({ words: { type: 'array', items: text }, exact: listOf(text), whole: { const: true } }, [
        'words',
      ]),
    ),
  operand: () => ({
    anyOf: [
      plain,
      listOf(plain),
      objectOf(
        { argument: text, times: { type: 'number' }, plus: { type: 'number' }, days: { type: 'integer' } },
        ['argument'],
      ),
      objectOf({ user: text }, ['user']),
      objectOf({ days_from_now: { type: 'integer' } }, ['days_from_now']),
    ],
  }),
  choice: (of) => ({ enum: of }),
  choices: (of) => listOf({ enum: of }),
};

/** One kind of predicate: its fields, and which of them it needs. */
function kindSchema({ is, fields }: (typeof allKinds)[number]): Json {
  const entries: readonly (readonly [string, FieldShape])[] = Object.entries(fields);
  return objectOf(
    {
      is: { const: is },
      ...Object.fromEntries(
        entries.map(([name, shape]) => [name, shapes[shape.type]('of' in shape ? shape.of : [])]),
      ),
    },
    ['is', ...entries.filter(([, { optional }]) => optional !== true).map(([name]) => name)],
  );
}

const expression: Json = { $ref: '#/$defs/expression' };

/** The JSON schema of a rule's form: the closed set of predicates with their fields, joined by all, any and not. */
export const formSchema = (): Json => ({
  ...objectOf(
    {
      when: expression,
      unless: expression,
      requires: expression,
      on_missing: { enum: ['deny', 'ask'] },
    },
    ['when', 'on_missing'],
  ),
  $defs: {
    expression: {
      anyOf: [
        objectOf({ all: listOf(expression) }, ['all']),
        objectOf({ any: listOf(expression) }, ['any']),
        objectOf({ not: expression }, ['not']),
        ...allKinds.map(kindSchema),
      ],
    },
  },
});

/** Models that must name every field put null where a field has nothing to say. */
function withoutNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 40) return value;
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([key, one]) => [key, withoutNulls(one, depth + 1)]),
  );
}

/**
 * The draft of a sentence whose form was filled in by somebody else, or what is wrong with that form.
 * @param value the form, as it came
 */
export function filledDraft(
  sentence: string,
  value: unknown,
): { readonly draft: Draft } | { readonly problem: string } {
  const checked = checkForm(withoutNulls(value));
  if ('problem' in checked) return checked;
  const { form } = checked;
  const { spans, unread: words } = spansOf(sentence, form);
  const said = words.filter((word) => numberOf(word.toLowerCase()) === undefined);
  const unread = [...new Set([...said, ...lostNumbersOf(sentence, form)])];
  const { stems } = compileRule({ description: sentence, severity: 'Medium' }, readerVersion);
  return {
    draft: {
      rule: form,
      canonical: canonicalText(form),
      understood: unread.length > 0 ? 'partly' : 'fully',
      spans,
      unread,
      doubts: [],
      alternatives: alternativesTo(form),
      // Calls that are like the words which the form leaves out are not passed over in silence.
      compiled: compileForm(form, readerVersion, unread.length > 0 ? { unread, stems } : undefined),
    },
  };
}
