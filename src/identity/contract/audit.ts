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
    details: z.record(z.string(), z.unknown()).meta({ description: 'Ids and names of what it was done to.' }),
  })
  .meta({ id: 'AuditEvent' });

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
      event: z
        .string()
        .regex(/^[a-z][a-z_]{0,99}$/, { error: 'must be lower-case letters and `_`' })
        .optional()
        .meta({ description: 'An event, or the first words of several: `login` is also `login_failed`.' }),
      user_id: z.uuid().optional(),
      start: isoTime().optional().meta({ description: 'At or after.' }),
      end: isoTime().optional().meta({ description: 'Before.' }),
      before: z
        .uuid()
        .optional()
        .meta({ description: 'Only events older than the one with this id: reads a trail of any length.' }),
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
      tenant_id: z
        .string()
        .optional()
        .meta({ description: 'Another tenant’s id; for administrators of `system`.' }),
    }),
    response: z.object({ events: z.array(AuditEvent) }).meta({ id: 'AuditEventList' }),
    errors: [403, 404],
  }),
} as const;
