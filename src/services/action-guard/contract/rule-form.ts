import { z } from 'zod';

/**
 * A rule as a value. Its predicates are listed by `GET /api/v1/policies/rules/predicates`, and checked where a rule is
 * saved: a form is bounded there in depth and size, which a recursive schema here would not be.
 */
export const RuleForm = z.record(z.string(), z.unknown()).meta({
  id: 'RuleForm',
  description:
    '`{when, unless?, requires?, on_missing}`. A call breaks the rule when `when` holds, and neither `unless` nor ' +
    '`requires` does; `on_missing` (`deny`, the default, or `ask`) says whether it is then refused or waits for a person. ' +
    'Each of the three is a predicate `{is, …}`, or `{all: […]}`, `{any: […]}`, `{not: …}` of such; at most 100 ' +
    'predicates, nested at most 8 deep.',
  example: { when: { is: 'action', acts: ['delete'] }, on_missing: 'deny' },
});

const Understood = z.enum(['fully', 'partly', 'not']).meta({
  description:
    '`fully`: each word that says something is tested for. `partly`: until a person confirms the rule, a call that breaks ' +
    'it, or is near to it, is treated as `action_guard.unconfirmed_rules` says. `not`: the sentence is compared with ' +
    'calls word by word, which only warns.',
});

export const Origin = z.enum(['sentence', 'model', 'form']).meta({
  description:
    'Whether the form was read from the sentence, filled in by a language model, or given as it is.',
});

export const Note = z
  .string()
  .optional()
  .meta({
    description:
      'Why the language model that is configured did not read the sentence: the grammar did. Of a rule with a form of its own: ' +
      'what its sentence would be read as, where that is something else.',
  });

/** Of a question about a rule that is a sentence or a form. */
export function refineSource(
  { text, rule }: { readonly text?: unknown; readonly rule?: unknown },
  ctx: z.core.$RefinementCtx,
): void {
  const hasForm = rule !== undefined && rule !== null;
  if (text === undefined && !hasForm)
    ctx.addIssue({ code: 'custom', path: ['text'], message: 'is required, or a form as `rule`' });
  if (text !== undefined && hasForm)
    ctx.addIssue({ code: 'custom', message: "must have one of 'text' and 'rule', not both" });
}

export const Examples = z
  .array(
    z
      .object({
        tool_name: z.string(),
        tool_params: z.record(z.string(), z.unknown()),
        expected: z.enum(['broken', 'kept']),
        as_expected: z.boolean(),
        reason: z.string().optional(),
      })
      .meta({ id: 'RuleExample' }),
  )
  .meta({
    description:
      'Calls that the language model made from the sentence, and whether its form treats them so. One that does not: `partly`.',
  });

/** Of a rule in an answer: its form, and how far that is what its sentence says. */
export const reading = {
  rule: RuleForm.optional().meta({ description: 'What is enforced. Missing where nothing was understood.' }),
  canonical: z.string().optional().meta({ description: 'The form as a plain sentence.' }),
  understood: Understood,
  doubts: z.array(z.string()).meta({
    description: 'Why the form may be something else than the sentence means, a sentence each.',
  }),
  unread: z.array(z.string()).meta({
    description:
      'Words of the sentence that nothing in the form looks for: they are not enforced. Also of a form that a person ' +
      'gave or confirmed beside its sentence.',
  }),
};
