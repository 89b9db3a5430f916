import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';
import { Deleted } from './policies.ts';
import { RedactSetting } from './redaction.ts';
import { Strictness, threshold } from './strictness.ts';

const tag = 'Guards';

const maxTextLength = () => z.number().int().min(1).max(100_000_000);
const overflow = () => z.enum(['truncate', 'throw']);

const mode = () => z.enum(['enforce', 'observe']);
const logText = () => z.enum(['full', 'hash']);
const engine = () => z.enum(['embedded', 'llm', 'cascade', 'moderation', 'onnx']);
const failMode = () => z.enum(['degrade', 'closed', 'open']);

const SettingsInput = z
  .object({
    max_text_length: maxTextLength().nullish().meta({
      description: 'Most characters (Unicode code points) that are judged; null: no limit.',
    }),
    cache_enabled: z.boolean().nullish().meta({
      description:
        'Keep verdicts of this guard; null: as the deployment says (`policy_guard.cache_by_default`).',
    }),
    log_requests: z.boolean().nullish().meta({
      description:
        'Keep each evaluation in the query log (GET /api/queries), with its text as `log_text` says; null counts as false.',
    }),
    log_text: logText().optional().meta({
      description:
        'What the query log stores of a text: `full` (the default) or only its `hash`, by which equal texts are found.',
    }),
    mode: mode()
      .optional()
      .meta({
        description:
          '`enforce` (the default), or `observe`: the guard judges, answers that nothing is flagged and names no policy, ' +
          'and writes to the query log what it would have flagged, even where `log_requests` is off (then without the text).',
      }),
    overflow: overflow().optional().meta({
      description:
        'What happens to a longer text: `truncate` (the default) judges its beginning, `throw` answers 422.',
    }),
    engine: engine()
      .nullish()
      .meta({
        description:
          'Who judges: `embedded`; `llm`, the language model by every policy; `cascade`, the model only where the ' +
          'embedded engine is not sure and by custom policies; `moderation`, a remote endpoint; `onnx`, a local model. ' +
          'Null: as the deployment says (`policy_guard_judge.engine`). One that the deployment has not: 422.',
      }),
    fail_mode: failMode()
      .nullish()
      .meta({
        description:
          'What a policy becomes whose judge did not answer in time: `degrade`, what the embedded engine says; `closed`, ' +
          'violated; `open`, not violated. Answers say so in `degraded`. Null: `policy_guard_judge.fail_mode`.',
      }),
    redact: RedactSetting.nullish().meta({
      description: 'Answer `redacted_text` too, the whole text without these; null (the default): do not.',
    }),
  })
  .meta({ id: 'GuardSettingsInput' });

const OverrideInput = z
  .object({ threshold: threshold().nullish(), strictness_level: Strictness.nullish() })
  .meta({ id: 'PolicyGroupOverrideInput' });

const groupUuid = () => z.string().min(1).max(100);

const fields = {
  name: storedText({ min: 1, max: 255 }),
  description: storedText({ max: 10_000 }).nullable(),
  policy_group_uuids: z.array(groupUuid()).max(50).meta({
    description: 'The groups to judge by, in this order; a repeated one counts once. Unknown ones: 404.',
  }),
  policy_group_overrides: z.record(groupUuid(), OverrideInput).meta({
    description:
      'Per attached group: another threshold or strictness, for this guard alone. A key must be attached.',
  }),
  enabled: z.boolean(),
  visibility: visibilityField(),
  settings: SettingsInput,
};

const GuardCreate = z
  .object({
    ...fields,
    description: fields.description.default(null),
    policy_group_uuids: fields.policy_group_uuids.default([]),
    policy_group_overrides: fields.policy_group_overrides.default({}),
    enabled: fields.enabled.default(true),
    visibility: fields.visibility.default('private'),
    settings: SettingsInput.default({}),
  })
  .meta({ id: 'GuardCreate' });

const GuardUpdate = z.object(fields).partial().meta({ id: 'GuardUpdate' });

