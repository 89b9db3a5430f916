/** Roles and what each allows. */
export const roles = ['admin', 'member'] as const;
export type Role = (typeof roles)[number];

export const permissions = ['gateway:start', 'gateway:stop', 'tenant:override', 'users:manage'] as const;
export type Permission = (typeof permissions)[number];

export const permissionsOf = (held: readonly Role[]): Permission[] =>
  held.includes('admin')
    ? [...permissions]
    : held.includes('member')
      ? ['gateway:start', 'gateway:stop']
      : [];

/** The authenticated caller, as all services see it. */
export interface Caller {
  readonly userId: string;
  readonly username: string;
  /** Set by an administrator or the issuer. */
  readonly email?: string | undefined;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly roles: readonly Role[];
  readonly permissions: readonly Permission[];
  /** How they authenticated; `anonymous` if authentication is off. */
  readonly via: 'jwt' | 'oidc' | 'api_key' | 'anonymous' | 'oauth';
  /** Set when an API key made the call. */
  readonly apiKeyId?: string | undefined;
  /** Expiry of that key, if any. */
  readonly keyExpiresAt?: Date | undefined;
  /** Set when an OAuth client made the call on behalf of the user. */
  readonly oauth?: OAuthGrant | undefined;
}

/** What a user has consented to for a client at one gateway. */
export interface OAuthGrant {
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
}
