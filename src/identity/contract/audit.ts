import { z } from 'zod';
import { isoTime, queryInteger } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from './sharing.ts';

const AuditEvent = z
  .object({
    id: z.uuid(),
    at: isoTime(),
    event: z.string().meta({ example: 'api_key_created' }),
    user_id: z.uuid().nullable().meta({ description: 'Who did it; null if that is not known.' }),
    user_name: userName(),
    address: z.string().nullable().meta({ description: 'Of the client.' }),
    request_id: z.string().nullable().meta({ description: 'As in the log.' }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'Ids and names of what it was done to; `changes`, where it is there, has for each field that differs its `old` and its ' +
        '`new` value, long ones shortened, null for what is not there.',
    }),
  })
  .meta({ id: 'AuditEvent' });

const filter = {
  event: z
    .string()
    .regex(/^[a-z][a-z_]{0,99}$/, { error: 'must be lower-case letters and `_`' })
    .optional()
    .meta({ description: 'An event, or the first words of several: `login` is also `login_failed`.' }),
  user_id: z.uuid().optional(),
  start: isoTime().optional().meta({ description: 'At or after.' }),
  end: isoTime().optional().meta({ description: 'Before.' }),
  tenant_id: z
    .string()
    .optional()
    .meta({ description: 'Another tenant’s id; for administrators of `system`.' }),
};

const exported = {
  method: 'GET',
  tag: 'Audit',
  access: 'jwt',
  query: z.object(filter),
  errors: [403, 404],
} as const;

export const auditOperations = {
  listAuditEvents: defineOperation({
    method: 'GET',
    path: '/auth/audit-events',
    tag: 'Audit',
    summary: 'List the audit events of the tenant',
    description:
      'Newest first, for those with the permission `users:manage`. Events that belong to no tenant, such as sign-ins with ' +
      'unknown names, are listed for administrators of `system`.',
    access: 'jwt',
    query: z.object({
      ...filter,
      before: z
        .uuid()
        .optional()
        .meta({ description: 'Only events older than the one with this id: reads a trail of any length.' }),
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
    }),
    response: z.object({ events: z.array(AuditEvent) }).meta({ id: 'AuditEventList' }),
    errors: [403, 404],
  }),
  exportAuditEventsAsCsv: defineOperation({
    ...exported,
    path: '/auth/audit-events/export/csv',
    summary: 'All audit events of the filter as CSV, newest first',
    description:
      'For whom the list is. The details are JSON in the last column. Texts that a spreadsheet would take for a formula have ' +
      'an apostrophe before them.',
    response: z.string(),
    contentType: 'text/csv; charset=utf-8',
  }),
  exportAuditEventsAsLines: defineOperation({
    ...exported,
    path: '/auth/audit-events/export/jsonl',
    summary: 'All audit events of the filter as lines of JSON, newest first',
    description: 'For whom the list is; each line is an event as the list has it.',
    response: z.string().meta({ description: 'A line of JSON each.' }),
    contentType: 'application/x-ndjson',
  }),
} as const;
