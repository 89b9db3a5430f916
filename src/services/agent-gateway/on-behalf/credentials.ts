/**
 * Credentials of messages to servers: the server's own token, the caller's identity, or the caller's token at the
 * server.
 */
import { AppError } from '#base/errors.ts';
import type { Identity } from '#identity/identity.ts';
import type { Credentials } from '#mcp/transport.ts';
import type { Assertions } from '../assertions/assertions.ts';
import type { GrantCredentials } from '../grants/credentials.ts';
import type { McpServer } from '../registry/servers/server.ts';
import type { EnterpriseCredentials } from './enterprise-credentials.ts';
import type { MachineCredentials } from './machine-credentials.ts';
import { isFor, type OwnIssuers } from './own-token.ts';
import type { TokenExchange } from './token-exchange.ts';
import type { Person, Who } from './who.ts';

export interface OnBehalfDeps extends OwnIssuers {
  readonly identity: Pick<Identity, 'person'>;
  readonly assertions: Pick<Assertions, 'sign'>;
  readonly exchange: TokenExchange;
  readonly grants: GrantCredentials;
  readonly ofMachine: MachineCredentials;
  readonly ofEnterprise: EnterpriseCredentials;
}

/** Credentials for a connection; undefined if the server needs none. Without `who` there is no specific caller. */
export type CredentialsFor = (server: McpServer, who?: Who) => Credentials | undefined;

type Headers = Readonly<Record<string, string>>;

/** Unchanged if it is a valid header value, else percent-encoded. */
const headerText = (text: string): string =>
  text.toWellFormed().replaceAll(/[^\x21-\x7e]|%/gu, (sign) => encodeURIComponent(sign));

/** Adds these headers to those that the server requires of the gateway. */
const besides = (own: Credentials | undefined, more: () => Promise<Headers>): Credentials => ({
  headers: async () => ({ ...(await own?.headers()), ...(await more()) }),
  refused: (challenge, sent, isLast) =>
    own === undefined ? Promise.resolve(false) : own.refused(challenge, sent, isLast),
});

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

export function createCredentialsFor(deps: OnBehalfDeps): CredentialsFor {
  const { identity, assertions, exchange, grants, ofMachine, ofEnterprise } = deps;

  /** The same for all callers: what the gateway signs in with, or a person who manages the server. */
  const ofServer = (server: McpServer) => ofMachine(server) ?? grants.ofServer(server);

  /** The user's current data, since a connection may be older than the last change. */
  const personOf = async ({ caller }: Who): Promise<Person> => {
    if (caller.via === 'anonymous') return caller;
    const person = await identity.person(caller.userId);
    if (person === undefined) throw new AppError(403, 'forbidden', 'The user was deleted or disabled.');
    return person;
  };

  const exchanged = (server: McpServer, who: Who): Credentials => ({
    headers: async () => bearer(await exchange.tokenFor(server, await personOf(who))),
    refused({ status }, sent, isLast) {
      if (status !== 401 || isLast) return Promise.resolve(false);
      exchange.refused(server, who.caller.userId, (sent['authorization'] ?? '').replace('Bearer ', ''));
      return Promise.resolve(true);
    },
  });

  const passedOn = (server: McpServer, { bearer: token }: Who): Credentials => ({
    headers() {
      if (token !== undefined && isFor(server, token, deps)) return Promise.resolve(bearer(token));
      return Promise.reject(
        new AppError(
          502,
          'needs_own_token',
          `The MCP server ${server.name} takes the caller’s own token, and none came that is for it: send one whose audience is ${server.connectionUrl} as Authorization: Bearer, beside an API key as X-API-Key where it is not for the gateway as well.`,
        ),
      );
    },
    refused: () => Promise.resolve(false),
  });

  return (server, who) => {
    if (who === undefined) return ofServer(server);
    switch (server.identityScheme) {
      case 'none':
        return ofServer(server);
      case 'headers':
        return besides(ofServer(server), async () => {
          const { username, email } = await personOf(who);
          return {
            'x-forwarded-user': headerText(username),
            ...(email !== undefined && { 'x-forwarded-email': headerText(email) }),
          };
        });
      case 'signed_jwt':
        return besides(ofServer(server), async () => ({
          'x-bulwark-identity': await assertions.sign(await personOf(who), server.connectionUrl ?? ''),
        }));
      case 'bearer':
        return passedOn(server, who);
      case 'token_exchange':
        return exchanged(server, who);
      case 'enterprise_managed':
        return ofEnterprise(server, who);
      case 'user_oauth':
        return grants.ofUser(server, who.caller.userId);
    }
  };
}
