/** The authorization servers of the gateways, each created on first use. */
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { notFound } from '#base/errors.ts';
import { createRateLimit } from '#base/limits/rate-limit.ts';
import type { Logger } from '#base/log/log.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Identity } from '#identity/identity.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import { findGateway } from '../registry/gateways/store.ts';
import { addressesOf, type Addresses } from './addresses.ts';
import { createFetchForClients } from './client-documents.ts';
import type { Grants } from './grants.ts';
import type { GatewayKeys } from './keys.ts';
import { failurePage } from './pages.ts';
import { createProvider, type ProviderSettings } from './provider.ts';

export interface AuthorizationServer {
  readonly gateway: Gateway;
  readonly addresses: Addresses;
  readonly keys: GatewayKeys;
  readonly provider: Provider;
}

/** Throws AppError 404 if the gateway does not exist. */
export type FindServer = (gatewayId: string) => Promise<AuthorizationServer>;

export interface ServersDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly identity: Pick<Identity, 'person'>;
  readonly grants: Grants;
  readonly keysOf: (gatewayId: string) => Promise<GatewayKeys>;
  readonly settings: ProviderSettings;
  /** The service's public URL, without a trailing slash. */
  readonly base: () => string;
}

const remembered = 200;
/** How many documents of clients a gateway fetches per minute; recently fetched ones are cached. */
const fetchesPerMinute = 60;
/** Maximum length of a URL-encoded client id, which is a path segment in our URLs. */
const maxClientId = 200;

function showError(
  ctx: KoaContextWithOIDC,
  out: { error: string; error_description?: string | undefined },
): void {
  const shown = failurePage(out.error_description ?? out.error, ctx.status);
  ctx.set(shown.headers);
  ctx.body = shown.body;
}

export function createServers(deps: ServersDeps): FindServer {
  const { db, clock, outbound, base, keysOf } = deps;
  const providers = new LRUCache<string, Provider>({ max: remembered });
  const fetchForClients = createFetchForClients(outbound);
  const countFetch = createRateLimit(fetchesPerMinute, clock);

  const mayFetch = (gatewayId: string, clientId: string): boolean => {
    if (encodeURIComponent(clientId).length > maxClientId || new URL(clientId).pathname === '/') return false;
    try {
      countFetch(gatewayId);
      return true;
    } catch {
      return false;
    }
  };

  return async (gatewayId) => {
    const gateway = await findGateway(db, gatewayId);
    if (gateway === undefined) throw notFound(`The gateway ${gatewayId}`);
    const keys = await keysOf(gatewayId);
    const addresses = addressesOf(base(), gatewayId);
    const known = providers.get(addresses.issuer);
    if (known !== undefined) return { gateway, addresses, keys, provider: known };
    const provider = createProvider({
      ...deps,
      gatewayId,
      tenantId: gateway.tenantId,
      addresses,
      keys,
      fetchForClients,
      mayFetch: (clientId) => mayFetch(gatewayId, clientId),
      renderError: showError,
    });
    providers.set(addresses.issuer, provider);
    return { gateway, addresses, keys, provider };
  };
}
