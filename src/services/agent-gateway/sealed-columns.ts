import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import { sealedIdentityKeys } from './assertions/key-store.ts';
import { sealedServerClients } from './grants/client-store.ts';
import { sealedConsents } from './grants/consent-store.ts';
import { sealedGrants } from './grants/store.ts';
import { sealedClients, sealedRecords } from './oauth/adapter.ts';
import { placeOfSignIn } from './oauth/federated-sign-in.ts';
import { sealedKeys } from './oauth/keys.ts';
import { sealedServers } from './registry/servers/store.ts';

/** Its secrets at rest. */
export const agentGatewaySealed: readonly SealedColumn[] = [
  sealedKeys,
  sealedClients,
  sealedRecords(placeOfSignIn),
  sealedServerClients,
  sealedConsents,
  sealedGrants,
  sealedIdentityKeys,
  ...sealedServers,
];
