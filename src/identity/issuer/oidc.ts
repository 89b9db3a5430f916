import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { Clock } from '#base/clock.ts';
import type { PlatformConfig } from '#base/config/platform.ts';
import { unauthorized } from '../challenges.ts';
import { issuedAtLatest, type TokenFacts } from '../tokens/access-tokens.ts';
import { readClaims } from './claims.ts';
import type { IssuerKeys, KeySet } from './issuer-keys.ts';
import type { IssuerUsers } from './issuer-users.ts';

export const issuerAlgorithms = ['RS256', 'ES256', 'EdDSA'];

/** A token is verified again after this, so that revoked keys stop working. */
const believedMs = 5 * 60 * 1000;
/** The issuer's clock may be this far from ours. */
const toleranceSeconds = 5;

export interface OidcParts {
  clock: Clock;
  config: PlatformConfig['oidc'];
  keys: IssuerKeys;
  users: IssuerUsers;
}

/** Checks tokens of the configured issuer. Throws jose's errors, or AppError 401 and 403. */
export function createOidcVerifier({ clock, config, keys, users }: OidcParts) {
  const verifyWith = async (token: string, { issuer, getKey }: KeySet): Promise<JWTPayload> => {
    try {
      const { payload } = await jwtVerify(token, getKey, {
        algorithms: issuerAlgorithms,
        issuer,
        audience: config.audience,
        requiredClaims: ['sub', 'iat', 'exp'],
        clockTolerance: toleranceSeconds,
        currentDate: new Date(clock.now()),
      });
      if ((payload.iat ?? 0) * 1000 > clock.now() + toleranceSeconds * 1000) throw fromTheFuture();
      return payload;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw unauthorized(
        'server_misconfigured',
        'The OpenID Connect issuer signs with a key that is not accepted, such as an RSA key under 2048 bits.',
        error,
      );
    }
  };

  return async (token: string): Promise<TokenFacts> => {
    const payload = await verifyWith(token, await keys.current(false)).catch(async (error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return verifyWith(token, await keys.current(true));
      throw error;
    });
    const { userId, tenantId } = await users(readClaims(payload, config));
    const expiresMs = ((payload.exp ?? 0) + toleranceSeconds) * 1000;
    return {
      userId,
      tenantId,
      via: 'oidc',
      issuedAt: issuedAtLatest(payload.iat ?? 0),
      untilMs: Math.min(expiresMs, clock.now() + believedMs),
    };
  };
}

/** It would count as the newest token of the user, and hide all real ones until then. */
const fromTheFuture = () =>
  unauthorized('invalid_token', "The claim 'iat' of the bearer token is in the future.");
