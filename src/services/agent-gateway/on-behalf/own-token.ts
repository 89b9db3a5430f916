/** Which token of a caller's own may go on to a server: one that was made for that very server. */
import type { McpServer } from '../registry/servers/server.ts';

interface Claims {
  readonly iss?: unknown;
  readonly aud?: unknown;
}

const longestToken = 16_384;

/** What a JWT says, unchecked: whoever gets it checks it. */
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
  /** Where this service is reached: the issuers of all gateways begin with it. */
  readonly base: () => string;
}

/** The issuer of this product's access tokens. */
const ownIssuer = 'bulwark';

/** Whether the token is for this server alone, and none of ours: one that opens the gateway too never leaves it. */
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
