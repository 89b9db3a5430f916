import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { tenantQuery, TenantQuery } from './fields.ts';

export const saasPlatform = 'saas-a' as const;
/** The second name of the same platform. */
const platform = z.enum([saasPlatform, 'servicenow-like']);

const SaasConfig = z
  .object({
    platform: z.literal(saasPlatform),
    auth_type: z.literal('basic'),
    host: z.string().nullable(),
    user: z.string().nullable(),
    has_password: z.boolean(),
    instance_url: z.string().nullable(),
    last_modified: isoTime().nullable(),
  })
  .meta({ id: 'SaasConfig' });

const errors = [403, 404];
const tag = 'SaaS connector (beta)';

export const saasOperations = {
  getSaasConfig: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/saas-config',
    tag,
    summary: 'The instance that is scanned; its password is never told',
    access: 'jwt_or_key',
    query: TenantQuery,
    response: SaasConfig,
    errors,
  }),
  putSaasConfig: defineOperation({
    method: 'PUT',
    path: '/api/v1/shadow-ai/saas-config',
    tag,
    summary: 'Sets the instance that is scanned',
    description: 'For administrators. `https://` before the host is taken away.',
    access: 'jwt_or_key',
    query: TenantQuery,
    body: z.object({
      platform: platform.optional(),
      auth_type: z.literal('basic').optional(),
      host: storedText({ min: 1, max: 500 }),
      user: storedText({ min: 1, max: 500 }).refine((name) => !name.includes(':'), {
        error: 'must not contain a colon: it ends the name in the header of Basic authentication',
      }),
      password: storedText({ min: 1, max: 8192 }),
    }),
    response: SaasConfig,
    errors,
  }),
  getSaasInventory: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/saas-inventory',
    tag,
    summary: 'Scans the instance for AI resources, now',
    description:
      'Nothing is cached. A table that cannot be read, because of rights, time or size, is a finding of the type ' +
      '`coverage` whose details say why: what is not listed is then not known to be absent.',
    access: 'jwt_or_key',
    query: z.object({ ...tenantQuery, platform: platform.optional() }),
    response: z.object({
      findings: z.array(
        z
          .object({
            platform: z.string(),
            resource_type: z.string(),
            resource_id: z.string(),
            resource_name: z.string(),
            scope: z.string(),
            created_by: z.string(),
            discovered_at: isoTime(),
            details: z.record(z.string(), z.unknown()),
          })
          .meta({ id: 'SaasFinding' }),
      ),
      count: z.int(),
      instance: z.string(),
      scan_duration_seconds: z.number(),
      generated_at: isoTime(),
    }),
    errors: [...errors, 409, 502, 504],
  }),
};
