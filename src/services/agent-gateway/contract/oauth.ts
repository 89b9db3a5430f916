/** Clients that people have let into a gateway, and what they may do there. */
import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';
import { gatewayId, Message, page } from './gateways.ts';

const OAuthClient = z
  .object({
    client_id: z.string(),
    name: z.string().meta({ description: 'As the client calls itself.' }),
    kind: z.enum(['registered', 'metadata_document']).meta({
      description: 'Whether it registered itself, or its id is the address of its metadata document.',
    }),
    redirect_uris: z
      .array(z.string())
      .meta({ description: 'Empty for a client with a document: they stand there.' }),
    consents: z.int(),
    created_at: isoTime(),
    last_used_at: isoTime().nullable(),
  })
  .meta({ id: 'OAuthClient' });

const OAuthConsent = z
  .object({
    id: z.string(),
    user_id: z.string(),
    user_name: userName(),
    client_id: z.string(),
    client_name: z.string(),
    redirect_host: z.string().meta({ description: 'Where the person was sent back to.' }),
    scopes: z.array(z.string()),
    created_at: isoTime(),
    last_used_at: isoTime().meta({ description: 'When tokens were last given out on it.' }),
    expires_at: isoTime(),
  })
  .meta({ id: 'OAuthConsent' });

const tag = 'OAuth';
const access = 'jwt_or_key';
const clientId = gatewayId.extend({ client_id: z.string().min(1).max(2000) });
const consentId = gatewayId.extend({ consent_id: z.string().min(1).max(200) });

export const oauthOperations = {
  listOAuthClients: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}/oauth/clients',
    tag,
    summary: 'The OAuth clients of a gateway',
    description:
      'Newest first. Only who made the gateway, or an administrator of the tenant, may do this (403).',
    access,
    params: gatewayId,
    query: page,
    response: z.object({ clients: z.array(OAuthClient), total: z.int() }),
    errors: [403, 404],
  }),
  deleteOAuthClient: defineOperation({
    method: 'DELETE',
    path: '/api/gateways/{gateway_id}/oauth/clients/{client_id}',
    tag,
    summary: 'Remove an OAuth client',
    description:
      'Its registration and all consents to it; its tokens end at once. It may register again, and people may consent ' +
      'again. Only who made the gateway, or an administrator of the tenant, may do this (403).',
    access,
    params: clientId,
    response: Message,
    errors: [403, 404],
  }),
  listOAuthConsents: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}/oauth/consents',
    tag,
    summary: 'Who has let which client in',
    description:
      'Newest first. Who made the gateway and administrators of the tenant see all of them, others their own.',
    access,
    params: gatewayId,
    query: page.extend({ client_id: storedText({ min: 1, max: 2000 }).optional() }),
    response: z.object({ consents: z.array(OAuthConsent), total: z.int() }),
    errors: [404],
  }),
  revokeOAuthConsent: defineOperation({
    method: 'DELETE',
    path: '/api/gateways/{gateway_id}/oauth/consents/{consent_id}',
    tag,
    summary: 'End a consent',
    description:
      'All tokens that came of it end at once. Everybody may end their own; who made the gateway and administrators may ' +
      'end all.',
    access,
    params: consentId,
    response: Message,
    errors: [404],
  }),
};
