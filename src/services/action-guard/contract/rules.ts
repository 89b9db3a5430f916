import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { ruleText } from './policies.ts';
import { Examples, Note, Origin, reading, refineSource, RuleForm } from './rule-form.ts';

const tag = 'Rules';

const Alternative = z
  .object({ rule: RuleForm, canonical: z.string(), why: z.string() })
  .meta({ id: 'RuleAlternative' });

const RuleDraft = z
  .object({
    ...reading,
    origin: Origin,
    note: Note,
    examples: Examples,
    spans: z
      .array(
        z.object({
          text: z.string(),
          from: z.int(),
          to: z.int(),
          predicate: z.string().meta({ description: 'Place in the form.', example: 'when.all[0]' }),
        }),
      )
      .meta({ description: 'Which words of the sentence became which predicate.' }),
    parts: z
      .array(z.object({ at: z.string(), is: z.string(), words: z.string() }).meta({ id: 'RulePart' }))
      .meta({ description: 'Each predicate of the form: its place, what it is, and its words.' }),
    alternatives: z
      .array(Alternative)
      .meta({ description: 'Other rules that the sentence may mean, each better in one respect.' }),
    problem: z.string().optional().meta({
      description: 'Why a rule with this form is refused when it is saved.',
    }),
  })
  .meta({ id: 'RuleDraft' });

const FieldKind = z
  .object({
    name: z.string(),
    type: z.enum(['text', 'texts', 'number', 'flag', 'things', 'operand', 'choice', 'choices']).meta({
      description:
        '`operand`: a text, a number, true or false, a list of these, another value of the call or of what a tool ' +
        'answered about the same thing (`{"argument": "list_price", "times": 1.1, "plus": 50}`, of a date `"days": 14`), ' +
        'what is known of the user (`{"user": "id"}`), or a day (`{"days_from_now": -7}`).',
    }),
    required: z.boolean(),
    of: z.array(z.string()).optional().meta({ description: 'Of a choice: what may be chosen.' }),
  })
  .meta({ id: 'PredicateField' });

export const ruleOperations = {
  draftRule: defineOperation({
    method: 'POST',
    path: '/api/v1/policies/rules/draft',
    tag,
    summary: 'Read a sentence as a rule, before anything is saved',
    description:
      'Send `text` for the form of a sentence, or `rule` to check a form and get its sentence. Nothing is stored.',
    access: 'jwt_or_key',
    body: z
      .object({
        text: ruleText().optional(),
        rule: RuleForm.nullish(),
        sentence: ruleText()
          .nullish()
          .meta({
            description:
              'The sentence beside `rule`: `spans` and `unread` then say which of its words the form looks for, and which ' +
              'it leaves out.',
          }),
      })
      .superRefine(refineSource)
      .meta({ id: 'RuleDraftRequest' }),
    response: RuleDraft,
  }),
  listPredicates: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/rules/predicates',
    tag,
    summary: 'What a rule can test of a call',
    description: 'The closed set of predicates, each with its fields; for editors of rules.',
    access: 'jwt_or_key',
    response: z.object({
      predicates: z.array(
        z.object({ is: z.string(), fields: z.array(FieldKind) }).meta({ id: 'PredicateKind' }),
      ),
    }),
  }),
} as const;
