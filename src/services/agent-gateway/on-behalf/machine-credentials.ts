/** Credentials of servers at which the gateway signs in as itself, without a person. */
import type { Credentials } from '#mcp/transport.ts';
import type { Assertions } from '../assertions/assertions.ts';
import { signsInItself, type McpServer } from '../registry/servers/server.ts';
import type { AskedTokens } from './asked-tokens.ts';

/** Undefined for servers at which a person signs in, or nobody. */
export type MachineCredentials = (server: McpServer) => Credentials | undefined;

export const createMachineCredentials =
  (tokens: AskedTokens, assertions: Pick<Assertions, 'sign'>): MachineCredentials =>
  (server) => {
    const { oauthClient: client, serverId, tenantId } = server;
    if (!signsInItself(server) || client === null) return undefined;
    if (client.grant !== 'jwt_bearer') return tokens.credentials({ server, client });
    // The gateway as a workload: the subject is the server's id, so that each can be given rights of its own.
    const itself = { userId: serverId, username: serverId, tenantId };
    return tokens.credentials({
      server,
      client,
      assertionFor: async ({ issuer }) => client.assertion ?? assertions.sign(itself, issuer),
    });
  };
