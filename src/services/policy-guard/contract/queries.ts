import { z } from 'zod';
import { isoTime, queryInteger, queryTime, unitInterval } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';
import { decided } from './evaluate.ts';
import { Deleted } from './policies.ts';
import { Strictness } from './strictness.ts';

/** Maximum offset of a page; use `before` to go further. */
const deepestOffset = 10_000;
/** Totals are counted so far. */
export const mostCounted = 10_000;
/** The same with `search`. */
export const mostCountedInSearch = 1_000;
/** Maximum characters of a text that the log stores. */
export const mostTextKept = 8_000;

const tag = 'Query monitoring';
const number = (count: number) => count.toLocaleString('en');

export const outcomes = ['passed', 'flagged', 'observed', 'allowed'] as const;

const Outcome = z.enum(outcomes).meta({
  id: 'QueryOutcome',
  description:
    '`passed`: nothing was found. `flagged`: found, and returned to the caller. `observed`: found by a guard in observe ' +
    'mode, and not returned. `allowed`: on the guard’s allow-list, and not judged.',
});

const entry = {
  query_id: z.string(),
  timestamp: isoTime(),
  guard_uuid: z.string(),
  guard_name: z.string().nullable().meta({ description: 'Kept when the guard is deleted.' }),
  outcome: Outcome,
  flag: z.boolean().meta({ description: 'What the caller received.' }),
  observed_flag: z.boolean().meta({
    description: 'What the policies found; differs from `flag` in observe mode.',
  }),
  policies: z.array(z.string()).meta({ description: 'The violated policies, by name.' }),
  text: z
    .string()
    .nullable()
    .meta({
      description:
        `As judged, its first ${number(mostTextKept)} characters. Null unless the guard’s \`settings.log_requests\` is on ` +
        'and its `settings.log_text` is `full`.',
    }),
  text_hash: z
    .string()
    .nullable()
    .meta({
      description:
        'HMAC-SHA-256 of the whole text with a secret of this deployment: equal texts of a tenant have equal ones. Null ' +
        'unless `settings.log_requests` is on.',
    }),
  text_length: z.int().meta({ description: 'Of the whole text, in UTF-16 code units.' }),
  from_cache: z.boolean(),
  latency_ms: z.number(),
  allowed_by: z.string().nullable().meta({ description: 'The entry of the allow-list.' }),
  engine: decided.engine.nullable().meta({
    description:
      'Who decided; `mixed` where not all policies were decided by the same. Null for an allowed text.',
  }),
  degraded: decided.degraded,
};

const QueryEntry = z.object(entry).meta({ id: 'QueryEntry' });

const QueryLabel = z
  .object({
    query_id: z.string(),
    policy: z.string(),
    policy_group_uuid: z.string(),
    policy_group_name: z.string().nullable(),
    label: z.boolean().meta({ description: 'Whether the text violates the policy.' }),
    text: z.string(),
    labelled_by: z.string().meta({ description: 'The user.' }),
    labelled_by_name: userName(),
    labelled_at: isoTime(),
  })
  .meta({ id: 'QueryLabel' });

const QueryDetail = z
  .object({
    ...entry,
    guard_version: z.int(),
    door: z.string().meta({
      description: 'The operation that was called, such as `topic_guard`, `topic_guard_stream` or `grpc`.',
    }),
    user_id: z.string().nullable().meta({ description: 'Who asked.' }),
    user_name: userName(),
    api_key_id: z.string().nullable(),
    request_id: z.string().nullable().meta({ description: 'Also in the service’s log.' }),
    trace_id: z.string().nullable().meta({ description: 'Of OpenTelemetry, where tracing is on.' }),
    messages: z.int().meta({ description: 'How many earlier turns came with the text; they are not kept.' }),
    results: z
      .array(
        z
          .object({
            policy_group_uuid: z.string(),
            policy_group_name: z.string(),
            flagged: z.boolean(),
            threshold: z.number(),
            strictness_level: Strictness,
            probs: z.record(z.string(), unitInterval()),
            categories: z.record(z.string(), z.boolean()),
            reasoning: z.string().nullable(),
            ...decided,
          })
          .meta({ id: 'QueryGroupResult' }),
      )
      .meta({ description: 'What was found, in observe mode too; empty for an allowed text.' }),
    labels: z.array(QueryLabel),
  })
  .meta({ id: 'QueryDetail' });

const whose =
  'A caller sees the entries of guards that are theirs, an administrator those of the tenant; others do not exist (404).';

const filters = {
  guard_uuid: z.string().max(100).optional(),
  flagged: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .meta({ description: 'What the caller received.' }),
  outcome: Outcome.optional(),
  policy: z.string().max(255).optional().meta({ description: 'Violated this policy, by its name.' }),
};

const params = z.object({ query_id: z.string().min(1).max(100) });

