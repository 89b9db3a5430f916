/** Finds the authorization server of an MCP server (RFC 9728, RFC 8414, OpenID Connect Discovery). */
import { processDiscoveryResponse, type AuthorizationServer } from 'oauth4webapi';
import { AppError } from '#base/errors.ts';
import type { Challenge } from './challenge.ts';
import { assertSafe, type OAuthFetch } from './http.ts';
import { authorizationError } from './errors.ts';

/** What protects an MCP server. */
export interface Protection {
  /** The resource to request tokens for (RFC 8707). */
  readonly resource: string;
  readonly scopesSupported: readonly string[] | undefined;
  readonly authorizationServer: AuthorizationServer;
}

interface ResourceDocument {
  readonly resource: string;
  readonly issuers: readonly string[];
  readonly scopes: readonly string[] | undefined;
}

const accept = { accept: 'application/json' };
const refused = (detail: string) => new AppError(502, 'authorization_failed', detail);
const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;

/** Inserts the well-known path between host and path, as both specifications define it. */
const inserted = (url: URL, name: string): string =>
  `${url.origin}/.well-known/${name}${url.pathname === '/' ? '' : url.pathname.replace(/\/$/, '')}`;

/** Whether a token for the resource is valid for this server: same origin, and the same path or a parent path. */
function covers(resource: string, serverUrl: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname } = new URL(resource);
  const below = (path: string) => (path.endsWith('/') ? path : `${path}/`);
  return origin === serverUrl.origin && below(serverUrl.pathname).startsWith(below(pathname));
}

async function readDocument(response: Response, where: string): Promise<Record<string, unknown>> {
  const value: unknown = await response.json().catch(() => undefined);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused(`What stands at ${where} is no JSON object.`);
  return value as Record<string, unknown>;
}

/** @throws AppError 502 if the document describes another resource, for which no token must be requested. */
async function readResource(response: Response, where: string, serverUrl: URL): Promise<ResourceDocument> {
  const document = await readDocument(response, where);
  const { resource } = document;
  if (typeof resource !== 'string' || !covers(resource, serverUrl))
    throw refused(
      `The server describes itself as another resource (${String(resource).slice(0, 200)}), so no token is asked for.`,
    );
  return {
    resource,
    issuers: texts(document['authorization_servers']) ?? [],
    scopes: texts(document['scopes_supported']),
  };
}

async function findResource(
  fetch: OAuthFetch,
  serverUrl: URL,
  challenge: Challenge | undefined,
): Promise<ResourceDocument | undefined> {
  const named = challenge?.resourceMetadata;
  const well = 'oauth-protected-resource';
  const places =
    named === undefined ? [inserted(serverUrl, well), `${serverUrl.origin}/.well-known/${well}`] : [named];
  for (const place of new Set(places)) {
    const response = await fetch(place, { method: 'GET', headers: accept });
    if (response.status === 200) return readResource(response, place, serverUrl);
  }
  if (named !== undefined)
    throw refused(`The server’s description of itself is not at ${named.slice(0, 200)}.`);
  return undefined;
}

/** URLs where an issuer's metadata may be, in the order that MCP prescribes. */
function metadataPlaces(issuer: URL): string[] {
  const path = issuer.pathname.replace(/\/$/, '');
  return [
    inserted(issuer, 'oauth-authorization-server'),
    inserted(issuer, 'openid-configuration'),
    ...(path === '' ? [] : [`${issuer.origin}${path}/.well-known/openid-configuration`]),
  ];
}

/** The part of the authorization server's metadata that we use. */
function assertUsable(server: AuthorizationServer, usesConsent: boolean): AuthorizationServer {
  assertSafe(server.token_endpoint, 'token endpoint');
  if (!usesConsent) return server;
  assertSafe(server.authorization_endpoint, 'authorization endpoint');
  if (server.registration_endpoint !== undefined)
    assertSafe(server.registration_endpoint, 'registration endpoint');
  if (server.code_challenge_methods_supported?.includes('S256') !== true)
    throw refused(
      `The authorization server ${server.issuer} does not announce PKCE with S256, which the protocol asks for.`,
    );
  return server;
}

/**
 * Fetches the metadata of an issuer.
 * @throws AppError 502 if there is none, if it names another issuer, or if it lacks a required feature.
 */
export async function discoverAuthorizationServer(
  fetch: OAuthFetch,
  issuer: string,
  usesConsent: boolean,
): Promise<AuthorizationServer> {
  const identifier = new URL(assertSafe(issuer, 'issuer'));
  for (const place of metadataPlaces(identifier)) {
    const response = await fetch(place, { method: 'GET', headers: accept });
    if (response.status !== 200) continue;
    try {
      return assertUsable(await processDiscoveryResponse(identifier, response), usesConsent);
    } catch (error) {
      throw authorizationError(`The metadata of the authorization server ${issuer} cannot be used`, error);
    }
  }
  throw refused(`The authorization server ${issuer.slice(0, 200)} has no metadata where it is looked for.`);
}

export interface DiscoverOptions {
  /** Used if the server names several. No other is accepted then. */
  readonly preferredIssuer: string | undefined;
  /** Whether a person is to consent in a browser. */
  readonly usesConsent: boolean;
}

/**
 * Discovers what protects a server.
 * @throws AppError 422, 502 or 504
 */
export async function discoverProtection(
  fetch: OAuthFetch,
  serverUrl: string,
  challenge: Challenge | undefined,
  { preferredIssuer, usesConsent }: DiscoverOptions,
): Promise<Protection> {
  const url = new URL(serverUrl);
  url.hash = '';
  const found = await findResource(fetch, url, challenge);
  // Servers older than RFC 9728 have their authorization server on their own host.
  const issuers = found === undefined ? [url.origin] : found.issuers;
  const issuer = issuers.find((each) => each === preferredIssuer) ?? issuers[0];
  if (issuer === undefined) throw refused('The server names no authorization server.');
  if (preferredIssuer !== undefined && issuer !== preferredIssuer)
    throw refused(
      `The server names the authorization server ${issuer.slice(0, 200)}, but its client is registered at ${preferredIssuer.slice(0, 200)}.`,
    );
  return {
    resource: found?.resource ?? url.href,
    scopesSupported: found?.scopes,
    authorizationServer: await discoverAuthorizationServer(fetch, issuer, usesConsent),
  };
}
