import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { ConnectorKind } from './credentials.ts';
import type { Connector } from './store.ts';

/** For what a connector's secrets are sealed. */
export const placeOf = (tenantId: string, kind: ConnectorKind) => `shadow_ai_connector:${tenantId}:${kind}`;

export const sealedConnectors: SealedColumn = {
  table: 'shadow_ai.connectors',
  column: 'secrets',
  keys: ['tenant_id', 'kind'],
  place: (tenantId, kind) => placeOf(tenantId, kind as ConnectorKind),
};

/** The secrets of a connector; undefined if they cannot be decrypted. */
export function findSecrets(
  vault: Vault,
  { tenantId, kind, secrets }: Connector,
): Record<string, string> | undefined {
  if (secrets === null) return {};
  const text = vault.find(secrets, placeOf(tenantId, kind));
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, string>);
}
