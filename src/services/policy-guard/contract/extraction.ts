import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { Strictness } from './strictness.ts';

const Source = z
  .object({
    page: z.int().meta({ description: 'Counted from 1.' }),
    quote: z.string().meta({ description: 'As the page says it, white space apart.' }),
    kind: z.enum(['prohibition', 'obligation', 'permission']),
  })
  .meta({ id: 'PolicySource' });

const ExtractedPolicy = z
  .object({
    name: z.string(),
    description: z.string(),
    block_activities: z.array(z.string()),
    safe_activities: z.array(z.string()),
    enabled: z.boolean(),
    source: Source.meta({ description: 'The first of `sources`.' }),
    sources: z
      .array(Source)
      .meta({ description: 'Every statement of the document that went into the policy.' }),
  })
  .meta({ id: 'ExtractedPolicy' });

export const ExtractedGroup = z
  .object({
    group_uuid: z.null().meta({ description: 'Nothing is saved yet.' }),
    name: z.string(),
    description: z.string(),
    threshold: z.number(),
    strictness_level: Strictness,
    is_template: z.boolean(),
    owner_id: z.string(),
    version: z.null(),
    created_at: z.null(),
    updated_at: z.null(),
    policies: z.array(ExtractedPolicy),
    extraction: z
      .object({
        engine: z.enum(['embedded', 'language_model']).meta({ description: 'What read the document.' }),
        pages: z.int(),
        notes: z.array(z.string()).meta({ description: 'What a reader should know; often empty.' }),
      })
      .meta({ id: 'Extraction' }),
  })
  .meta({ id: 'ExtractedPolicyGroup' });

export const ExtractionProgress = z.object({
  step: z.enum(['pages', 'questions']),
  done: z.int(),
  total: z.int(),
});

const ExtractPoliciesForm = z
  .object({ file: z.file().meta({ description: 'A PDF, recognised by its content.' }) })
  .meta({ id: 'ExtractPoliciesForm' });

export const extractionOperations = {
  extractPolicies: defineOperation({
    method: 'POST',
    path: '/api/policy_extraction',
    tag: 'Templates',
    summary: 'Draft a policy group from a PDF',
    description:
      'Answers the group that the document would make; nothing is saved, and the answer can be sent to ' +
      '`POST /api/policy_groups` as it is. A policy for each section that forbids or demands something: what it forbids, ' +
      'and neglecting what it demands, is in `block_activities`; what it allows and its exceptions in `safe_activities`. ' +
      'Each names its sources, by page and quote; a language model’s quote that no page says is left out. An encrypted, ' +
      'scanned, broken or empty PDF, one of more than 2,000 pages or too costly to read: 422 that says which.',
    access: 'jwt',
    form: true,
    body: ExtractPoliciesForm,
    response: ExtractedGroup,
  }),
  extractPoliciesStream: defineOperation({
    method: 'POST',
    path: '/api/policy_extraction/stream',
    tag: 'Templates',
    summary: 'Draft a policy group from a PDF, and tell how far it is',
    description:
      'As `POST /api/policy_extraction`; the answer is server-sent events. `progress` {step, done, total}: in `pages` that ' +
      'are read, then, where a language model reads too, in `questions` that it has answered; `result`: the group; or ' +
      '`error` {status, detail}.',
    access: 'jwt',
    form: true,
    body: ExtractPoliciesForm,
    response: z.string(),
    contentType: 'text/event-stream; charset=utf-8',
  }),
};
