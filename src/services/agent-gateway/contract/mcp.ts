/** Descriptions of the MCP and OAuth routes for the OpenAPI document; the protocols define the details. */
import { z } from 'zod';
import type { Operation, Operations } from '#base/contract/operation.ts';
import { gatewayId } from './gateways.ts';

const endpoint = '/api/gateways/{gateway_id}/mcp';

const Message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).optional(),
    method: z.string().optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'JsonRpcMessage' });

const Readiness = z
  .object({
    gateway_id: z.string(),
    name: z.string(),
    status: z.enum(['running', 'starting', 'stopped']),
    message: z.string(),
  })
  .meta({ id: 'GatewayReadiness' });

const about = { tag: 'MCP', params: gatewayId, access: 'jwt_or_key', errors: [403, 404, 503] } as const;

const mcp: Operations = {
  sendMcpMessage: {
    ...about,
    method: 'POST',
    path: endpoint,
    summary: 'The MCP endpoint for AI clients',
    description:
      'JSON-RPC messages of the Model Context Protocol, 2024-11-05 to 2026-07-28. The bearer token is issued by the ' +
      'gateway’s authorization server, or by the identity provider that the deployment trusts; a token of `/auth/login` ' +
      'is refused (401). The response is JSON or, with ' +
      '`Accept: text/event-stream`, an event stream. Errors are JSON-RPC errors with an additional `detail`. 503 if the gateway is stopped.',
    body: Message,
    response: Message,
  },
  getMcpReadiness: {
    ...about,
    method: 'GET',
    path: endpoint,
    summary: 'Check whether the endpoint is ready',
    description:
      'With `Accept: text/event-stream` and `Mcp-Session-Id` it opens the event stream of a legacy session.',
    response: Readiness,
  },
  endMcpSession: {
    ...about,
    method: 'DELETE',
    path: endpoint,
    summary: 'End the session that Mcp-Session-Id names',
    status: 204,
    response: z.undefined(),
  },
};

const oauth = { tag: 'OAuth', params: gatewayId, access: 'public', errors: [404] } as const;
const Document = z.record(z.string(), z.unknown()).meta({ id: 'OAuthDocument' });

const wellKnown: Readonly<Record<string, readonly [name: string, summary: string]>> = {
  OpenIdConfiguration: ['openid-configuration', 'Discovery document of the gateway’s authorization server'],
  AuthorizationServer: [
    'oauth-authorization-server',
    'Metadata of the gateway’s authorization server (RFC 8414)',
  ],
  ProtectedResource: ['oauth-protected-resource', 'Protected resource metadata of the endpoint (RFC 9728)'],
};

/** Each document is below the endpoint and also at the root, followed by the endpoint's path. */
const documents: Operations = Object.fromEntries(
  Object.entries(wellKnown).flatMap(([name, [place, summary]]) => {
    const document = (path: `/${string}`): Operation => ({
      ...oauth,
      method: 'GET',
      path,
      summary,
      response: Document,
    });
    return [
      [`get${name}`, document(`${endpoint}/.well-known/${place}`)],
      [`get${name}AtRoot`, document(`/.well-known/${place}${endpoint}`)],
    ];
  }),
);

const flow: Operations = {
  registerOAuthClient: {
    ...oauth,
    method: 'POST',
    path: `${endpoint}/register`,
    summary: 'Register an OAuth client (RFC 7591)',
    body: Document,
    status: 201,
    response: Document,
    errors: [404, 429],
  },
  authorizeOAuthClient: {
    ...oauth,
    method: 'GET',
    path: `${endpoint}/authorize`,
    summary: 'Authorization endpoint: the user signs in and consents',
    description:
      'Authorization code with PKCE (S256). Redirects (303) to the sign-in page, or back to the client.',
    status: 303,
    response: z.undefined(),
  },
  redeemOAuthCode: {
    ...oauth,
    method: 'POST',
    path: `${endpoint}/token`,
    summary: 'Exchange a code or a refresh token for tokens',
    description: 'The body is a form (`application/x-www-form-urlencoded`), as in OAuth 2.1.',
    response: Document,
  },
};

/** For documentation only: the routes are implemented separately. */
export const protocolOperations: Operations = { ...mcp, ...documents, ...flow };
