import type { z } from 'zod';
import type { Draft } from '#engine/rules/reading/draft.ts';
import type { RuleForm as FormOfEngine } from '#engine/rules/rule-form.ts';
import type { RuleForm, ruleOperations } from '../contract/rules.ts';

/** A form is plain JSON in the names of the wire already. */
export const viewForm = (form: FormOfEngine): z.input<typeof RuleForm> =>
  ({ ...form }) as z.input<typeof RuleForm>;

export const viewDraft = (draft: Draft): z.input<typeof ruleOperations.draftRule.response> => ({
  rule: draft.rule === undefined ? null : viewForm(draft.rule),
  canonical: draft.canonical ?? null,
  understood: draft.understood,
  spans: draft.spans.map((span) => ({ ...span })),
  unread: [...draft.unread],
  alternatives: draft.alternatives.map(({ rule, canonical, why }) => ({
    rule: viewForm(rule),
    canonical,
    why,
  })),
});
