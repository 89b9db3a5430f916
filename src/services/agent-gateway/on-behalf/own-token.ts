/** Decides to whom a caller's own token may be sent: only to the server that it was issued for, or back to its issuer. */
import type { McpServer } from '../registry/servers/server.ts';

interface Claims {
  readonly iss?: unknown;
  readonly aud?: unknown;
  readonly exp?: unknown;
}

const longestToken = 16_384;

/** The claims of a JWT, not verified; the server verifies it. */
function claimsOf(token: string): Claims | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined || token.length > longestToken) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const bare = (audience: string) => audience.replace(/\/+$/, '');

export interface OwnIssuers {
  /** Base URL of this service, the common prefix of the gateways' issuers. */
  readonly base: () => string;
}

/** Issuer of this product's access tokens. */
const ownIssuer = 'bulwark';

/** Whether the token is valid for this server only. Tokens that are also valid for the gateway are never forwarded. */
export function isFor(
  server: Pick<McpServer, 'connectionUrl'>,
  token: string,
  { base }: OwnIssuers,
): boolean {
  const { iss, aud } = claimsOf(token) ?? {};
  if (typeof iss !== 'string' || iss === ownIssuer || iss === base() || iss.startsWith(`${base()}/`))
    return false;
  const wanted = bare(server.connectionUrl ?? '');
  const [first, ...others]: unknown[] = Array.isArray(aud) ? aud : [aud];
  const isIt = (each: unknown) => typeof each === 'string' && bare(each) === wanted;
  return wanted !== '' && isIt(first) && others.every(isIt);
}

/**
 * Whether the token may be shown to this identity provider as the ID token of its user: it issued it, for this client,
 * and it is valid still.
 */
export function isIdTokenOf(
  token: string,
  { issuer, clientId, nowMs }: { issuer: string; clientId: string; nowMs: number },
): boolean {
  const { iss, aud, exp } = claimsOf(token) ?? {};
  return iss === issuer && [aud].flat().includes(clientId) && typeof exp === 'number' && exp * 1000 > nowMs;
}