export const queryOperations = {
  listQueries: defineOperation({
    method: 'GET',
    path: '/api/queries',
    tag,
    summary: 'What guards were asked, newest first',
    description:
      'Has what guards with `settings.log_requests` judged, and of the others what was observed or allowed, without the ' +
      `text. ${whose} For a guard that is not the caller’s the list is empty. Entries appear within a second, and go ` +
      'after `policy_guard.query_retention_days`.',
    access: 'jwt',
    query: z.object({
      ...filters,
      start: queryTime('start')
        .optional()
        .meta({ description: 'At or after; a day, or a time, of UTC where it has no offset.' }),
      end: queryTime('end').optional().meta({ description: 'Before; a day counts to its end.' }),
      search: z
        .string()
        .max(500)
        .optional()
        .meta({
          description:
            'Entries whose kept text has all of these words, in any case; whole words, and pairs of characters in scripts ' +
            'without spaces. Also a `text_hash`, for equal texts.',
        }),
      before: z.string().max(100).optional().meta({
        description: 'Only entries older than the one with this `query_id`: walks a log of any length.',
      }),
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
      offset: queryInteger({ min: 0, max: deepestOffset, preset: 0 }),
    }),
    response: z
      .object({
        queries: z.array(QueryEntry),
        total: z.int().meta({
          description: `Of all pages, counted up to ${number(mostCounted)}, with \`search\` up to ${number(mostCountedInSearch)}.`,
        }),
        total_is_exact: z.boolean().meta({ description: 'False where there are more than were counted.' }),
      })
      .meta({ id: 'QueryList' }),
  }),
  streamQueries: defineOperation({
    method: 'GET',
    path: '/api/queries/stream',
    tag,
    summary: 'The same as they happen, as server-sent events',
    description:
      `${whose} Events: \`query\` with an entry as in the list (its id is the \`query_id\`); \`dropped\` with ` +
      '`{"count"}` where the reader was too slow, or more was missed than is replayed (`count` is null then). A comment comes every 15 ' +
      'seconds. With `Last-Event-ID` (or `last_event_id`) the entries since then come first; those of the two seconds ' +
      'before it come again, since processes write at different moments: ignore repeated ids. The stream ends ' +
      'after 15 minutes, when the service stops, and when the reader is deleted, signed out or gets other roles; connect ' +
      'again, with the last id and a token that is valid then.',
    access: 'jwt',
    query: z.object({ ...filters, last_event_id: z.string().max(100).optional() }),
    response: z.string(),
    contentType: 'text/event-stream; charset=utf-8',
    errors: [503],
  }),
  getQuery: defineOperation({
    method: 'GET',
    path: '/api/queries/{query_id}',
    tag,
    summary: 'One query, with what was found and what people said of it',
    description: whose,
    access: 'jwt',
    params,
    response: QueryDetail,
    errors: [404],
  }),
  labelQuery: defineOperation({
    method: 'POST',
    path: '/api/queries/{query_id}/label',
    tag,
    summary: 'Say whether the text violates a policy',
    description:
      'Makes a labelled example of the entry: an adaptation of its guard with `include_labels` learns from it. Sent again ' +
      `for the same policy, the new label holds. The text is kept with the label until the label is deleted. ${whose} ` +
      `An entry whose text was not kept whole: 409.`,
    access: 'jwt',
    params,
    body: z
      .object({
        policy: z.string().min(1).max(255).meta({ description: 'An enabled policy of the guard, by name.' }),
        policy_group_uuid: z
          .string()
          .min(1)
          .max(100)
          .optional()
          .meta({ description: 'Needed where two groups of the guard have the name.' }),
        label: z.boolean().meta({ description: 'Whether the text violates the policy.' }),
      })
      .meta({ id: 'QueryLabelRequest' }),
    status: 201,
    response: QueryLabel,
    errors: [404, 409],
  }),
  deleteQueryLabels: defineOperation({
    method: 'DELETE',
    path: '/api/queries/{query_id}/label',
    tag,
    summary: 'Take back what was said of a text, with the text kept for it',
    description: whose,
    access: 'jwt',
    params,
    response: Deleted,
    errors: [404],
  }),
  listLabels: defineOperation({
    method: 'GET',
    path: '/api/guards/{guard_uuid}/labels',
    tag,
    summary: 'The labelled texts of a guard, newest first',
    description:
      'In the form of examples, for adaptations and the optimisation lab. For the owner of the guard alone.',
    access: 'jwt',
    params: z.object({ guard_uuid: z.string().min(1).max(100) }),
    query: z.object({
      limit: queryInteger({ min: 1, max: 5000, preset: 1000 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: z.object({ labels: z.array(QueryLabel), total: z.int() }).meta({ id: 'QueryLabelList' }),
    errors: [404],
  }),
};
