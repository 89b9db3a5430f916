import type { JWTPayload } from 'jose';
import type { PlatformConfig } from '#base/config/platform.ts';
import { forbidden } from '#base/errors.ts';
import { roles as knownRoles, type Role } from '../caller.ts';
import { unauthorized } from '../challenges.ts';

/** The claims of the issuer's token about its user. */
export interface IssuerClaims {
  issuer: string;
  subject: string;
  username: string;
  tenantName: string;
  roles: Role[];
  /** Null if the issuer has not verified it; undefined if the token has none. */
  email: string | null | undefined;
  issuedAt: Date;
}

/** A claim by its name, or by a path of names with dots between them (`realm_access.roles`). */
function claim(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      payload,
    );
}

/** Whether a name can be stored and shown unchanged. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 255 && !/\p{C}/u.test(value);

/** Our roles named by the claim; default: member. */
function rolesOf(value: unknown): Role[] {
  const words: unknown[] =
    typeof value === 'string' ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  const held = knownRoles.filter((role) => words.includes(role));
  return held.length > 0 ? held : ['member'];
}

function emailOf(payload: JWTPayload, name: string): string | null | undefined {
  const value = claim(payload, name);
  if (value === undefined) return undefined;
  // Some issuers write booleans as texts.
  const isUnverified = String(payload['email_verified']).toLowerCase() === 'false';
  return isName(value) && /^[^\s@]+@[^\s@]+$/.test(value) && !isUnverified ? value : null;
}

/** @throws AppError 401 for a subject that cannot be one, 403 for a token that names no tenant. */
export function readClaims(payload: JWTPayload, names: PlatformConfig['oidc']): IssuerClaims {
  const { iss: issuer = '', sub: subject, iat = 0 } = payload;
  if (!isName(subject))
    throw unauthorized('invalid_token', "The claim 'sub' of the bearer token must have 1 to 255 characters.");
  const username = claim(payload, names.usernameClaim);
  const tenantName = claim(payload, names.tenantClaim);
  if (!isName(tenantName))
    throw forbidden(
      `The issuer’s token names no tenant: it needs the claim '${names.tenantClaim}' with the tenant’s name.`,
    );
  return {
    issuer,
    subject,
    username: isName(username) ? username : subject,
    tenantName,
    roles: rolesOf(claim(payload, names.rolesClaim)),
    email: emailOf(payload, names.emailClaim),
    issuedAt: new Date(iat * 1000),
  };
}
