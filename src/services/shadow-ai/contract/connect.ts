import { z } from 'zod';
import { isoTime, queryInteger, queryTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { tenantQuery } from './fields.ts';

const window = {
  ...tenantQuery,
  start: queryTime('start')
    .optional()
    .meta({ description: 'Inclusive; 24 hours before the end unless given.' }),
  end: queryTime('end').optional().meta({ description: 'Inclusive; now unless given.' }),
  connector: z.string().max(200).optional().meta({ description: 'One connector id.' }),
};

const bounds = { window_start: isoTime(), window_end: isoTime() };
const tag = 'AI connect';
const access = 'jwt_or_key' as const;
const errors = [403, 404];

export const connectOperations = {
  getConnectSummary: defineOperation({
    method: 'GET',
    path: '/api/v1/ai-connect/summary',
    tag,
    summary: 'Connections to AI providers: how many, of whom, to how many',
    access,
    query: z.object(window),
    response: z.object({
      total_connections: z.int(),
      distinct_users: z.int(),
      distinct_devices: z.int(),
      distinct_providers: z.int(),
      ...bounds,
    }),
    errors,
  }),
  getConnectProviders: defineOperation({
    method: 'GET',
    path: '/api/v1/ai-connect/by-provider',
    tag,
    summary: 'Connections by provider, most first',
    access,
    query: z.object(window),
    response: z.object({
      providers: z.array(
        z
          .object({
            provider_id: z.string(),
            provider_name: z.string(),
            connection_count: z.int(),
            distinct_users: z.int(),
            distinct_devices: z.int(),
            last_seen: isoTime().nullable(),
          })
          .meta({ id: 'ProviderConnections' }),
      ),
      ...bounds,
    }),
    errors,
  }),
  getConnectApps: defineOperation({
    method: 'GET',
    path: '/api/v1/ai-connect/by-app',
    tag,
    summary: 'Connections by program, most first',
    access,
    query: z.object({ ...window, limit: queryInteger({ min: 1, max: 200, preset: 20 }) }),
    response: z.object({
      apps: z.array(
        z
          .object({
            app_name: z.string(),
            connection_count: z.int(),
            distinct_providers: z.int(),
            distinct_users: z.int(),
            last_seen: isoTime().nullable(),
          })
          .meta({ id: 'AppConnections' }),
      ),
      ...bounds,
    }),
    errors,
  }),
  listConnections: defineOperation({
    method: 'GET',
    path: '/api/v1/ai-connect/events',
    tag,
    summary: 'Connections one by one, newest first',
    access,
    query: z.object({
      ...window,
      limit: queryInteger({ min: 1, max: 500, preset: 50 }),
      provider_id: z.string().max(200).optional(),
    }),
    response: z.object({
      events: z.array(
        z
          .object({
            time: isoTime(),
            connector_id: z.string(),
            device_uid: z.string(),
            device_name: z.string().nullable(),
            user_name: z.string().nullable(),
            app_name: z.string().nullable(),
            app_cmd_line: z.string().nullable(),
            dst_domain: z.string().nullable(),
            dst_ip: z.string().nullable(),
            dst_port: z.int().nullable(),
            provider_id: z.string().nullable(),
            provider_name: z.string().nullable(),
          })
          .meta({ id: 'AiConnection' }),
      ),
      total: z.int(),
      ...bounds,
    }),
    errors,
  }),
};
