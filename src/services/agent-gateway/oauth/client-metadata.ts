/** Rules for client metadata, from registrations and from metadata documents. Pure. */
import { isLoopback } from '#base/http/listen.ts';

type Metadata = Readonly<Record<string, unknown>>;

const maxRedirects = 20;
const maxUri = 2000;
const maxName = 200;

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

/** Loopback addresses, which need no TLS. */
const isOwnMachine = ({ protocol, hostname }: URL) => protocol === 'http:' && isLoopback(bare(hostname));

/** A private-use URI scheme of an application, such as `cursor:`; never one that browsers execute. */
const isOwnScheme = ({ protocol }: URL) =>
  !/^(?:https?|javascript|vbscript|data|blob|file|about|view-source|filesystem|ftp|ws|wss|mailto|intent|chrome|chrome-extension|ms-[a-z-]+):$/.test(
    protocol,
  ) && /^[a-z][a-z0-9+.-]{1,60}:$/.test(protocol);

function redirectProblem(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || uri.length > maxUri || !URL.canParse(uri))
    return `each of redirect_uris must be a URL of at most ${maxUri} characters`;
  const url = new URL(uri);
  if (url.hash !== '' || uri.includes('#')) return 'redirect_uris must have no fragment';
  if (url.username !== '' || url.password !== '') return 'redirect_uris must hold no credentials';
  if (url.protocol === 'https:' || isOwnMachine(url) || isOwnScheme(url)) return undefined;
  return 'redirect_uris must be https:// URLs, http:// URLs of this machine (127.0.0.1, [::1], localhost), or of a scheme of the client’s own';
}

const isName = (name: unknown): boolean =>
  typeof name === 'string' && name.length <= maxName && !/\p{Cc}|\p{Co}/u.test(name);

const isKeysUrl = (url: unknown): boolean =>
  typeof url === 'string' && url.length <= maxUri && /^https:\/\//i.test(url);

/** Why the metadata is refused; undefined if it is accepted. */
export function metadataProblem(metadata: Metadata): string | undefined {
  const { redirect_uris: uris, client_name: name, jwks_uri: keys } = metadata;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirects)
    return `redirect_uris must be a list of 1 to ${maxRedirects} URLs`;
  if (!isName(name ?? ''))
    return `client_name must be a text of at most ${maxName} characters without control characters`;
  if ((keys ?? undefined) !== undefined && !isKeysUrl(keys))
    return `jwks_uri must be an https:// URL of at most ${maxUri} characters`;
  return uris.map(redirectProblem).find((problem) => problem !== undefined);
}

/** Metadata fields that are stored: names and URLs to display, client authentication, redirect URIs. */
const kept = [
  'client_id',
  'client_name',
  'client_uri',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'application_type',
  'jwks',
  'jwks_uri',
  'client_secret',
  'client_secret_expires_at',
] as const;

const knownGrants = ['authorization_code', 'refresh_token'];

/**
 * The metadata as oidc-provider receives it. The requested list of scopes is dropped, since a client's own statement
 * restricts nothing, and so are grant types that are not offered. A client with only loopback redirect URIs is treated
 * as native, so that any port is allowed (RFC 8252 §7.3).
 */
export function normalizedMetadata(metadata: Metadata): Record<string, unknown> {
  const known = Object.fromEntries(
    kept
      .filter((key) => metadata[key] !== undefined && metadata[key] !== null)
      .map((key) => [key, metadata[key]]),
  );
  const uris = (metadata['redirect_uris'] as string[]).map((uri) => new URL(uri));
  const isNative = uris.some(isOwnScheme) || uris.every(isOwnMachine);
  const grants = Array.isArray(metadata['grant_types'])
    ? metadata['grant_types'].filter((grant) => knownGrants.includes(String(grant)))
    : ['authorization_code'];
  return {
    ...known,
    grant_types: [...new Set(['authorization_code', ...grants])],
    response_types: ['code'],
    application_type: isNative ? 'native' : 'web',
  };
}

/** Where the user is redirected to, for display: a host, or an application's URI scheme. */
export function placeOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : url.protocol;
}

/** The host that vouches for a client with a metadata document; undefined for registered clients. */
export const voucherOf = (clientId: string): string | undefined =>
  clientId.startsWith('https://') && URL.canParse(clientId) ? new URL(clientId).host : undefined;
