import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { measureNames, measures, sources } from './measures.ts';

/** Most rules, and most channels, of one tenant. */
export const maxRules = 100;
export const maxChannels = 10;

const label = () =>
  storedText({ min: 1, max: 255 }).refine((name) => name.trim() !== '', { error: 'must not be blank' });
const uuid = (what: string) => z.string().meta({ description: `The id of the ${what}.` });

export const AlertRuleInput = z
  .object({
    name: label(),
    measure: z.enum(measureNames).meta({
      description: measureNames
        .map((name) => `\`${name}\`: ${measures[name].label.toLowerCase()}`)
        .join('; '),
    }),
    subject: storedText({ min: 1, max: 255 }).nullable().default(null).meta({
      description:
        'One guard, policy set, gateway or service (see `subjects`); null: all of the tenant together.',
    }),
    window_minutes: z.int().min(1).max(1440).default(15),
    threshold: z.number().positive().max(1e9).meta({
      description: 'The rule fires from this value on: up to 1 for a share, from 1 for a count.',
    }),
    min_count: z.int().min(1).max(1_000_000).default(20).meta({
      description:
        'Of a share: it does not fire while fewer were counted in the window. A count does not use it.',
    }),
    enabled: z.boolean().default(true),
  })
  .refine(({ measure, threshold }) => measures[measure].unit === 'count' || threshold <= 1, {
    path: ['threshold'],
    error: 'must be at most 1 for a share: 0.25 is 25 %',
  })
  .refine(({ measure, threshold }) => measures[measure].unit === 'share' || Number.isInteger(threshold), {
    path: ['threshold'],
    error: 'must be a whole number for a count',
  })
  .meta({ id: 'AlertRuleInput' });

export const AlertRule = z
  .object({
    rule_id: z.string(),
    name: z.string(),
    measure: z.enum(measureNames),
    subject: z.string().nullable(),
    subject_name: z
      .string()
      .nullable()
      .meta({ description: 'Null where the subject is, or has not been counted.' }),
    window_minutes: z.int(),
    threshold: z.number(),
    min_count: z.int(),
    enabled: z.boolean(),
    muted_until: isoTime().nullable(),
    state: z.enum(['off', 'waiting', 'ok', 'firing']).meta({
      description: '`waiting`: not evaluated yet.',
    }),
    firing_since: isoTime().nullable(),
    value: z.number().nullable().meta({ description: 'When last evaluated; null of a share of nothing.' }),
    counted: z.int().meta({ description: 'How many were counted in the window then.' }),
    evaluated_at: isoTime().nullable(),
    target_count: z.int().meta({
      description:
        'How many targets of its own it has, which are told in place of the channels of the tenant: see `/api/alerts` at the front door.',
    }),
  })
  .meta({ id: 'AlertRule' });

const Incident = z
  .object({
    incident_id: z.string(),
    rule_id: z.string(),
    rule_name: z.string(),
    measure: z.enum(measureNames),
    subject: z.string().nullable(),
    subject_name: z.string().nullable(),
    window_minutes: z.int(),
    threshold: z.number(),
    value: z.number().meta({ description: 'While it fires the newest, then the last.' }),
    peak: z.number(),
    started_at: isoTime(),
    resolved_at: isoTime().nullable(),
    resolution: z.enum(['recovered', 'rule_changed']).nullable().meta({
      description: '`rule_changed`: the rule was changed, switched off or deleted.',
    }),
    told: z.boolean().meta({ description: 'Whether channels were told; not while the rule is muted.' }),
    muted_until: isoTime().nullable().meta({ description: 'Of the rule.' }),
  })
  .meta({ id: 'AlertIncident' });

const kind = z.enum(['mail', 'webhook', 'slack']);
const url = () => z.url({ protocol: /^https?$/ }).max(2000);

const ChannelInput = z
  .discriminatedUnion('kind', [
    z.object({ name: label(), kind: z.literal('mail'), mail_to: z.array(z.email().max(320)).min(1).max(20) }),
    z.object({ name: label(), kind: z.literal('webhook'), url: url() }),
    z.object({ name: label(), kind: z.literal('slack'), url: url() }),
  ])
  .meta({ id: 'AlertChannelInput' });

const Channel = z
  .object({
    channel_id: z.string(),
    name: z.string(),
    kind,
    target: z.string().meta({
      description:
        'Addresses, or the URL; of Slack only its beginning, since whoever knows it can write there.',
    }),
    problem: z.string().nullable().meta({ description: 'Why nothing is sent there.' }),
  })
  .meta({ id: 'AlertChannel' });

const Delivery = z
  .object({
    id: z.string().meta({ description: 'The message’s `webhook-id`.' }),
    at: isoTime(),
    status: z.enum(['waiting', 'delivered', 'dead']).meta({ description: '`dead`: it was given up.' }),
    attempts: z.array(z.object({ at: isoTime(), status: z.int().nullable(), error: z.string().nullable() })),
  })
  .meta({ id: 'AlertDelivery' });

const tag = 'Alerts';
const access = 'jwt_or_key' as const;
const whose = 'For administrators of the tenant (403).';
const root = '/api/v1/alerts';
const oneRule = z.object({ rule_id: uuid('rule') });
const oneChannel = z.object({ channel_id: uuid('channel') });

