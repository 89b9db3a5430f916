import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { TenantQuery } from './fields.ts';

export const connectorKinds = ['edr-a', 'edr-b', 'edr-b-ngsiem', 'edr-c'] as const;

const ConnectorConfig = z
  .object({
    edr_framework: z.enum(connectorKinds),
    credential_fields: z.record(z.string(), z.string()).meta({ description: 'What is no secret.' }),
    has_secret: z.boolean(),
    settings: z.record(z.string(), z.unknown()),
    created_at: isoTime().nullable(),
    updated_at: isoTime().nullable(),
  })
  .meta({ id: 'ConnectorConfig' });

const errors = [403, 404];

export const connectorOperations = {
  getConnectorConfig: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/config',
    tag: 'Connector',
    summary: 'The tenant’s connection to its endpoint security; null where there is none',
    access: 'jwt_or_key',
    query: TenantQuery,
    response: ConnectorConfig.nullable(),
    errors,
  }),
  putConnectorConfig: defineOperation({
    method: 'PUT',
    path: '/api/v1/shadow-ai/config',
    tag: 'Connector',
    summary: 'Sets it',
    description:
      'For administrators. `credentials`: `tenant_id`, `client_id`, `client_secret` for `edr-a`; `client_id`, ' +
      '`client_secret`, `base_url` for `edr-b` and `edr-b-ngsiem`; `base_url`, `api_token` for `edr-c`. Of the same kind, ' +
      'secrets that are left out stay as they were; another kind takes the place of the one before. ' +
      '`settings.poll_interval_seconds` (10–86400), `settings.prompt_extraction` (false unless set).',
    access: 'jwt_or_key',
    query: TenantQuery,
    body: z.object({
      edr_framework: z.enum(connectorKinds),
      credentials: z.record(z.string().max(100), z.string().max(8192)),
      settings: z.record(z.string().max(100), z.unknown()).optional(),
    }),
    response: ConnectorConfig,
    errors,
  }),
  getConnectorStatus: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/connector/status',
    tag: 'Connector',
    summary: 'What became of the last poll',
    access: 'jwt_or_key',
    query: TenantQuery,
    response: z.object({
      last_success_at: isoTime().nullable(),
      last_error: z.string().nullable(),
      watermark: isoTime().nullable(),
      events_ingested: z.int(),
      lag_seconds: z.number().nullable(),
    }),
    errors,
  }),
  syncConnector: defineOperation({
    method: 'POST',
    path: '/api/v1/shadow-ai/connector/sync',
    tag: 'Connector',
    summary: 'Polls now',
    description: 'For administrators. Answers once the poll is queued; how it went is in the status.',
    access: 'jwt_or_key',
    query: TenantQuery,
    status: 202,
    response: z.object({ status: z.literal('queued') }),
    errors: [403, 404, 409],
  }),
};
