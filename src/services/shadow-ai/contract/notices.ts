import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Severity, TenantQuery } from './fields.ts';

const settings = {
  new_tools: z.boolean().meta({
    description: 'Tell of a tool or provider that was never found before in the tenant and is not allowed.',
  }),
  min_severity: Severity.nullable().meta({
    description: 'Tell of each detection whose rule has at least this severity; null: of none.',
  }),
  mail_to: z.array(z.email().max(320)).max(20),
  webhook_url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .meta({
      description:
        'Receives Standard Webhooks: `shadow_ai.tool.found`, `shadow_ai.detection.found` and `shadow_ai.test`, signed, in ' +
        'order, and again after failures.',
    }),
};

const NoticeSettings = z
  .object({
    ...settings,
    mail_available: z.boolean().meta({ description: 'Whether a mail server is configured (`smtp.url`).' }),
    webhook_problem: z
      .string()
      .nullable()
      .meta({ description: 'Why the webhook was switched off after too many failures.' }),
  })
  .meta({ id: 'NoticeSettings' });

const Delivery = z
  .object({
    id: z.string().meta({ description: 'The message’s `webhook-id`.' }),
    at: isoTime(),
    status: z.enum(['waiting', 'delivered', 'dead']).meta({ description: '`dead`: it was given up.' }),
    attempts: z.array(z.object({ at: isoTime(), status: z.int().nullable(), error: z.string().nullable() })),
  })
  .meta({ id: 'NoticeDelivery' });

const tag = 'Notices';
const access = 'jwt_or_key' as const;
const whose = 'For administrators of the tenant.';

export const noticeOperations = {
  getNoticeSettings: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/notices',
    tag,
    summary: 'What is told by mail and webhook',
    description: whose,
    access,
    query: TenantQuery,
    response: NoticeSettings,
    errors: [403, 404],
  }),
  putNoticeSettings: defineOperation({
    method: 'PUT',
    path: '/api/v1/shadow-ai/notices',
    tag,
    summary: 'Choose what is told by mail and webhook',
    description: `${whose} Only what is detected from now on is told. A new address has a new secret, which is answered this once.`,
    access,
    query: TenantQuery,
    body: z
      .object({
        new_tools: settings.new_tools.default(true),
        min_severity: settings.min_severity.default(null),
        mail_to: settings.mail_to.default([]),
        webhook_url: settings.webhook_url.default(null),
      })
      .meta({ id: 'NoticeSettingsInput' }),
    response: NoticeSettings.extend({
      webhook_secret: z.string().nullable().meta({ description: 'Of a new address; null else.' }),
    }).meta({ id: 'SavedNoticeSettings' }),
    errors: [403, 404],
  }),
  testNotices: defineOperation({
    method: 'POST',
    path: '/api/v1/shadow-ai/notices/test',
    tag,
    summary: 'Send a test by mail and webhook',
    description: `${whose} 409 if neither is set.`,
    access,
    query: TenantQuery,
    response: z.object({ sent_to: z.array(z.enum(['mail', 'webhook'])) }).meta({ id: 'NoticeTest' }),
    errors: [403, 404, 409],
  }),
  listNoticeDeliveries: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/notices/deliveries',
    tag,
    summary: 'The newest messages of the webhook, with each attempt',
    description: whose,
    access,
    query: TenantQuery,
    response: z.object({ deliveries: z.array(Delivery) }),
    errors: [403, 404],
  }),
};
