import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { certainDraft, type Draft } from '#engine/rules/reading/draft.ts';
import type { FieldShape } from '#engine/rules/predicates/predicate-kind.ts';
import { allKinds } from '#engine/rules/predicates/catalog.ts';
import type { ruleOperations } from '../contract/rules.ts';
import { readingBeside } from './left-out.ts';
import { partsOfForm } from './parts.ts';
import type { RunExample } from './model-examples.ts';
import type { ReadDraft, ReadSentence } from './read-sentence.ts';
import { checkedForm, type Origin, refusalOf } from './rule.ts';

/** What was understood, as answers say it. */
export const viewReading = ({ rule, canonical, understood, unread, doubts }: Draft) => ({
  ...(rule !== undefined && { rule: { ...rule } }),
  ...(canonical !== undefined && { canonical }),
  understood,
  unread: [...unread],
  doubts: [...doubts],
});

export const viewExamples = (examples: readonly RunExample[]) =>
  examples.map(({ toolName, toolParams, expected, isMet, reason }) => ({
    tool_name: toolName,
    tool_params: { ...toolParams },
    expected,
    as_expected: isMet,
    ...(reason !== undefined && { reason }),
  }));

const viewDraft = ({
  draft,
  origin,
  note,
  examples,
}: Omit<ReadDraft, 'origin'> & { readonly origin: Origin }) => {
  const problem = draft.rule && refusalOf(draft.rule, 'rule');
  return {
    ...viewReading(draft),
    origin,
    ...(note !== undefined && { note }),
    examples: viewExamples(examples),
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

/** A form by itself, or beside the sentence that it stands for. @throws AppError 422 */
function formDraft({ rule, sentence }: { rule?: unknown; sentence?: string | null | undefined }): Draft {
  const draft = certainDraft(checkedForm(rule, 'rule'));
  return draft.rule === undefined || sentence === undefined || sentence === null
    ? draft
    : { ...draft, ...readingBeside(sentence, draft.rule) };
}

export const ruleHandlers = (readSentence: ReadSentence): Handlers<typeof ruleOperations, Caller> => ({
  draftRule: async ({ body }) =>
    viewDraft(
      body.text === undefined
        ? { draft: formDraft(body), origin: 'form', examples: [] }
        : await readSentence(body.text),
    ),
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
