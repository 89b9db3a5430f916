/** Assembles the modules for signing in at servers. */
import type { Clock } from '#base/clock.ts';
import type { ConfigOf } from '#base/config/setting.ts';
import type { Database, Queries } from '#base/db/database.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Identity } from '#identity/identity.ts';
import type { OAuthFetch } from '#mcp/oauth/http.ts';
import type { agentGatewaySections } from '../config.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { Servers } from '../registry/servers/servers.ts';
import { GrantCredentials } from './credentials.ts';
import { callbackPath, metadataPath, type CallbackDeps } from './routes.ts';
import type { UserConsent } from './user-consent.ts';
import { SignIn, type SignInDeps } from './sign-in.ts';
import { deleteConsents } from './consent-store.ts';
import { deleteGrants } from './store.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly fetch: OAuthFetch;
  readonly identity: Pick<Identity, 'person' | 'audit'>;
  readonly events: AgentGatewayEvents;
  readonly settings: ConfigOf<typeof agentGatewaySections>['agentGateway'];
  /** Base URL of this service. */
  readonly base: () => string;
}

/** Resolves a dependency cycle: connections need `credentials` before servers exist, and signing in needs servers. */
export function openGrants({ db, clock, vault, outbound, fetch, identity, events, settings, base }: Deps) {
  const addresses = {
    redirectUri: () => base() + callbackPath,
    // Authorization servers fetch the document only over TLS.
    metadataUrl: () =>
      settings.clientMetadataUrl ?? (base().startsWith('https:') ? base() + metadataPath : undefined),
  };
  let signIn: SignIn | undefined;
  const signingIn = (): SignIn => {
    if (signIn === undefined) throw new Error('A user was asked to sign in before there were servers.');
    return signIn;
  };
  const consent: UserConsent = {
    urlFor: async (caller, server) => (await signingIn().beginOrTakeUp(caller, server)).secrets.url,
    waitFor: (caller, server, until) => signingIn().waitFor(caller, server, until),
  };
  return {
    consent,
    credentials: new GrantCredentials({ db, vault, clock, fetch, events }),
    forget: async (tx: Queries, serverId: string): Promise<void> => {
      await deleteGrants(tx, serverId);
      await deleteConsents(tx, serverId);
    },
    callback(servers: Servers, userGrantChanged: SignInDeps['userGrantChanged']): CallbackDeps {
      signIn = new SignIn({
        db,
        clock,
        vault,
        servers,
        identity,
        userGrantChanged,
        outbound,
        fetch,
        ...addresses,
      });
      return { signIn, events, ...addresses };
    },
  };
}
