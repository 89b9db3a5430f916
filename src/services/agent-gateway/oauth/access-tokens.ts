/** Verifies access tokens issued by a gateway's authorization server. */
import { createLocalJWKSet, decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import type { Caller } from '#identity/caller.ts';
import { unauthorized } from '#identity/challenges.ts';
import type { Identity } from '#identity/identity.ts';
import type { Addresses } from './addresses.ts';
import type { Grants } from './grants.ts';
import { publicPart, signingAlgorithm, type GatewayKeys } from './keys.ts';

export interface AccessTokensDeps {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'person'>;
  readonly grants: Grants;
  readonly keysOf: (gatewayId: string) => Promise<GatewayKeys>;
  readonly addressesOf: (gatewayId: string) => Addresses;
  /** Common prefix of the issuers of all gateways. */
  readonly base: () => string;
}

export interface AccessTokens {
  /** Whether the token names one of our gateways as its issuer; it is not verified yet. */
  isOurs(token: string): boolean;
  /** The user who consented. Throws AppError 401. */
  verify(gatewayId: string, token: string): Promise<Caller>;
}

interface Facts {
  readonly userId: string;
  readonly grantId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly untilMs: number;
}

const remembered = 10_000;

export function createAccessTokens(deps: AccessTokensDeps): AccessTokens {
  const { clock, identity, grants, keysOf, addressesOf, base } = deps;
  const checked = new LRUCache<string, Facts>({ max: remembered });

  const check = async (gatewayId: string, token: string): Promise<Facts> => {
    const { issuer } = addressesOf(gatewayId);
    const { jwks } = await keysOf(gatewayId);
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: jwks.keys.map(publicPart) }), {
      algorithms: [signingAlgorithm],
      typ: 'at+jwt',
      issuer,
      audience: issuer,
      requiredClaims: ['sub', 'exp', 'iat', 'client_id', 'grant'],
      currentDate: new Date(clock.now()),
    });
    return factsOf(payload);
  };

  const verified = async (gatewayId: string, token: string): Promise<Facts> => {
    const id = `${gatewayId} ${hash('sha256', token, 'base64url')}`;
    const known = checked.get(id);
    if (known !== undefined && clock.now() < known.untilMs) return known;
    checked.delete(id);
    try {
      const facts = await check(gatewayId, token);
      checked.set(id, facts);
      return facts;
    } catch (error) {
      throw refused(error);
    }
  };

  return {
    isOurs(token) {
      try {
        return decodeJwt(token).iss?.startsWith(`${base()}/api/gateways/`) === true;
      } catch {
        return false;
      }
    },
    async verify(gatewayId, token) {
      const { userId, grantId, clientId, scopes } = await verified(gatewayId, token);
      const consent = await grants.find(grantId);
      if (consent?.gatewayId !== gatewayId || consent.userId !== userId)
        throw unauthorized('invalid_token', 'The access was ended. Connect again.');
      const person = await identity.person(userId, consent.createdAt);
      if (person === undefined)
        throw unauthorized(
          'invalid_token',
          'The user of this token was deleted or disabled, or has a new password since. Connect again.',
        );
      return { ...person, via: 'oauth', oauth: { clientId, grantId, scopes } };
    },
  };
}

const factsOf = ({ sub = '', exp = 0, client_id: clientId, grant, scope }: JWTPayload): Facts => ({
  userId: sub,
  grantId: String(grant),
  clientId: String(clientId),
  scopes: typeof scope === 'string' ? scope.split(' ') : [],
  untilMs: exp * 1000,
});

/** Converts errors of jose to AppErrors; other errors are returned unchanged. */
function refused(error: unknown): unknown {
  if (error instanceof errors.JWTExpired)
    return unauthorized(
      'token_expired',
      'The access token has expired. Refresh it, or connect again.',
      error,
    );
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return unauthorized('invalid_signature', 'The token is not signed with a key of this gateway.', error);
  if (error instanceof errors.JOSEError)
    return unauthorized(
      'invalid_token',
      'The token is not for this gateway. Connect to it by itself.',
      error,
    );
  return error;
}
