import type { z } from 'zod';
import { needsOf } from '#engine/rules/form-needs.ts';
import type { Draft } from '#engine/rules/reading/draft.ts';
import type { ruleOperations } from '../contract/rules.ts';
import { viewForm } from '../policies/view.ts';

export const viewDraft = (draft: Draft): z.input<typeof ruleOperations.draftRule.response> => ({
  rule: draft.rule === undefined ? null : viewForm(draft.rule),
  canonical: draft.canonical ?? null,
  understood: draft.understood,
  spans: draft.spans.map((span) => ({ ...span })),
  unread: [...draft.unread],
  alternatives: draft.alternatives
    .filter(({ rule }) => needsOf(rule).size === 0)
    .map(({ rule, canonical, why }) => ({
      rule: viewForm(rule),
      canonical,
      why,
    })),
});
