/** Where a gateway's authorization server and its documents stand: pure. */

/** The endpoint of a gateway below the service's own address. */
const mcpPathOf = (gatewayId: string): string => `/api/gateways/${encodeURIComponent(gatewayId)}/mcp`;

/** The well-known names, each of which stands below the endpoint and, with the endpoint's path after it, at the root. */
export const wellKnown = {
  resource: '/.well-known/oauth-protected-resource',
  server: '/.well-known/oauth-authorization-server',
  openId: '/.well-known/openid-configuration',
} as const;

/** A gateway's addresses; every one of them comes from the configuration, none from a request. */
export interface Addresses {
  /** The issuer of tokens, and the endpoint that they are for: one URL. */
  readonly issuer: string;
  /** The issuer's path, which cookies and forms are bound to. */
  readonly path: string;
  /** The document that describes the endpoint as a protected resource (RFC 9728), where most clients look. */
  readonly metadata: string;
  /** Where people come back to from the OpenID Connect issuer; one for all gateways, so that it can be registered. */
  readonly federated: string;
}

export const federatedPath = '/oauth/callback';

/** @param base the service's public address, without a slash at its end. */
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
