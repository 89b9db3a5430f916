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

/** Who makes a call, as every service sees them. */
export interface Caller {
  readonly userId: string;
  readonly username: string;
  /** Where an administrator or the issuer has given one. */
  readonly email?: string | undefined;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly roles: readonly Role[];
  readonly permissions: readonly Permission[];
  /** How they proved it; `anonymous` where authentication is off. */
  readonly via: 'jwt' | 'oidc' | 'api_key' | 'anonymous' | 'oauth';
  /** Set when an API key made the call. */
  readonly apiKeyId?: string | undefined;
  /** When that key expires, where it does. */
  readonly keyExpiresAt?: Date | undefined;
  /** Set when an OAuth client made the call on behalf of the user. */
  readonly oauth?: OAuthGrant | undefined;
}

/** What a user has allowed a client at one gateway. */
export interface OAuthGrant {
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
}
