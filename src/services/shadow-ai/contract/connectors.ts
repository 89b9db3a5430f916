import { z } from 'zod';
import { isoTime, storedText, storedValues } from '#base/contract/fields.ts';
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
      'A `base_url` begins with `https://`; `http://` is for private networks that the operator allows. ' +
      '`settings`: `poll_interval_seconds` (10–86400, 60 unless set), `overlap_seconds` (0–86400, 900 unless set: what is ' +
      'asked for again, for what arrives late), `history_days` (1–30, 1 unless set: how far the first poll looks back), `prompt_extraction` (false unless set), `authority_url` and `api_url` for ' +
      '`edr-a`, `repository` for `edr-b-ngsiem` (`search-all` unless set), `api` for `edr-c` (`auto`, `long_running` or ' +
      '`deep_visibility`).',
    access: 'jwt_or_key',
    query: TenantQuery,
    body: z.object({
      edr_framework: z.enum(connectorKinds),
      credentials: z.record(storedText({ max: 100 }), storedText({ max: 8192 })),
      settings: storedValues().optional(),
    }),
    response: ConnectorConfig,
    errors,
  }),
  getConnectorStatus: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/connector/status',
    tag: 'Connector',
    summary: 'What became of the last poll',
    description:
      'Of all streams together: the oldest watermark and success, the first error; `streams` has each of them.',
    access: 'jwt_or_key',
    query: TenantQuery,
    response: z.object({
      last_success_at: isoTime().nullable(),
      last_error: z.string().nullable(),
      watermark: isoTime().nullable(),
      events_ingested: z.int(),
      lag_seconds: z.number().nullable(),
      clock_skew_seconds: z.number().nullable().meta({
        description: 'How far the source’s clock is ahead of ours; under two seconds count as none.',
      }),
      streams: z.array(
        z
          .object({
            stream: z.string(),
            last_success_at: isoTime().nullable(),
            last_error: z.string().nullable(),
            watermark: isoTime().nullable(),
            events_ingested: z.int(),
            rows_refused: z.int(),
          })
          .meta({ id: 'ConnectorStream' }),
      ),
      coverage: z
        .array(
          z
            .object({
              of: z.enum(['processes', 'connections', 'file_writes', 'file_reads', 'lookups']),
              sight: z.enum(['full', 'partial', 'none']),
              note: z.string(),
            })
            .meta({ id: 'ConnectorCoverage' }),
        )
        .meta({ description: 'What sources of this kind see of endpoints. Empty without a connector.' }),
    }),
    errors,
  }),
  testConnector: defineOperation({
    method: 'POST',
    path: '/api/v1/shadow-ai/connector/test',
    tag: 'Connector',
    summary: 'Signs in at the source and asks for the last quarter of an hour, keeping nothing',
    description:
      'For administrators. Answers within a minute; a stream that did not answer by then has failed.',
    access: 'jwt_or_key',
    query: TenantQuery,
    response: z.object({
      ok: z.boolean(),
      error: z.string().nullable().meta({ description: 'Why nobody could sign in.' }),
      streams: z.array(
        z
          .object({
            stream: z.string(),
            ok: z.boolean(),
            rows: z.int().meta({ description: 'Of the first part of the answer.' }),
            error: z.string().nullable(),
          })
          .meta({ id: 'ConnectorTestStream' }),
      ),
    }),
    errors: [403, 404, 409],
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
