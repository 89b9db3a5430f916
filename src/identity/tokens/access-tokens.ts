import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '#base/clock.ts';
import { newUuid } from '#base/ids.ts';
import { permissionsOf } from '../caller.ts';
import type { User } from '../users/store.ts';

/** The last moment at which a token with this `iat` can have been issued. */
export const issuedAtLatest = (iat: number): Date => new Date((iat + 1) * 1000 - 1);

export const accessTokenSeconds = 15 * 60;

const issuer = 'bulwark';
const audience = 'bulwark';

/** The claims of a verified token. */
export interface TokenFacts {
  userId: string;
  tenantId: string;
  via: 'jwt' | 'oidc';
  /** When it was issued, to the second; the last moment of that. */
  issuedAt: Date;
  /** Unix milliseconds until which this may be believed without another check. */
  untilMs: number;
}

/** Our own access tokens: JWTs of 15 minutes, signed with HS256. */
export interface AccessTokens {
  issue(user: User): Promise<string>;
  /** Throws jose's errors. */
  verify(token: string): Promise<TokenFacts>;
}

export interface AccessTokenSettings {
  readonly secret: string;
  /** Tokens signed with it are taken too. */
  readonly previousSecret?: string | undefined;
  readonly clock: Clock;
}

export function createAccessTokens({ secret, previousSecret, clock }: AccessTokenSettings): AccessTokens {
  const key = new TextEncoder().encode(secret);
  const previousKey = previousSecret === undefined ? undefined : new TextEncoder().encode(previousSecret);
  const verifyWith = (token: string, with_: Uint8Array) =>
    jwtVerify<{ tenant: unknown }>(token, with_, {
      algorithms: ['HS256'],
      issuer,
      audience,
      requiredClaims: ['sub', 'exp', 'iat', 'jti', 'tenant'],
      currentDate: new Date(clock.now()),
    });
  const verified = async (token: string) => {
    try {
      return await verifyWith(token, key);
    } catch (error) {
      if (previousKey === undefined || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      return verifyWith(token, previousKey);
    }
  };
  return {
    issue(user) {
      const issuedAt = Math.floor(clock.now() / 1000);
      return new SignJWT({
        username: user.username,
        tenant: user.tenantId,
        tenant_name: user.tenantName,
        roles: user.roles,
        permissions: permissionsOf(user.roles),
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(user.id)
        .setJti(newUuid(clock.now()))
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(key);
    },
    async verify(token) {
      const { payload } = await verified(token);
      return {
        userId: payload.sub ?? '',
        tenantId: String(payload.tenant),
        via: 'jwt',
        issuedAt: issuedAtLatest(payload.iat ?? 0),
        untilMs: (payload.exp ?? 0) * 1000,
      };
    },
  };
}
