/**
 * Authenticates callers of a gateway: API key, access token of this product, or token of the gateway's authorization
 * server.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#base/errors.ts';
import { defineOperation } from '#base/contract/operation.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { z } from 'zod';
import type { AccessTokens } from '../oauth/access-tokens.ts';
import { scopes } from '../oauth/scopes.ts';

/** Authenticates the caller. Throws AppError 401 with a header that tells clients how to get a token. */
export type AuthenticateClient = (gatewayId: string, headers: IncomingHttpHeaders) => Promise<Caller>;

/** The endpoint is not part of the REST contract because it speaks MCP; access is declared in the same way. */
const endpoint = defineOperation({
  method: 'POST',
  path: '/api/gateways/{gateway_id}/mcp',
  tag: 'MCP',
  summary: 'The MCP endpoint',
  access: 'jwt_or_key',
  response: z.unknown(),
});

export interface AuthenticateDeps {
  readonly identity: Pick<Identity, 'authenticate'>;
  readonly accessTokens: AccessTokens;
  /** URL of the protected resource metadata of the gateway (RFC 9728). */
  readonly metadataUrl: (gatewayId: string) => string;
}

/** The bearer token of the request, whatever its audience. */
export const bearerOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];

export const createAuthenticateClient = ({
  identity,
  accessTokens,
  metadataUrl,
}: AuthenticateDeps): AuthenticateClient => {
  const callerOf = (gatewayId: string, headers: IncomingHttpHeaders): Promise<Caller | undefined> => {
    const token = headers['x-api-key'] === undefined ? bearerOf(headers) : undefined;
    return token !== undefined && accessTokens.isOurs(token)
      ? accessTokens.verify(gatewayId, token)
      : identity.authenticate(endpoint, headers);
  };

  return async (gatewayId, headers) => {
    try {
      const caller = await callerOf(gatewayId, headers);
      if (caller === undefined)
        throw new Error('The endpoint requires authentication, but the caller is anonymous.');
      return caller;
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 401) throw error;
      const challenge = [
        error.headers['www-authenticate'] ?? 'Bearer',
        `resource_metadata="${metadataUrl(gatewayId)}"`,
        `scope="${scopes.join(' ')}"`,
      ].join(', ');
      const detail = `${error.detail} How to get a token of this gateway stands at ${metadataUrl(gatewayId)}.`;
      throw new AppError(401, error.code, detail, {
        cause: error.cause,
        headers: { ...error.headers, 'www-authenticate': challenge },
      });
    }
  };
};
