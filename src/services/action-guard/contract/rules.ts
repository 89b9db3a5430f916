import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

const longestDraft = 2000;

const group =
  'Groups `all`, `any` and `not` of predicates; a predicate is `{is, …}` with the fields of its kind.';

/** Checked in full by the engine's own reading of forms, which names the field that is wrong. */
const expression = () => z.looseObject({}).meta({ description: group });

/** A rule as a value. */
export const RuleForm = z
  .object({
    when: expression(),
    unless: expression().optional(),
    requires: expression().optional(),
    on_missing: z.enum(['deny', 'ask']),
  })
  .meta({
    id: 'RuleForm',
    description:
      'A call breaks the rule when `when` holds and neither `unless` nor `requires` does; it is then refused, or waits for a person.',
  });

/** How much of a rule's sentence was understood. */
const Understood = z.enum(['fully', 'partly', 'not']);

const Alternative = z
  .object({ rule: RuleForm, canonical: z.string(), why: z.string() })
  .meta({ id: 'RuleAlternative' });

const RuleDraft = z
  .object({
    rule: RuleForm.nullable().meta({ description: 'Null where nothing was understood.' }),
    canonical: z.string().nullable().meta({
      description: 'The rule as a plain sentence that, sent as a rule, is read as exactly this rule.',
    }),
    understood: Understood,
    spans: z
      .array(
        z.object({
          text: z.string(),
          from: z.int(),
          to: z.int(),
          predicate: z.string().meta({ description: 'Where in the rule its meaning stands: `when.all[1]`.' }),
        }),
      )
      .meta({ description: 'Which words were read as what; places count UTF-16 units.' }),
    unread: z.array(z.string()).meta({ description: 'Words that say something and that nothing looks for.' }),
    alternatives: z.array(Alternative).meta({ description: 'Rules near to it that may be meant.' }),
  })
  .meta({ id: 'RuleDraft' });

export const ruleOperations = {
  draftRule: defineOperation({
    method: 'POST',
    path: '/api/v1/policies/rules/draft',
    tag: 'Policies',
    summary: 'See how the sentence of a rule is understood',
    description: 'Nothing is saved.',
    access: 'jwt_or_key',
    body: z
      .object({
        text: storedText({ min: 1, max: longestDraft }).meta({ description: 'The rule as a sentence.' }),
      })
      .meta({ id: 'RuleDraftRequest' }),
    response: RuleDraft,
  }),
} as const;
