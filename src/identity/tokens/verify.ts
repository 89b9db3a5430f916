import { hash } from 'node:crypto';
import { decodeProtectedHeader, errors } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import { unauthorized } from '../challenges.ts';
import { issuerAlgorithms } from '../issuer/oidc.ts';
import type { AccessTokens, TokenFacts } from './access-tokens.ts';

const cachedTokens = 10_000;

/** Verifies bearer tokens of all issuers; caches results. */
export interface TokenVerifier {
  /** @throws AppError 401 with the reason, 403 for an issuer's user who has no place here. */
  verify(token: string): Promise<TokenFacts>;
}

export interface VerifierParts {
  clock: Clock;
  accessTokens: AccessTokens;
  /** Of the OpenID Connect issuer, where one is configured. */
  oidc: ((token: string) => Promise<TokenFacts>) | undefined;
}

export function createTokenVerifier({ clock, accessTokens, oidc }: VerifierParts): TokenVerifier {
  const checked = new LRUCache<string, TokenFacts>({ max: cachedTokens });

  /** The algorithm selects the key: a token is never tried with both our secret and an issuer's keys. */
  const check = (token: string, algorithm: string | undefined): Promise<TokenFacts> => {
    if (algorithm === 'HS256') return accessTokens.verify(token);
    if (oidc !== undefined && issuerAlgorithms.includes(algorithm ?? '')) return oidc(token);
    const accepted = ['HS256 (from /auth/login)', ...(oidc === undefined ? [] : issuerAlgorithms)];
    throw unauthorized(
      'invalid_token',
      `The bearer token’s algorithm is not accepted here; it may be ${accepted.join(', ')}.`,
    );
  };

  return {
    async verify(token) {
      const id = hash('sha256', token, 'base64url');
      const known = checked.get(id);
      if (known !== undefined && clock.now() < known.untilMs) return known;
      checked.delete(id);
      try {
        const facts = await check(token, algorithmOf(token));
        checked.set(id, facts);
        return facts;
      } catch (error) {
        throw refused(error);
      }
    },
  };
}

function algorithmOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg;
  } catch (error) {
    throw malformed(error);
  }
}

const malformed = (cause: unknown) =>
  unauthorized('invalid_token', 'The bearer token is neither a valid JWT nor an API key.', cause);

/** jose's errors in our words; any other as it is. */
function refused(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) return error;
  if (error instanceof errors.JWTExpired)
    return unauthorized(
      'token_expired',
      'The access token has expired. Get a new one from /auth/refresh.',
      error,
    );
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return unauthorized('invalid_signature', 'The signature of the bearer token is invalid.', error);
  if (error instanceof errors.JWTClaimValidationFailed)
    return unauthorized('invalid_token', claimDetail(error), error);
  return malformed(error);
}

const claimDetail = ({ claim, reason }: errors.JWTClaimValidationFailed) =>
  reason === 'missing'
    ? `The bearer token lacks the claim '${claim}'.`
    : `The claim '${claim}' of the bearer token is not accepted here.`;
