/** SQL for our client registrations at authorization servers; secrets are stored encrypted. */
import type { Queries } from '#base/db/database.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { OAuthClient } from '#mcp/oauth/client.ts';

const placeOf = (tenantId: string, issuer: string) => `agent_gateway.server_clients:${tenantId}:${issuer}`;

export const sealedServerClients: SealedColumn = {
  table: 'agent_gateway.server_clients',
  column: 'sealed',
  keys: ['tenant_id', 'issuer', 'redirect_uri'],
  place: (tenantId, issuer) => placeOf(tenantId, issuer),
};

export async function findClient(
  db: Queries,
  vault: Vault,
  tenantId: string,
  issuer: string,
  redirectUri: string,
): Promise<OAuthClient | undefined> {
  const [row] = await db.query<{ sealed: Buffer }>(
    `select sealed from agent_gateway.server_clients
      where tenant_id = $1 and issuer = $2 and redirect_uri = $3`,
    [tenantId, issuer, redirectUri],
  );
  // A registration that cannot be decrypted is replaced by a new one.
  const client = row && vault.find(row.sealed, placeOf(tenantId, issuer));
  return client === undefined ? undefined : (JSON.parse(client) as OAuthClient);
}

export async function saveClient(
  db: Queries,
  vault: Vault,
  { tenantId, issuer, redirectUri }: { tenantId: string; issuer: string; redirectUri: string },
  client: OAuthClient,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into agent_gateway.server_clients (tenant_id, issuer, redirect_uri, sealed, registered_at)
      values ($1, $2, $3, $4, $5)
      on conflict (tenant_id, issuer, redirect_uri) do update
      set sealed = excluded.sealed, registered_at = excluded.registered_at`,
    [tenantId, issuer, redirectUri, vault.seal(JSON.stringify(client), placeOf(tenantId, issuer)), at],
  );
}

export async function deleteClient(db: Queries, tenantId: string, issuer: string): Promise<void> {
  await db.query('delete from agent_gateway.server_clients where tenant_id = $1 and issuer = $2', [
    tenantId,
    issuer,
  ]);
}
