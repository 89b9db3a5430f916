import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

const tag = 'Suppressions';

const Suppression = z
  .object({
    id: z.string(),
    fingerprint: z.string(),
    scope: z.enum(['tenant', 'own']).meta({
      description:
        'Whose scans it holds for: all of the tenant, where an administrator made it, or those of the member who made it.',
    }),
    reason: z.string(),
    by: z.string(),
    created_at: isoTime(),
    until: isoTime().nullable(),
    rule_id: z.string().nullable(),
    title: z.string().nullable(),
  })
  .meta({ id: 'Suppression' });

export const suppressionOperations = {
  listSuppressions: defineOperation({
    method: 'GET',
    path: '/suppressions',
    tag,
    summary: 'Findings that do not count, and why',
    description: 'Those of the tenant and the caller’s own; for administrators all.',
    access: 'jwt_or_key',
    query: z.object({
      limit: queryInteger({ min: 1, max: 500, preset: 100 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: z.object({ suppressions: z.array(Suppression), total: z.int() }),
  }),
  createSuppression: defineOperation({
    method: 'POST',
    path: '/suppressions',
    tag,
    summary: 'Let a finding not count',
    description:
      'It stays visible in every scan, with the reason, and counts again after `until`. An administrator’s suppression holds for all scans of the tenant, a member’s for the member’s own, and never for the gateways of others. Ratings follow at once, those of earlier scans too.',
    access: 'jwt_or_key',
    body: z
      .object({
        scan_id: z.int().min(1).meta({ description: 'A scan that has the finding.' }),
        fingerprint: z.string().min(1).max(200),
        reason: storedText({ min: 3, max: 2000 }),
        until: isoTime().nullish(),
      })
      .meta({ id: 'SuppressionRequest' }),
    status: 201,
    response: Suppression,
    errors: [403, 404, 409],
  }),
  deleteSuppression: defineOperation({
    method: 'DELETE',
    path: '/suppressions/{suppression_id}',
    tag,
    summary: 'Let a finding count again',
    access: 'jwt_or_key',
    params: z.object({ suppression_id: z.string().max(100) }),
    response: z.object({ deleted: z.literal(true) }),
    errors: [403, 404],
  }),
};