const GuardMetrics = z
  .object({
    requests_total: z.int().meta({ description: 'Texts judged, since the guard was made.' }),
    flagged_total: z.int(),
    flag_rate: z.number().meta({ description: 'flagged_total / requests_total; 0 before the first.' }),
    observed_flag_total: z.int().meta({ description: 'Found in observe mode, and not flagged.' }),
    allowed_total: z.int().meta({ description: 'Passed by the allow-list.' }),
    latency_ms_avg: z.number().nullable().meta({ description: 'Null before the first request.' }),
    latency_ms_p95: z
      .number()
      .nullable()
      .meta({ description: 'From a histogram with buckets 12 % wide; null before the first request.' }),
    cache_hit_rate: z.number().meta({ description: 'Share of the requests that the cache answered.' }),
    last_called_at: isoTime().nullable(),
  })
  .meta({ id: 'GuardMetrics' });

const Guard = z
  .object({
    guard_uuid: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    policy_group_uuids: z.array(z.string()),
    policy_group_names: z.record(z.string(), z.string()).meta({
      description:
        'The name of each attached group by its UUID, also of one that the caller may not open: it is judged by all the same.',
    }),
    policy_group_overrides: z.record(
      z.string(),
      z
        .object({ threshold: threshold().optional(), strictness_level: Strictness.optional() })
        .meta({ id: 'PolicyGroupOverride' }),
    ),
    enabled: z.boolean(),
    settings: z
      .object({
        max_text_length: maxTextLength().nullable(),
        cache_enabled: z.boolean().nullable(),
        log_requests: z.boolean().nullable(),
        overflow: overflow(),
        mode: mode(),
        log_text: logText(),
        engine: engine().nullable(),
        fail_mode: failMode().nullable(),
        redact: RedactSetting.nullable(),
      })
      .meta({ id: 'GuardSettings' }),
    owner_id: z.string(),
    owner_name: userName(),
    visibility: visibilityField(),
    version: z.int().meta({ description: 'Rises with each change.' }),
    created_at: isoTime(),
    updated_at: isoTime(),
    metrics: GuardMetrics,
  })
  .meta({ id: 'Guard' });

const params = z.object({ guard_uuid: z.string().min(1).max(100) });

const reading =
  'Its owner, the administrators of the tenant and, where it is shared, everybody of the tenant may read it; to all ' +
  'others it does not exist here (404). Who may ask it for verdicts is another matter: every user and key of the tenant.';
const ownership =
  'Only the owner of a guard and administrators may do this; one that is only shared with the caller answers 403, any other 404.';

export const guardOperations = {
  listGuards: defineOperation({
    method: 'GET',
    path: '/api/guards',
    tag,
    summary: 'The caller’s guards with their performance, newest first',
    description: reading,
    access: 'jwt',
    keyScope: 'policies',
    query: z.object({
      owner: ownerFilter('me'),
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: z.object({ guards: z.array(Guard), total: z.int() }).meta({ id: 'GuardList' }),
  }),
  getGuard: defineOperation({
    method: 'GET',
    path: '/api/guards/{guard_uuid}',
    tag,
    summary: 'One guard',
    description: reading,
    access: 'jwt',
    keyScope: 'policies',
    params,
    response: Guard,
    errors: [404],
  }),
  createGuard: defineOperation({
    method: 'POST',
    path: '/api/guards',
    tag,
    summary: 'Make a guard',
    description:
      'The groups must be such as the caller may read; any other group, unknown or foreign, answers 404.',
    access: 'jwt',
    keyScope: 'policies',
    body: GuardCreate,
    status: 201,
    response: Guard,
    errors: [404],
  }),
  updateGuard: defineOperation({
    method: 'PUT',
    path: '/api/guards/{guard_uuid}',
    tag,
    summary: 'Change the supplied fields of a guard',
    description:
      `${ownership} Fields that are not supplied stay as they are, inside \`settings\` too. ` +
      '`policy_group_uuids` and `policy_group_overrides` are replaced as a whole; an override leaves with its group. ' +
      'A group that is attached already stays, also where it is shared no longer.',
    access: 'jwt',
    keyScope: 'policies',
    params,
    body: GuardUpdate,
    response: Guard,
    errors: [403, 404],
  }),
  deleteGuard: defineOperation({
    method: 'DELETE',
    path: '/api/guards/{guard_uuid}',
    tag,
    summary: 'Delete a guard, with its metrics',
    description: ownership,
    access: 'jwt',
    keyScope: 'policies',
    params,
    response: Deleted,
    errors: [403, 404],
  }),
};
