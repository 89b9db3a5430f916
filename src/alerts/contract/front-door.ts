/** Alerts as the front door answers for them: each with whom it tells, in one list whatever service it is about. */
import { z } from 'zod';
import { isoTime, page } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { AlertRule, AlertRuleInput, maxRules } from './alerts.ts';
import { measures } from './measures.ts';

/** Most targets of one alert. */
export const maxTargets = 5;

const minutesOfUnit = { m: 1, h: 60, d: 1440 } as const;
const longestWindow = 1440;

const minutesOf = (window: string): number => {
  const unit = window.slice(-1) as keyof typeof minutesOfUnit;
  return Number(window.slice(0, -1)) * minutesOfUnit[unit];
};

/** `15m`, `2h`, `1d`. */
export const windowText = (minutes: number): string => {
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
};

const Window = z
  .union([
    z.int().min(1).max(longestWindow),
    z
      .string()
      .regex(/^[1-9]\d{0,3}[mhd]$/, { error: 'must be a length such as 15m, 2h or 1d' })
      // What has no such form is told of already.
      .refine((window) => !(minutesOf(window) > longestWindow), { error: 'must be at most 1d' }),
  ])
  .transform((window) => (typeof window === 'number' ? window : minutesOf(window)))
  .meta({ description: 'From a minute to a day, such as `15m`, `2h` or `1d`; a number is minutes.' });

const rule = AlertRuleInput.shape;

const Condition = z.object({
  operator: z.literal('>=').default('>='),
  threshold: rule.threshold,
  min_count: rule.min_count,
});

const targetId = z.string().max(64).optional().meta({
  description: 'Of a target that the alert has: it stays, with its secret and what waits to be sent.',
});
const url = () => z.url({ protocol: /^https?$/ }).max(2000);

const AlertTargetInput = z
  .discriminatedUnion('kind', [
    z.object({
      target_id: targetId,
      kind: z.literal('mail'),
      mail_to: z.array(z.email().max(320)).min(1).max(20),
    }),
    z.object({ target_id: targetId, kind: z.literal('webhook'), url: url() }),
    z
      .object({
        target_id: targetId,
        kind: z.literal('slack'),
        url: url().nullable().optional().meta({ description: 'Not needed of a target that stays.' }),
      })
      .refine(({ target_id: id, url: sent }) => id !== undefined || typeof sent === 'string', {
        path: ['url'],
        error: 'is required: the URL of an incoming webhook of Slack',
      }),
  ])
  .meta({ id: 'AlertTargetInput' });

const AlertInput = z
  .object({
    name: rule.name,
    measure: rule.measure,
    subject: rule.subject,
    condition: Condition,
    window: Window.default(15),
    enabled: rule.enabled,
    targets: z
      .array(AlertTargetInput)
      .max(maxTargets)
      .optional()
      .meta({
        description:
          'Who is told. Without any, all channels of the tenant are (`/api/v1/alerts/channels` of each service). ' +
          'Left out of a change, they stay as they are.',
      }),
  })
  .refine(({ measure, condition: { threshold } }) => measures[measure].unit === 'count' || threshold <= 1, {
    path: ['condition', 'threshold'],
    error: 'must be at most 1 for a share: 0.25 is 25 %',
  })
  .refine(
    ({ measure, condition: { threshold } }) =>
      measures[measure].unit === 'share' || Number.isInteger(threshold),
    { path: ['condition', 'threshold'], error: 'must be a whole number for a count' },
  )
  .meta({ id: 'AlertInput' });

const AlertTarget = z
  .object({
    target_id: z.string(),
    kind: z.enum(['mail', 'webhook', 'slack']),
    mail_to: z.array(z.string()).optional().meta({ description: 'Of mail.' }),
    url: z.string().nullable().optional().meta({
      description: 'Of a webhook; null of Slack, since whoever knows it can write there.',
    }),
    problem: z.string().nullable().meta({ description: 'Why nothing is sent there.' }),
    secret: z.string().optional().meta({
      description: 'Of a webhook, told once, when it is new: its receiver checks signatures with it.',
    }),
  })
  .meta({ id: 'AlertTarget' });

const known = AlertRule.shape;

const Alert = z
  .object({
    alert_id: z.string().meta({ description: 'Also the `rule_id` of `/api/v1/alerts/rules`.' }),
    name: known.name,
    measure: known.measure,
    service: z.string().nullable().meta({
      description: 'Whose figures it watches, such as `policy-guard`; null: those of all services.',
    }),
    subject: known.subject,
    subject_name: known.subject_name,
    condition: z.object({ operator: z.literal('>='), threshold: z.number(), min_count: z.int() }),
    window: z.string().meta({ description: 'Such as `15m`, `2h` or `1d`.' }),
    enabled: known.enabled,
    muted_until: isoTime().nullable(),
    state: known.state,
    firing_since: known.firing_since,
    value: known.value,
    counted: known.counted,
    evaluated_at: known.evaluated_at,
    targets: z.array(AlertTarget).meta({ description: 'Without any, all channels of the tenant are told.' }),
  })
  .meta({ id: 'Alert' });

const tag = 'Alerts';
const access = 'jwt_or_key' as const;
const whose = 'For administrators of the tenant (403).';
const root = '/api/alerts';
const oneAlert = z.object({ alert_id: z.string().max(64) });

export const frontDoorAlertOperations = {
  listAlerts: defineOperation({
    method: 'GET',
    path: root,
    tag,
    summary: 'List alerts of all services, with their state and whom they tell',
    description: `${whose} Oldest first. Rules that were made at a service are among them.`,
    access,
    query: z.object(page),
    response: z.object({ alerts: z.array(Alert), total: z.int() }),
    errors: [403],
  }),
  getAlert: defineOperation({
    method: 'GET',
    path: `${root}/{alert_id}`,
    tag,
    summary: 'One alert',
    description: whose,
    access,
    params: oneAlert,
    response: Alert,
    errors: [403, 404],
  }),
  createAlert: defineOperation({
    method: 'POST',
    path: root,
    tag,
    summary: 'Create an alert',
    description:
      `${whose} At most ${maxRules} in a tenant (409), each with at most ${maxTargets} targets, which are told when it fires and ` +
      'when it is resolved, each once. `webhook` receives Standard Webhooks: `alert.firing` and `alert.resolved`, signed, in ' +
      'order, and again after failures; `slack` the same in the format of Slack’s incoming webhooks. A target is tested, and ' +
      'its deliveries are listed, below `/api/v1/alerts/channels/{target_id}` of each service.',
    access,
    body: AlertInput,
    status: 201,
    response: Alert,
    errors: [403, 409],
  }),
  replaceAlert: defineOperation({
    method: 'PUT',
    path: `${root}/{alert_id}`,
    tag,
    summary: 'Change an alert',
    description:
      `${whose} What fires is resolved if the alert now measures something else, is off or tells others. What waits to be ` +
      'sent to a target that is left out is still sent.',
    access,
    params: oneAlert,
    body: AlertInput,
    response: Alert,
    errors: [403, 404, 409],
  }),
  deleteAlert: defineOperation({
    method: 'DELETE',
    path: `${root}/{alert_id}`,
    tag,
    summary: 'Delete an alert',
    description: `${whose} What fires is resolved, and its targets are told so; the history stays.`,
    access,
    params: oneAlert,
    response: z.object({ message: z.string() }),
    errors: [403, 404],
  }),
};
