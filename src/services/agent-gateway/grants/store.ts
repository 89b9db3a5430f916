/** SQL for grants. Tokens are stored encrypted, bound to their row. */
import type { Queries } from '#base/db/database.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import { serversOwn, type Grant, type GrantSecrets } from './grant.ts';

export type GrantKey = Pick<Grant, 'serverId' | 'holder'>;

type Row = Omit<Grant, 'secrets'> & { sealed: Buffer | null };

const placeOf = ({ serverId, holder }: GrantKey) =>
  `agent_gateway.server_grants:${serverId}${holder === serversOwn ? '' : `:${holder}`}`;

export const sealedGrants: SealedColumn = {
  table: 'agent_gateway.server_grants',
  column: 'sealed',
  keys: ['server_id', 'holder'],
  place: (serverId, holder) => placeOf({ serverId, holder }),
};

const grantColumns = `server_id as "serverId", holder, connection_url as "connectionUrl", sealed, issuer, scope,
  expires_at as "expiresAt", granted_by as "grantedBy", granted_at as "grantedAt",
  wanted_scope as "wantedScope", resource_metadata as "resourceMetadata", problem,
  needs_consent as "needsConsent"`;

/** A grant that cannot be decrypted requires a new consent. */
function read(vault: Vault, { sealed, ...rest }: Row): Grant {
  const secrets = sealed && vault.find(sealed, placeOf(rest));
  return secrets === undefined
    ? { ...rest, secrets: null, needsConsent: true }
    : { ...rest, secrets: secrets === null ? null : (JSON.parse(secrets) as GrantSecrets) };
}

const sealedOf = (vault: Vault, grant: Grant): Buffer | null =>
  grant.secrets === null ? null : vault.seal(JSON.stringify(grant.secrets), placeOf(grant));

export async function findGrant(
  db: Queries,
  vault: Vault,
  { serverId, holder }: GrantKey,
): Promise<Grant | undefined> {
  const [row] = await db.query<Row>(
    `select ${grantColumns} from agent_gateway.server_grants where server_id = $1 and holder = $2`,
    [serverId, holder],
  );
  return row && read(vault, row);
}

/** Grants of users, newest consent first; of one user if given. */
export async function listUserGrants(
  db: Queries,
  vault: Vault,
  serverId: string,
  { userId, limit, offset }: { userId: string | undefined; limit: number; offset: number },
): Promise<{ grants: Grant[]; total: number }> {
  const where = `server_id = $1 and holder <> '' and ($2::text is null or holder = $2)`;
  const params = [serverId, userId ?? null];
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from agent_gateway.server_grants where ${where}`,
    params,
  );
  const rows = await db.query<Row>(
    `select ${grantColumns} from agent_gateway.server_grants where ${where}
      order by granted_at desc nulls last, holder limit $3 offset $4`,
    [...params, limit, offset],
  );
  return { grants: rows.map((row) => read(vault, row)), total: counted?.total ?? 0 };
}

/** Users who have grants, in any order. */
export async function listHolders(db: Queries): Promise<string[]> {
  const rows = await db.query<{ holder: string }>(
    `select distinct holder from agent_gateway.server_grants where holder <> ''`,
  );
  return rows.map(({ holder }) => holder);
}

/** Deletes all grants of the user and returns them; concurrent processes each get different ones. */
export async function takeUserGrants(db: Queries, vault: Vault, userId: string): Promise<Grant[]> {
  const rows = await db.query<Row>(
    `delete from agent_gateway.server_grants where holder = $1 and holder <> '' returning ${grantColumns}`,
    [userId],
  );
  return rows.map((row) => read(vault, row));
}

/** Saves the whole grant and releases the refresh lease. */
export async function saveGrant(db: Queries, vault: Vault, grant: Grant): Promise<void> {
  const { serverId, holder } = grant;
  await db.query(
    `insert into agent_gateway.server_grants (server_id, connection_url, sealed, issuer, scope, expires_at,
      granted_by, granted_at, wanted_scope, resource_metadata, problem, needs_consent, holder)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      on conflict (server_id, holder) do update set connection_url = excluded.connection_url, sealed = excluded.sealed,
      issuer = excluded.issuer, scope = excluded.scope, expires_at = excluded.expires_at,
      granted_by = excluded.granted_by, granted_at = excluded.granted_at, wanted_scope = excluded.wanted_scope,
      resource_metadata = excluded.resource_metadata, problem = excluded.problem,
      needs_consent = excluded.needs_consent, renewing_until = null`,
    [
      serverId,
      grant.connectionUrl,
      sealedOf(vault, grant),
      grant.issuer,
      grant.scope,
      grant.expiresAt,
      grant.grantedBy,
      grant.grantedAt,
      grant.wantedScope,
      grant.resourceMetadata,
      grant.problem,
      grant.needsConsent,
      holder,
    ],
  );
}

export async function deleteGrant(db: Queries, { serverId, holder }: GrantKey): Promise<void> {
  await db.query('delete from agent_gateway.server_grants where server_id = $1 and holder = $2', [
    serverId,
    holder,
  ]);
}

/** Grants of the server, of all owners. */
export async function deleteGrants(db: Queries, serverId: string): Promise<void> {
  await db.query('delete from agent_gateway.server_grants where server_id = $1', [serverId]);
}

/** Acquires the refresh lease, shared by all processes, until the given time. */
export async function takeTurn(
  db: Queries,
  key: GrantKey,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const rows = await db.query(
    `update agent_gateway.server_grants set renewing_until = $4
      where server_id = $1 and holder = $2 and (renewing_until is null or renewing_until < $3)
      returning 1 as ours`,
    [key.serverId, key.holder, now, until],
  );
  return rows.length > 0;
}

/** Saves refreshed tokens. False if the lease was lost. */
export async function saveInTurn(db: Queries, vault: Vault, grant: Grant, until: Date): Promise<boolean> {
  const { serverId, holder, scope, expiresAt, needsConsent } = grant;
  const sealed = sealedOf(vault, grant);
  const rows = await db.query(
    `update agent_gateway.server_grants set sealed = $4, scope = $5, expires_at = $6, problem = null,
      needs_consent = $7, renewing_until = null
      where server_id = $1 and holder = $2 and renewing_until = $3 returning 1 as ours`,
    [serverId, holder, until, sealed, scope, expiresAt, needsConsent],
  );
  return rows.length > 0;
}

export async function endTurn(db: Queries, { serverId, holder }: GrantKey, until: Date): Promise<void> {
  await db.query(
    `update agent_gateway.server_grants set renewing_until = null
      where server_id = $1 and holder = $2 and renewing_until = $3`,
    [serverId, holder, until],
  );
}

/** Saves the server's requirements without changing the tokens, which another process may be refreshing. */
export async function saveRefusal(db: Queries, grant: Grant): Promise<void> {
  const { serverId, holder, connectionUrl, wantedScope, resourceMetadata, problem } = grant;
  await db.query(
    `insert into agent_gateway.server_grants
      (server_id, holder, connection_url, scope, wanted_scope, resource_metadata, problem, needs_consent)
      values ($1, $2, $3, '', $4, $5, $6, true)
      on conflict (server_id, holder) do update set wanted_scope = excluded.wanted_scope,
      resource_metadata = excluded.resource_metadata, problem = excluded.problem, needs_consent = true`,
    [serverId, holder, connectionUrl, wantedScope, resourceMetadata, problem],
  );
}
