/** What a server that wants a token says about where to get one (RFC 9728, RFC 8414). Only read, and never trusted. */
import type { Outbound } from '#base/net/outbound.ts';
import { readLimited } from '#base/net/outbound.ts';
import type { Observation } from '#findings/finding.ts';
import type { Challenge } from '#mcp/oauth/challenge.ts';
import { scopesOf } from '#mcp/oauth/challenge.ts';
import type { OAuthMetadata } from '../scans/scan.ts';

type Fields = Record<string, unknown>;

const limitBytes = 256 * 1024;
const timeoutMs = 10_000;

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string').slice(0, 200) : [];
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 2000) : null);

/** Undefined where there is none; a reason where it cannot be read. */
async function readJson(outbound: Outbound, url: string): Promise<Fields | string | undefined> {
  try {
    const answer = await outbound.request(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      maxRedirects: 0,
    });
    if (answer.status !== 200) {
      answer.body.destroy();
      return undefined;
    }
    const value: unknown = JSON.parse(await readLimited(answer.body, limitBytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : `${url} has no JSON object.`;
  } catch (error) {
    return `${url.slice(0, 300)}: ${error instanceof SyntaxError ? 'it is not JSON.' : error instanceof Error ? error.message.slice(0, 300) : 'it failed.'}`;
  }
}

const inserted = (url: URL, name: string) =>
  `${url.origin}/.well-known/${name}${url.pathname === '/' ? '' : url.pathname.replace(/\/$/, '')}`;

function authorizationPlaces(issuer: URL): string[] {
  const path = issuer.pathname.replace(/\/$/, '');
  return [
    inserted(issuer, 'oauth-authorization-server'),
    inserted(issuer, 'openid-configuration'),
    ...(path === '' ? [] : [`${issuer.origin}${path}/.well-known/openid-configuration`]),
  ];
}

async function firstOf(
  outbound: Outbound,
  places: readonly string[],
  errors: string[],
): Promise<{ place: string; document: Fields } | undefined> {
  for (const place of new Set(places)) {
    const found = await readJson(outbound, place);
    if (typeof found === 'string') errors.push(found);
    else if (found !== undefined) return { place, document: found };
  }
  return undefined;
}

/** Everything that the server and its authorization server say; what failed is in `errors`. */
export async function discoverOAuth(
  outbound: Outbound,
  { serverName, serverUrl, challenge }: { serverName: string; serverUrl: string; challenge: Challenge },
): Promise<OAuthMetadata> {
  const url = new URL(serverUrl);
  const errors: string[] = [];
  const named = challenge.resourceMetadata;
  const well = 'oauth-protected-resource';
  const isNamed = named !== undefined && URL.canParse(named);
  const places = isNamed ? [named] : [inserted(url, well), `${url.origin}/.well-known/${well}`];
  const resource = await firstOf(outbound, places, errors);
  const issuers = resource === undefined ? [url.origin] : texts(resource.document['authorization_servers']);
  const issuer = issuers[0];
  const found =
    issuer !== undefined && URL.canParse(issuer) && /^https?:/.test(issuer)
      ? await firstOf(outbound, authorizationPlaces(new URL(issuer)), errors)
      : undefined;
  const document = found?.document;
  if (resource !== undefined && found === undefined)
    errors.push('The authorization server has no metadata where it is looked for.');
  return {
    server_name: serverName,
    server_url: serverUrl,
    resource: textOf(resource?.document['resource']),
    resource_metadata_url: resource?.place ?? (isNamed ? named : null),
    scopes_required: scopesOf(challenge.scope),
    scopes_supported: texts(resource?.document['scopes_supported']),
    protected_resource: resource?.document ?? null,
    authorization_server:
      document === undefined
        ? null
        : {
            issuer: textOf(document['issuer']) ?? issuer ?? '',
            authorization_endpoint: textOf(document['authorization_endpoint']),
            token_endpoint: textOf(document['token_endpoint']),
            registration_endpoint: textOf(document['registration_endpoint']),
            scopes_supported: texts(document['scopes_supported']),
            code_challenge_methods_supported: texts(document['code_challenge_methods_supported']),
            client_id_metadata_document_supported: document['client_id_metadata_document_supported'] === true,
          },
    discovery:
      resource === undefined && document === undefined
        ? 'none'
        : isNamed && resource !== undefined
          ? 'www-authenticate'
          : 'well-known',
    errors: errors.slice(0, 20),
  };
}

const observation = (
  rule: string,
  title: string,
  description: string,
  severity: Observation['severity'],
  cwe: string,
  metadata: OAuthMetadata,
): Observation => ({
  rule,
  title,
  description,
  severity,
  confidence: 'high',
  subject: metadata.server_name,
  remedy:
    'Follow the authorization part of the Model Context Protocol: protected resource metadata, PKCE with S256, https everywhere.',
  tags: ['server', 'authorization'],
  frameworks: [
    { framework: 'cwe', id: cwe },
    { framework: 'owasp-mcp', id: 'MCP07:2025' },
  ],
});

/** What is wrong with how a server asks for tokens. */
export function oauthFindings(metadata: OAuthMetadata): Observation[] {
  const { authorization_server: server, server_url: url } = metadata;
  const found: Observation[] = [];
  if (metadata.discovery === 'none')
    found.push(
      observation(
        'auth-not-advertised',
        'The server wants a token and does not say from where',
        `${url} answers 401 without any metadata, so clients ask people to paste long-lived tokens.`,
        'low',
        'CWE-287',
        metadata,
      ),
    );
  if (server === null) return found;
  if (!server.code_challenge_methods_supported.includes('S256'))
    found.push(
      observation(
        'auth-no-pkce',
        'The authorization server does not announce PKCE',
        `${server.issuer} does not offer S256: a stolen code is as good as a token.`,
        'medium',
        'CWE-287',
        metadata,
      ),
    );
  for (const endpoint of [server.authorization_endpoint, server.token_endpoint])
    if (endpoint !== null && /^http:\/\/(?!localhost|127\.|\[::1\])/.test(endpoint))
      found.push(
        observation(
          'auth-plain-http',
          'Tokens travel without encryption',
          `${endpoint} is no https:// address.`,
          'high',
          'CWE-319',
          metadata,
        ),
      );
  if (
    [...server.scopes_supported, ...metadata.scopes_supported].some((scope) =>
      /^(?:\*|all|admin|root|full[_-]?access)$|\*$/i.test(scope),
    )
  )
    found.push(
      observation(
        'auth-wide-scope',
        'Scopes allow everything',
        `${server.issuer} has scopes that stand for everything; a client that asks for one gets more than it needs.`,
        'low',
        'CWE-250',
        metadata,
      ),
    );
  return found;
}
