import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { certainDraft, type Draft, draftRule } from '#engine/rules/reading/draft.ts';
import type { FieldShape } from '#engine/rules/predicates/predicate-kind.ts';
import { allKinds } from '#engine/rules/predicates/catalog.ts';
import type { ruleOperations } from '../contract/rules.ts';
import { checkedForm, refusalOf } from './rule.ts';

const viewDraft = ({ rule, canonical, understood, spans, unread, doubts, alternatives }: Draft) => {
  const problem = rule && refusalOf(rule, 'rule');
  return {
    ...(rule !== undefined && { rule: { ...rule } }),
    ...(canonical !== undefined && { canonical }),
    understood,
    spans: spans.map((span) => ({ ...span })),
    unread: [...unread],
    doubts: [...doubts],
    alternatives: alternatives.map(({ rule: other, canonical: said, why }) => ({
      rule: { ...other },
      canonical: said,
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
