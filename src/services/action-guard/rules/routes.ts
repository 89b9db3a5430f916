import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { certainDraft, type Draft, draftRule } from '#engine/rules/reading/draft.ts';
import type { FieldShape } from '#engine/rules/predicates/predicate-kind.ts';
import { allKinds } from '#engine/rules/predicates/catalog.ts';
import type { ruleOperations } from '../contract/rules.ts';
import { partsOfForm } from './parts.ts';
import { checkedForm, refusalOf } from './rule.ts';

/** What was understood, as answers say it. */
export const viewReading = ({ rule, canonical, understood, unread, doubts }: Draft) => ({
  ...(rule !== undefined && { rule: { ...rule } }),
  ...(canonical !== undefined && { canonical }),
  understood,
  unread: [...unread],
  doubts: [...doubts],
});

const viewDraft = (draft: Draft) => {
  const problem = draft.rule && refusalOf(draft.rule, 'rule');
  return {
    ...viewReading(draft),
    spans: draft.spans.map((span) => ({ ...span })),
    parts: draft.rule === undefined ? [] : partsOfForm(draft.rule),
    alternatives: draft.alternatives.map(({ rule, canonical, why }) => ({
      rule: { ...rule },
      canonical,
      why,
    })),
    ...(problem !== undefined && { problem }),
  };
};

export const ruleHandlers = (): Handlers<typeof ruleOperations, Caller> => ({
  draftRule: ({ body }) =>
    viewDraft(body.text === undefined ? certainDraft(checkedForm(body.rule, 'rule')) : draftRule(body.text)),
  listPredicates: () => ({
    predicates: allKinds.map(({ is, fields }) => ({
      is,
      fields: Object.entries<FieldShape>(fields).map(([name, shape]) => ({
        name,
        type: shape.type,
        required: shape.optional !== true,
        ...('of' in shape && { of: [...shape.of] }),
      })),
    })),
  }),
});
