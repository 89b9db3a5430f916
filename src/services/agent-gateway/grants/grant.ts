/** A grant: what an authorization server issued to the gateway. No database, no wire format. */
import { scopesOf, type Challenge } from '#mcp/oauth/challenge.ts';
import type { AuthorizationServer, OAuthClient, Tokens } from '#mcp/oauth/client.ts';
import type { McpServer } from '../registry/servers/server.ts';

/** What is needed to refresh and revoke tokens. */
export interface GrantSecrets {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
  readonly resource: string;
}

/** The owner of a grant: a user id, or the server itself if all its callers share the grant. */
export type Holder = string;
export const serversOwn: Holder = '';

export interface Grant {
  readonly serverId: string;
  readonly holder: Holder;
  readonly connectionUrl: string;
  /** Null before the first consent. */
  readonly secrets: GrantSecrets | null;
  readonly issuer: string | null;
  /** All granted scopes. */
  readonly scope: string;
  /** Null if the expiry is unknown. */
  readonly expiresAt: Date | null;
  readonly grantedBy: string | null;
  readonly grantedAt: Date | null;
  readonly wantedScope: string | null;
  readonly resourceMetadata: string | null;
  readonly problem: string | null;
  readonly needsConsent: boolean;
}

export type GrantStatus = 'authorized' | 'needs_authorization' | 'failed';

/** A grant before any consent. */
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

/** Tokens are refreshed this long before expiry, so that they remain valid during the call. */
const marginMs = 30_000;

export const isStale = ({ expiresAt }: Grant, nowMs: number): boolean =>
  expiresAt !== null && expiresAt.getTime() - marginMs <= nowMs;

/** The grant with new tokens. If the response names no scopes, the requested ones were granted. */
export function renewed(grant: Grant, secrets: GrantSecrets, tokens: Tokens, nowMs: number): Grant {
  const { expiresInSeconds } = tokens;
  return {
    ...grant,
    secrets: {
      ...secrets,
      accessToken: tokens.accessToken,
      // Servers that do not rotate refresh tokens send none; the old one remains valid.
      refreshToken: tokens.refreshToken ?? secrets.refreshToken,
    },
    scope: tokens.scope ?? grant.scope,
    expiresAt: expiresInSeconds === undefined ? null : new Date(nowMs + expiresInSeconds * 1000),
    needsConsent: false,
    problem: null,
  };
}

/**
 * The grant after the server refused its token. If the server requires scopes that were already granted, no new consent
 * is requested, since it would change nothing and the user would be asked again and again.
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

/** Whether one consent applies to all callers of the server. */
export const isForAll = ({ identityScheme }: McpServer): boolean => identityScheme !== 'user_oauth';

/** The owner of a grant that results from the user's consent. */
export const holderFor = (server: McpServer, userId: string): Holder =>
  isForAll(server) ? serversOwn : userId;
