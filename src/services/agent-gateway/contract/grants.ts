import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';
import { Message, page } from './gateways.ts';

/** The gateway's OAuth authorization at a server. */
export const Authorization = z
  .object({
    status: z.enum(['authorized', 'needs_authorization', 'failed']),
    issuer: z.string().nullable().meta({ description: 'The authorization server that issued the token.' }),
    scope: z.string().meta({ description: 'Granted scopes, separated by spaces.' }),
    granted_by: z.string().nullable().meta({ description: 'The user who consented.' }),
    granted_by_name: userName(),
    granted_at: isoTime().nullable(),
    expires_at: isoTime()
      .nullable()
      .meta({ description: 'Expiry of the token; it is renewed before, if possible.' }),
    error: z.string().nullable().meta({ description: 'Why it failed, or why consent cannot be requested.' }),
  })
  .meta({ id: 'ServerAuthorization' });

const UserAuthorization = Authorization.extend({
  user_id: z.string(),
  username: userName(),
}).meta({ id: 'UserAuthorization' });

const serverId = z.object({ server_id: z.string().meta({ example: 'mcp_…' }) });
const tag = 'MCP servers';
const access = 'jwt_or_key';
const whose =
  'With the identity scheme `user_oauth` it concerns the caller’s own account. Otherwise it requires the owner of the ' +
  'server or an administrator of the tenant (403).';

export const grantOperations = {
  authorizeServer: defineOperation({
    method: 'POST',
    path: '/api/mcp-servers/{server_id}/authorize',
    tag,
    summary: 'Start the sign-in at the server',
    description:
      'Discovers the server’s authorization server, registers there if necessary, and returns the URL to open in a ' +
      `browser. An earlier sign-in in progress is cancelled. 409 if \`auth_type\` is not \`oauth\`. ${whose}`,
    access,
    params: serverId,
    response: z
      .object({
        authorization_url: z.string(),
        issuer: z.string(),
        scope: z.string(),
        expires_at: isoTime(),
      })
      .meta({ id: 'BegunAuthorization' }),
    errors: [403, 404, 409, 422, 502, 504],
  }),
  disconnectServer: defineOperation({
    method: 'DELETE',
    path: '/api/mcp-servers/{server_id}/authorization',
    tag,
    summary: 'Delete the authorization at the server',
    description: `The tokens are revoked if possible, and deleted. ${whose}`,
    access,
    params: serverId,
    response: Message,
    errors: [403, 404],
  }),
  listAuthorizations: defineOperation({
    method: 'GET',
    path: '/api/mcp-servers/{server_id}/authorizations',
    tag,
    summary: 'List users who signed in at the server',
    description:
      'For the identity scheme `user_oauth`. The owner of the server and administrators see all users, others only themselves.',
    access,
    params: serverId,
    query: page,
    response: z
      .object({ items: z.array(UserAuthorization), total: z.int() })
      .meta({ id: 'UserAuthorizationList' }),
    errors: [404],
  }),
  removeAuthorization: defineOperation({
    method: 'DELETE',
    path: '/api/mcp-servers/{server_id}/authorizations/{user_id}',
    tag,
    summary: 'Delete one user’s authorization',
    description:
      'The tokens are revoked if possible, and deleted. Allowed for that user, the owner of the server, and administrators.',
    access,
    params: serverId.extend({ user_id: z.string() }),
    response: Message,
    errors: [403, 404],
  }),
};
