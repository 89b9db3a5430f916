/** What a server that wants a token says about where to get one (RFC 9728, RFC 8414). Only read, and never trusted. */
import type { Outbound } from '#base/net/outbound.ts';
import { readLimited } from '#base/net/outbound.ts';
import type { Observation } from '#findings/finding.ts';
import type { Challenge } from '#mcp/oauth/challenge.ts';
import { scopesOf } from '#mcp/oauth/challenge.ts';

type Fields = Record<string, unknown>;

/** As it is on the wire. */
export interface OAuthMetadata {
  server_name: string;
  server_url: string;
  resource: string | null;
  resource_metadata_url: string | null;
  scopes_required: string[];
  scopes_supported: string[];
  protected_resource: Record<string, unknown> | null;
  authorization_server: {
    issuer: string;
    authorization_endpoint: string | null;
    token_endpoint: string | null;
    registration_endpoint: string | null;
    scopes_supported: string[];
    code_challenge_methods_supported: string[];
    client_id_metadata_document_supported: boolean;
  } | null;
  discovery: 'www-authenticate' | 'well-known' | 'none';
  errors: string[];
}

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

function viewServer(
  document: Fields | undefined,
  issuer: string | undefined,
): OAuthMetadata['authorization_server'] {
  if (document === undefined) return null;
  return {
    issuer: textOf(document['issuer']) ?? issuer ?? '',
    authorization_endpoint: textOf(document['authorization_endpoint']),
    token_endpoint: textOf(document['token_endpoint']),
    registration_endpoint: textOf(document['registration_endpoint']),
    scopes_supported: texts(document['scopes_supported']),
    code_challenge_methods_supported: texts(document['code_challenge_methods_supported']),
    client_id_metadata_document_supported: document['client_id_metadata_document_supported'] === true,
  };
}

interface FoundResource {
  place: string;
  document: Fields;
  isNamed: boolean;
}

async function findResource(
  outbound: Outbound,
  url: URL,
  named: string | undefined,
  errors: string[],
): Promise<FoundResource | undefined> {
  const well = 'oauth-protected-resource';
  const isNamed = named !== undefined && URL.canParse(named) && /^https?:/.test(named);
  const places = isNamed ? [named] : [inserted(url, well), `${url.origin}/.well-known/${well}`];
  const found = await firstOf(outbound, places, errors);
  return found && { ...found, isNamed };
}

async function findServer(
  outbound: Outbound,
  issuer: string | undefined,
  errors: string[],
): Promise<Fields | undefined> {
  if (issuer === undefined || !URL.canParse(issuer) || !/^https?:/.test(issuer)) return undefined;
  return (await firstOf(outbound, authorizationPlaces(new URL(issuer)), errors))?.document;
}

/** Everything that the server and its authorization server say; what failed is in `errors`. */
export async function discoverOAuth(
  outbound: Outbound,
  { serverName, serverUrl, challenge }: { serverName: string; serverUrl: string; challenge: Challenge },
): Promise<OAuthMetadata> {
  const url = new URL(serverUrl);
  const errors: string[] = [];
  const resource = await findResource(outbound, url, challenge.resourceMetadata, errors);
  // Servers older than the document have their authorization server on their own host.
  const issuer = resource === undefined ? url.origin : texts(resource.document['authorization_servers'])[0];
  const server = await findServer(outbound, issuer, errors);
  if (resource !== undefined && server === undefined)
    errors.push('The authorization server has no metadata where it is looked for.');
  const described = resource?.document ?? {};
  return {
    server_name: serverName,
    server_url: serverUrl,
    resource: textOf(described['resource']),
    resource_metadata_url: resource?.place ?? challenge.resourceMetadata?.slice(0, 2000) ?? null,
    scopes_required: scopesOf(challenge.scope),
    scopes_supported: texts(described['scopes_supported']),
    protected_resource: resource?.document ?? null,
    authorization_server: viewServer(server, issuer),
    discovery: discoveryOf(resource, server),
    errors: errors.slice(0, 20),
  };
}

function discoveryOf(
  resource: FoundResource | undefined,
  server: Fields | undefined,
): OAuthMetadata['discovery'] {
  if (resource === undefined) return server === undefined ? 'none' : 'well-known';
  return resource.isNamed ? 'www-authenticate' : 'well-known';
}

interface Flaw {
  rule: string;
  title: string;
  description: string;
  severity: Observation['severity'];
  cwe: string;
}

const observation = ({ cwe, ...flaw }: Flaw, { server_name: subject }: OAuthMetadata): Observation => ({
  ...flaw,
  confidence: 'high',
  subject,
  remedy:
    'Follow the authorization part of the Model Context Protocol: protected resource metadata, PKCE with S256, https everywhere.',
  tags: ['server', 'authorization'],
  frameworks: [
    { framework: 'cwe', id: cwe },
    { framework: 'owasp-mcp', id: 'MCP07:2025' },
  ],
});

function flawsOf({
  authorization_server: server,
  server_url: url,
  discovery,
  scopes_supported: scopes,
}: OAuthMetadata): Flaw[] {
  const flaws: Flaw[] = [];
  if (discovery === 'none')
    flaws.push({
      rule: 'auth-not-advertised',
      title: 'The server wants a token and does not say from where',
      description: `${url} answers 401 without any metadata, so clients ask people to paste long-lived tokens.`,
      severity: 'low',
      cwe: 'CWE-287',
    });
  if (server === null) return flaws;
  if (!server.code_challenge_methods_supported.includes('S256'))
    flaws.push({
      rule: 'auth-no-pkce',
      title: 'The authorization server does not announce PKCE',
      description: `${server.issuer} does not offer S256: a stolen code is as good as a token.`,
      severity: 'medium',
      cwe: 'CWE-287',
    });
  for (const endpoint of [server.authorization_endpoint, server.token_endpoint])
    if (endpoint !== null && /^http:\/\/(?!localhost|127\.|\[::1\])/.test(endpoint))
      flaws.push({
        rule: 'auth-plain-http',
        title: 'Tokens travel without encryption',
        description: `${endpoint} is no https:// address.`,
        severity: 'high',
        cwe: 'CWE-319',
      });
  if (
    [...server.scopes_supported, ...scopes].some((scope) =>
      /^(?:\*|all|admin|root|full[_-]?access)$|\*$/i.test(scope),
    )
  )
    flaws.push({
      rule: 'auth-wide-scope',
      title: 'Scopes allow everything',
      description: `${server.issuer} has scopes that stand for everything; a client that asks for one gets more than it needs.`,
      severity: 'low',
      cwe: 'CWE-250',
    });
  return flaws;
}

/** What is wrong with how a server asks for tokens. */
export const oauthFindings = (metadata: OAuthMetadata): Observation[] =>
  flawsOf(metadata).map((flaw) => observation(flaw, metadata));
