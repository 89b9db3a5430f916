/** What a server's authorization server gave us. No database, no wire. */
import { scopesOf, type Challenge } from '#mcp/oauth/challenge.ts';
import type { AuthorizationServer, OAuthClient, Tokens } from '#mcp/oauth/client.ts';
import type { McpServer } from '../registry/servers/server.ts';

/** What is needed to renew a token, and to give it back. */
export interface GrantSecrets {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
  readonly resource: string;
}

/** Whose a grant is: a user's, by their id, or the server's own, which all its callers use. */
export type Holder = string;
export const serversOwn: Holder = '';

export interface Grant {
  readonly serverId: string;
  readonly holder: Holder;
  readonly connectionUrl: string;
  /** Null before the first consent. */
  readonly secrets: GrantSecrets | null;
  readonly issuer: string | null;
  /** All that was granted. */
  readonly scope: string;
  /** Null where the token has no end that is known. */
  readonly expiresAt: Date | null;
  readonly grantedBy: string | null;
  readonly grantedAt: Date | null;
  readonly wantedScope: string | null;
  readonly resourceMetadata: string | null;
  readonly problem: string | null;
  readonly needsConsent: boolean;
}

export type GrantStatus = 'authorized' | 'needs_authorization' | 'failed';

/** Before anything is known. */
export const blankGrant = (serverId: string, holder: Holder, connectionUrl: string): Grant => ({
  serverId,
  holder,
  connectionUrl,
  secrets: null,
  issuer: null,
  scope: '',
  expiresAt: null,
  grantedBy: null,
  grantedAt: null,
  wantedScope: null,
  resourceMetadata: null,
  problem: null,
  needsConsent: true,
});

export function statusOf(grant: Grant | undefined): GrantStatus {
  if (grant === undefined) return 'needs_authorization';
  if (grant.problem !== null) return 'failed';
  return grant.needsConsent || grant.secrets === null ? 'needs_authorization' : 'authorized';
}

/** A token is renewed so long before it ends, that it is good for the call it goes with. */
const marginMs = 30_000;

export const isStale = ({ expiresAt }: Grant, nowMs: number): boolean =>
  expiresAt !== null && expiresAt.getTime() - marginMs <= nowMs;

/** The grant with new tokens. Scopes that the answer does not name are those that were asked for. */
export function renewed(grant: Grant, secrets: GrantSecrets, tokens: Tokens, nowMs: number): Grant {
  const { expiresInSeconds } = tokens;
  return {
    ...grant,
    secrets: {
      ...secrets,
      accessToken: tokens.accessToken,
      // A server that does not rotate sends none, and the old one stays good.
      refreshToken: tokens.refreshToken ?? secrets.refreshToken,
    },
    scope: tokens.scope ?? grant.scope,
    expiresAt: expiresInSeconds === undefined ? null : new Date(nowMs + expiresInSeconds * 1000),
    needsConsent: false,
    problem: null,
  };
}

/**
 * What is known after a refusal. A server that wants scopes which it has been given is asked no more: another consent
 * would change nothing, and people would be sent round in circles.
 */
export function refusedGrant(grant: Grant, { status, scope, resourceMetadata }: Challenge): Grant {
  const granted = new Set(scopesOf(grant.scope));
  const wanted = scopesOf(scope);
  const inVain =
    status === 403 &&
    grant.secrets !== null &&
    wanted.length > 0 &&
    wanted.every((each) => granted.has(each));
  return {
    ...grant,
    wantedScope: scope ?? grant.wantedScope,
    resourceMetadata: resourceMetadata ?? grant.resourceMetadata,
    needsConsent: true,
    problem: inVain
      ? `The server refuses what its authorization server has granted (${wanted.join(' ').slice(0, 200)}).`
      : null,
  };
}

/** Whether one consent serves all callers of the server. */
export const isForAll = ({ identityScheme }: McpServer): boolean => identityScheme !== 'user_oauth';

/** Whose grant a consent of the user would be. */
export const holderFor = (server: McpServer, userId: string): Holder =>
  isForAll(server) ? serversOwn : userId;
