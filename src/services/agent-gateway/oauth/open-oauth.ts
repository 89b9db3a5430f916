/** Assembles the modules of the gateways' authorization servers. */
import type { PlatformConfig } from '#base/config/platform.ts';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { HttpApp } from '#base/http/server.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import type { Logger } from '#base/log/log.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Identity } from '#identity/identity.ts';
import { createAccessTokens, type AccessTokens } from './access-tokens.ts';
import { addressesOf, type Addresses } from './addresses.ts';
import { scheduleClean } from './clean.ts';
import { FederatedSignIn } from './federated-sign-in.ts';
import { openGrants, type Grants } from './grants.ts';
import { Interactions } from './interaction.ts';
import { createKeys } from './keys.ts';
import { addPersonRoutes } from './person-routes.ts';
import { addProtocolRoutes } from './protocol-routes.ts';
import { createServers } from './servers.ts';

export interface OAuthDeps {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly config: Pick<PlatformConfig, 'database'>;
  readonly identity: Pick<Identity, 'person' | 'signIn' | 'tenantName' | 'audit' | 'federation'>;
  /** The service's public URL, without a trailing slash. */
  readonly base: () => string;
  readonly settings: {
    readonly refreshTokenDays: number;
    readonly consentDays: number;
    readonly registrationsPerMinute: number;
    readonly unusedClientDays: number;
  };
}

export interface OAuth extends AsyncDisposable {
  readonly grants: Grants;
  readonly accessTokens: AccessTokens;
  addressesOf(gatewayId: string): Addresses;
  addRoutes(app: HttpApp): void;
}

export async function openOAuth(deps: OAuthDeps): Promise<OAuth> {
  const { db, clock, vault, identity, base, settings } = deps;
  const grants = await openGrants(deps);
  await scheduleClean({ ...deps, unusedClientDays: settings.unusedClientDays });
  const keysOf = createKeys(deps);
  const here = (gatewayId: string) => addressesOf(base(), gatewayId);
  const findServer = createServers({ ...deps, grants, keysOf });
  const interactions = new Interactions(deps);
  const federated = new FederatedSignIn({
    db,
    clock,
    vault,
    interactions,
    federation: identity.federation,
  });
  return {
    grants,
    accessTokens: createAccessTokens({ clock, identity, grants, keysOf, addressesOf: here, base }),
    addressesOf: here,
    addRoutes(app) {
      const { registrationsPerMinute } = settings;
      addProtocolRoutes(app, { db, clock, findServer, registrationsPerMinute });
      addPersonRoutes(app, { clock, findServer, interactions, federated });
    },
    [Symbol.asyncDispose]: () => grants[Symbol.asyncDispose](),
  };
}
