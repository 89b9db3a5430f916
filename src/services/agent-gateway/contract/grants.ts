import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';
import { Message, page } from './gateways.ts';

/** How it stands with the gateway's signing in at a server. */
export const Authorization = z
  .object({
    status: z.enum(['authorized', 'needs_authorization', 'failed']),
    issuer: z.string().nullable().meta({ description: 'The authorization server that gave the token.' }),
    scope: z.string().meta({ description: 'What was granted, separated by spaces.' }),
    granted_by: z.string().nullable().meta({ description: 'The user who consented.' }),
    granted_by_name: userName(),
    granted_at: isoTime().nullable(),
    expires_at: isoTime()
      .nullable()
      .meta({ description: 'Of the token; it is renewed before, where that is possible.' }),
    error: z.string().nullable().meta({ description: 'Why it failed, or no consent can be asked for.' }),
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
  'With the identity scheme `user_oauth` it is about the caller’s own account. Else only who registered the server, or ' +
  'an administrator of the tenant, may do this (403).';

export const grantOperations = {
  authorizeServer: defineOperation({
    method: 'POST',
    path: '/api/mcp-servers/{server_id}/authorize',
    tag,
    summary: 'Begin to sign in at the server',
    description:
      'Finds the server’s authorization server, registers there where that is needed, and answers the address that a ' +
      `person opens in a browser. What was begun before ends. A server whose \`auth_type\` is not \`oauth\`: 409. ${whose}`,
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
    summary: 'Forget what the server’s authorization server has granted',
    description: `The tokens are given back where that is possible, and deleted. ${whose}`,
    access,
    params: serverId,
    response: Message,
    errors: [403, 404],
  }),
  listAuthorizations: defineOperation({
    method: 'GET',
    path: '/api/mcp-servers/{server_id}/authorizations',
    tag,
    summary: 'Users who signed in at the server',
    description:
      'For the identity scheme `user_oauth`. Who registered the server and administrators see all, others themselves.',
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
    summary: 'Forget what one user has granted',
    description:
      'The tokens are given back where that is possible, and deleted. For that user, who registered the server, and administrators.',
    access,
    params: serverId.extend({ user_id: z.string() }),
    response: Message,
    errors: [403, 404],
  }),
};