export const alertOperations = {
  listAlertRules: defineOperation({
    method: 'GET',
    path: `${root}/rules`,
    tag,
    summary: 'List alert rules with their state',
    description: whose,
    access,
    response: z.object({ rules: z.array(AlertRule) }),
    errors: [403],
  }),
  createAlertRule: defineOperation({
    method: 'POST',
    path: `${root}/rules`,
    tag,
    summary: 'Create an alert rule',
    description: `${whose} At most ${maxRules} in a tenant (409). Rules are evaluated every half minute.`,
    access,
    body: AlertRuleInput,
    status: 201,
    response: AlertRule,
    errors: [403, 409],
  }),
  replaceAlertRule: defineOperation({
    method: 'PUT',
    path: `${root}/rules/{rule_id}`,
    tag,
    summary: 'Change an alert rule',
    description: `${whose} What fires is resolved if the rule now measures something else or is off.`,
    access,
    params: oneRule,
    body: AlertRuleInput,
    response: AlertRule,
    errors: [403, 404],
  }),
  deleteAlertRule: defineOperation({
    method: 'DELETE',
    path: `${root}/rules/{rule_id}`,
    tag,
    summary: 'Delete an alert rule',
    description: `${whose} What fires is resolved; the history stays.`,
    access,
    params: oneRule,
    response: z.object({ message: z.string() }),
    errors: [403, 404],
  }),
  muteAlertRule: defineOperation({
    method: 'POST',
    path: `${root}/rules/{rule_id}/mute`,
    tag,
    summary: 'Mute an alert rule, or end that',
    description: `${whose} A muted rule is evaluated, and tells nobody. What still fires at the end is told then.`,
    access,
    params: oneRule,
    body: z
      .object({ minutes: z.int().min(1).max(43_200).nullable().meta({ description: 'Null ends it.' }) })
      .meta({ id: 'AlertMute' }),
    response: AlertRule,
    errors: [403, 404],
  }),
  listAlertIncidents: defineOperation({
    method: 'GET',
    path: `${root}/incidents`,
    tag,
    summary: 'List when rules fired',
    description: `${whose} Newest first; kept for 90 days after they are resolved.`,
    access,
    query: z.object({
      state: z.enum(['firing', 'all']).default('all'),
      limit: queryInteger({ min: 1, max: 200, preset: 50 }),
      offset: queryInteger({ min: 0, max: 100_000, preset: 0 }),
    }),
    response: z.object({ incidents: z.array(Incident), total: z.int() }),
    errors: [403],
  }),
  listAlertSubjects: defineOperation({
    method: 'GET',
    path: `${root}/subjects`,
    tag,
    summary: 'List what rules can be about',
    description: `${whose} What was counted in the last 30 days, at most 500 of a kind.`,
    access,
    response: z.object({
      subjects: z.array(z.object({ source: z.enum(sources), subject: z.string(), name: z.string() })),
    }),
    errors: [403],
  }),
  findAlertSubject: defineOperation({
    method: 'GET',
    path: `${root}/subjects/{source}/{subject}`,
    tag,
    summary: 'Whether there is such a guard, policy set, gateway or service',
    description: `${whose} Asked at the service that has it, before a rule is kept; \`null\` where this process cannot know.`,
    access,
    params: z.object({ source: z.enum(sources), subject: z.string() }),
    response: z.object({ exists: z.boolean().nullable() }),
    errors: [403],
  }),
  listAlertChannels: defineOperation({
    method: 'GET',
    path: `${root}/channels`,
    tag,
    summary: 'List where alerts are sent',
    description: whose,
    access,
    response: z.object({
      channels: z.array(Channel),
      mail_available: z.boolean().meta({ description: 'Whether a mail server is configured (`smtp.url`).' }),
    }),
    errors: [403],
  }),
  createAlertChannel: defineOperation({
    method: 'POST',
    path: `${root}/channels`,
    tag,
    summary: 'Add a place that alerts are sent to',
    description:
      `${whose} At most ${maxChannels} in a tenant (409). All of them are told when a rule fires and when it is resolved, ` +
      'each once. `webhook` receives Standard Webhooks: `alert.firing`, `alert.resolved` and `alert.test`, signed, in ' +
      'order, and again after failures; `slack` the same in the format of Slack’s incoming webhooks.',
    access,
    body: ChannelInput,
    status: 201,
    response: Channel.extend({
      secret: z
        .string()
        .nullable()
        .meta({ description: 'Of a webhook: its receiver checks signatures with it.' }),
    }).meta({ id: 'NewAlertChannel' }),
    errors: [403, 409],
  }),
  deleteAlertChannel: defineOperation({
    method: 'DELETE',
    path: `${root}/channels/{channel_id}`,
    tag,
    summary: 'Remove a place that alerts are sent to',
    description: `${whose} What waits to be sent there is dropped. Targets of one alert are changed with it (409).`,
    access,
    params: oneChannel,
    response: z.object({ message: z.string() }),
    errors: [403, 404, 409],
  }),
  testAlertChannel: defineOperation({
    method: 'POST',
    path: `${root}/channels/{channel_id}/test`,
    tag,
    summary: 'Send a test',
    description: `${whose} 409 for mail where no mail server is configured. A webhook that was given up is used again.`,
    access,
    params: oneChannel,
    response: z.object({ message: z.string() }),
    errors: [403, 404, 409],
  }),
  listAlertDeliveries: defineOperation({
    method: 'GET',
    path: `${root}/channels/{channel_id}/deliveries`,
    tag,
    summary: 'The newest messages of a webhook, with each attempt',
    description: `${whose} Empty for mail.`,
    access,
    params: oneChannel,
    response: z.object({ deliveries: z.array(Delivery) }),
    errors: [403, 404],
  }),
};
