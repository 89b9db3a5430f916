import type { Vault } from '#base/secrets/vault.ts';
import type { ConnectorKind } from './credentials.ts';
import type { Connector } from './store.ts';

/** For what a connector's secrets are sealed. */
export const placeOf = (tenantId: string, kind: ConnectorKind) => `shadow_ai_connector:${tenantId}:${kind}`;

/** The secrets of a connector; throws where the key is another than they were sealed with. */
export const openSecrets = (vault: Vault, { tenantId, kind, secrets }: Connector): Record<string, string> =>
  secrets === null
    ? {}
    : (JSON.parse(vault.open(secrets, placeOf(tenantId, kind))) as Record<string, string>);
