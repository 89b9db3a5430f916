import type { Tokens } from '#mcp/oauth/client.ts';

/** Tokens are not used this long before expiry, so that they remain valid during the call. */
const marginMs = 30_000;
const leastShare = 0.5;
/** Lifetime of tokens without `expires_in`. */
const unknownMs = 60_000;
const longestMs = 3_600_000;

/** How long a token is used, in milliseconds from when it was given. */
export function keptFor({ expiresInSeconds }: Pick<Tokens, 'expiresInSeconds'>): number {
  if (expiresInSeconds === undefined) return unknownMs;
  const lastsMs = Math.min(expiresInSeconds * 1000, longestMs);
  return Math.max(lastsMs - marginMs, lastsMs * leastShare);
}
