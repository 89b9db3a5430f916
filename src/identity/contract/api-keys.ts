import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Confirmation } from './auth.ts';
import { ownerFilter, userName } from './sharing.ts';

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
    last_used_at: isoTime()
      .nullable()
      .meta({ description: 'To the minute, and known a few seconds later; null if it was never used.' }),
    user_id: z.uuid(),
    user_name: userName(),
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
    description: 'Oldest first. An administrator lists those of the whole tenant with `owner=all`.',
    access: 'jwt',
    query: z.object({
      owner: ownerFilter('me'),
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
  rotateApiKey: defineOperation({
    method: 'POST',
    path: '/api/api-keys/{key_id}/rotate',
    tag,
    summary: 'Replace an API key',
    description:
      'Makes a key with the same name and scope, for as long as the old one was made for. The old one keeps working for ' +
      'the given time, so that programs can change over. For one’s own keys; 409 for a key that has expired.',
    access: 'jwt',
    params: z.object({ key_id: z.string() }),
    body: z
      .object({
        old_key_ends_in_minutes: z
          .int()
          .min(0)
          .max(30 * 24 * 60)
          .default(24 * 60)
          .meta({
            description: 'At most 30 days; 0: it ends at once. It never works longer than it would have.',
          }),
      })
      .meta({ id: 'ApiKeyRotation' }),
    status: 201,
    response: NewApiKey,
    errors: [404, 409],
  }),
  deleteApiKey: defineOperation({
    method: 'DELETE',
    path: '/api/api-keys/{key_id}',
    tag,
    summary: 'Delete an API key',
    description:
      'One’s own, or as an administrator one of the tenant. This process refuses the key at once, other processes within ' +
      '5 seconds.',
    access: 'jwt',
    params: z.object({ key_id: z.string() }),
    response: Confirmation,
    errors: [404],
  }),
} as const;
