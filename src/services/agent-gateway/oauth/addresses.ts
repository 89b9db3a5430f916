/** URLs of a gateway's authorization server and its documents. Pure. */

/** The endpoint path of a gateway. */
const mcpPathOf = (gatewayId: string): string => `/api/gateways/${encodeURIComponent(gatewayId)}/mcp`;

/** Well-known names. Each document is below the endpoint and also at the root, followed by the endpoint's path. */
export const wellKnown = {
  resource: '/.well-known/oauth-protected-resource',
  server: '/.well-known/oauth-authorization-server',
  openId: '/.well-known/openid-configuration',
} as const;

/** A gateway's URLs, derived only from configuration, never from a request. */
export interface Addresses {
  /** The issuer of tokens and the endpoint they are for: the same URL. */
  readonly issuer: string;
  /** The issuer's path, which cookies and forms are bound to. */
  readonly path: string;
  /** URL of the protected resource metadata (RFC 9728) at the place where most clients look first. */
  readonly metadata: string;
  /** Redirect URI for the OpenID Connect issuer; the same for all gateways, so that it can be registered. */
  readonly federated: string;
}

export const federatedPath = '/oauth/callback';

/** @param base the service's public URL, without a trailing slash */
export function addressesOf(base: string, gatewayId: string): Addresses {
  const issuer = `${base}${mcpPathOf(gatewayId)}`;
  const { origin, pathname } = new URL(issuer);
  return {
    issuer,
    path: pathname,
    metadata: `${origin}${wellKnown.resource}${pathname}`,
    federated: `${base}${federatedPath}`,
  };
}
