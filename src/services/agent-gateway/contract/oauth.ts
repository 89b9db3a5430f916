/** OAuth clients of a gateway and the users' consents to them. */
import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';
import { gatewayId, Message, page } from './gateways.ts';

const OAuthClient = z
  .object({
    client_id: z.string(),
    name: z.string().meta({ description: 'Name that the client states.' }),
    kind: z.enum(['registered', 'metadata_document']).meta({
      description: 'Whether it registered dynamically; otherwise its id is the URL of its metadata document.',
    }),
    redirect_uris: z
      .array(z.string())
      .meta({ description: 'Empty for a client with a metadata document, which contains them.' }),
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
    redirect_host: z.string().meta({ description: 'Where the user was redirected to.' }),
    scopes: z.array(z.string()),
    created_at: isoTime(),
    last_used_at: isoTime().meta({ description: 'When tokens were last issued for it.' }),
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
    summary: 'List the OAuth clients of a gateway',
    description: 'Newest first. Requires the owner of the gateway or an administrator of the tenant (403).',
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
      'Deletes its registration and all consents to it; its tokens are revoked at once. It can register again, and users can consent ' +
      'again. Requires the owner of the gateway or an administrator of the tenant (403).',
    access,
    params: clientId,
    response: Message,
    errors: [403, 404],
  }),
  listOAuthConsents: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}/oauth/consents',
    tag,
    summary: 'List consents',
    description:
      'Newest first. The owner of the gateway and administrators of the tenant see all consents, others their own.',
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
    summary: 'Revoke a consent',
    description:
      'All its tokens are revoked at once. Users can revoke their own consents; the owner of the gateway and ' +
      'administrators can revoke all.',
    access,
    params: consentId,
    response: Message,
    errors: [404],
  }),
};
