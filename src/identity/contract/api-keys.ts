import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Confirmation } from './auth.ts';

export const keyScopes = ['all', 'policies'] as const;

const Scope = z.enum(keyScopes).meta({
  description:
    '`all`: what documents an API key. `policies`: policy groups, policies, guards and templates, which take no other ' +
    'key, and nothing else.',
});

const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    key_prefix: z.string().meta({ description: 'The first 12 characters of the key.' }),
    scope: Scope,
    expires_at: isoTime().nullable(),
    created_at: isoTime(),
  })
  .meta({ id: 'ApiKey' });

const NewApiKey = ApiKey.extend({
  key: z.string().meta({ description: 'The whole key. It is shown only once.' }),
}).meta({ id: 'NewApiKey' });

const tag = 'API keys';

export const apiKeyOperations = {
  listApiKeys: defineOperation({
    method: 'GET',
    path: '/api/api-keys',
    tag,
    summary: 'The caller’s API keys',
    access: 'jwt',
    query: z.object({
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: z.object({ api_keys: z.array(ApiKey), total: z.int() }).meta({ id: 'ApiKeyList' }),
  }),
  createApiKey: defineOperation({
    method: 'POST',
    path: '/api/api-keys',
    tag,
    summary: 'Make an API key',
    description: 'The key acts as its user, with the roles that the user has at the time of the call.',
    access: 'jwt',
    body: z
      .object({
        name: storedText({ min: 1, max: 255 }),
        expires_at: isoTime().nullish().meta({ description: 'If omitted, the key does not expire.' }),
        scope: Scope.default('all'),
      })
      .meta({ id: 'ApiKeyRequest' }),
    status: 201,
    response: NewApiKey,
  }),
  deleteApiKey: defineOperation({
    method: 'DELETE',
    path: '/api/api-keys/{key_id}',
    tag,
    summary: 'Delete an API key',
    description: 'This process refuses the key at once, other processes within 5 seconds.',
    access: 'jwt',
    params: z.object({ key_id: z.string() }),
    response: Confirmation,
    errors: [404],
  }),
} as const;
