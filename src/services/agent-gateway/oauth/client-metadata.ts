/** What a client may say about itself, whether it registers or publishes a document: pure. */
import { isLoopback } from '#base/http/listen.ts';

type Metadata = Readonly<Record<string, unknown>>;

const maxRedirects = 20;
const maxUri = 2000;
const maxName = 200;

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

/** Addresses of the person's own machine, which need no TLS. */
const isOwnMachine = ({ protocol, hostname }: URL) => protocol === 'http:' && isLoopback(bare(hostname));

/** A scheme that belongs to a program on the person's machine, such as `cursor:`; never one that a browser runs. */
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

/** Why the metadata is refused; undefined where it is not. */
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

/** What is kept of a client's word: names and addresses for people, how it proves itself, where it is sent back to. */
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
 * The metadata with what the authorization server goes by. A list of scopes bounds nothing that somebody says of
 * themselves, so it is left out; grants that are not offered are too. A client whose every address is on the person's
 * machine is a native one, whatever it forgot to say: its port may be any (RFC 8252 §7.3).
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

/** Where a person is sent back to, in a word: a host, or the scheme of a program. */
export function placeOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : url.protocol;
}

/** The host that vouches for a client with a document; undefined for one that registered itself. */
export const voucherOf = (clientId: string): string | undefined =>
  clientId.startsWith('https://') && URL.canParse(clientId) ? new URL(clientId).host : undefined;
