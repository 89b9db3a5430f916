/** Who calls a gateway's endpoint: by API key, by our own access token, or by one of the gateway's authorization server. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#base/errors.ts';
import { defineOperation } from '#base/contract/operation.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { z } from 'zod';
import type { AccessTokens } from '../oauth/access-tokens.ts';
import { scopes } from '../oauth/scopes.ts';

/** The caller of a gateway. Throws AppError 401 that says where a client finds out how to get a token. */
export type AuthenticateClient = (gatewayId: string, headers: IncomingHttpHeaders) => Promise<Caller>;

/** The endpoint stands in no contract, since it speaks another protocol; its access is declared all the same. */
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
  /** Of the document that describes the gateway as a protected resource (RFC 9728). */
  readonly metadataUrl: (gatewayId: string) => string;
}

/** The bearer token that came with a request, whatever it is for. */
export const bearerOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];

export const createAuthenticateClient = ({
  identity,
  accessTokens,
  metadataUrl,
}: AuthenticateDeps): AuthenticateClient => {
  const callerOf = async (gatewayId: string, headers: IncomingHttpHeaders): Promise<Caller> => {
    const token = headers['x-api-key'] === undefined ? bearerOf(headers) : undefined;
    if (token !== undefined && accessTokens.isOurs(token)) return accessTokens.verify(gatewayId, token);
    const caller = await identity.authenticate(endpoint, headers);
    if (caller === undefined) throw new Error('The endpoint is public against its declaration.');
    return caller;
  };

  return async (gatewayId, headers) => {
    try {
      return await callerOf(gatewayId, headers);
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
