/** Who calls a gateway's endpoint: today by API key or our own access token. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#base/errors.ts';
import { defineOperation } from '#base/contract/operation.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { z } from 'zod';

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
  /** Of the document that describes the gateway as a protected resource (RFC 9728). */
  readonly metadataUrl: (gatewayId: string) => string;
}

export const createAuthenticateClient =
  ({ identity, metadataUrl }: AuthenticateDeps): AuthenticateClient =>
  async (gatewayId, headers) => {
    try {
      const caller = await identity.authenticate(endpoint, headers);
      if (caller === undefined) throw new Error('The endpoint is public against its declaration.');
      return caller;
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 401) throw error;
      const challenge = `${error.headers['www-authenticate'] ?? 'Bearer'}, resource_metadata="${metadataUrl(gatewayId)}"`;
      throw new AppError(401, error.code, error.detail, {
        cause: error.cause,
        headers: { ...error.headers, 'www-authenticate': challenge },
      });
    }
  };
