/** SQL for consents in progress; secrets are stored encrypted. */
import { hash } from 'node:crypto';
import type { Queries } from '#base/db/database.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { AuthorizationServer, OAuthClient } from '#mcp/oauth/client.ts';
import type { Holder } from './grant.ts';

/** A consent in progress, until the user comes back. */
export interface Consent {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly serverId: string;
  readonly userId: string;
  readonly username: string;
  readonly expiresAt: Date;
  readonly secrets: ConsentSecrets;
}

export interface ConsentSecrets {
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scope: string;
  /** The owner of the future grant. */
  readonly holder: Holder;
  /** Version of the MCP server at the start of the consent. */
  readonly connectionUrl: string;
}

type Row = Omit<Consent, 'secrets'> & { stateHash: string; sealed: Buffer };

const placeOf = (stateHash: string) => `agent_gateway.server_consents:${stateHash}`;

export const sealedConsents: SealedColumn = {
  table: 'agent_gateway.server_consents',
  column: 'sealed',
  keys: ['state_hash'],
  place: placeOf,
};
const hashOf = (state: string) => hash('sha256', state, 'base64url');

const consentColumns = `state_hash as "stateHash", tenant_id as "tenantId", tenant_name as "tenantName",
  server_id as "serverId", user_id as "userId", username, sealed, expires_at as "expiresAt"`;

/** Undefined if it cannot be decrypted; the consent is then started again. */
function read(vault: Vault, { sealed, stateHash, ...rest }: Row): Consent | undefined {
  const secrets = vault.find(sealed, placeOf(stateHash));
  return secrets === undefined ? undefined : { ...rest, secrets: JSON.parse(secrets) as ConsentSecrets };
}

/** Replaces the user's earlier consent in progress for this server, and deletes expired ones. */
export async function insertConsent(db: Queries, vault: Vault, consent: Consent, now: Date): Promise<void> {
  const stateHash = hashOf(consent.secrets.state);
  await db.query(
    'delete from agent_gateway.server_consents where expires_at < $1 or (server_id = $2 and user_id = $3)',
    [now, consent.serverId, consent.userId],
  );
  await db.query(
    `insert into agent_gateway.server_consents
      (state_hash, tenant_id, tenant_name, server_id, user_id, username, sealed, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      stateHash,
      consent.tenantId,
      consent.tenantName,
      consent.serverId,
      consent.userId,
      consent.username,
      vault.seal(JSON.stringify(consent.secrets), placeOf(stateHash)),
      consent.expiresAt,
    ],
  );
}

/** The user's consent in progress, if it has not expired. */
export async function findBegunConsent(
  db: Queries,
  vault: Vault,
  serverId: string,
  userId: string,
  now: Date,
): Promise<Consent | undefined> {
  const [row] = await db.query<Row>(
    `select ${consentColumns} from agent_gateway.server_consents
      where server_id = $1 and user_id = $2 and expires_at > $3`,
    [serverId, userId, now],
  );
  return row && read(vault, row);
}

export async function findConsent(
  db: Queries,
  vault: Vault,
  state: string,
  now: Date,
): Promise<Consent | undefined> {
  const [row] = await db.query<Row>(
    `select ${consentColumns} from agent_gateway.server_consents where state_hash = $1 and expires_at > $2`,
    [hashOf(state), now],
  );
  return row && read(vault, row);
}

/** Takes the consent once; a second request with the same state gets nothing. */
export async function takeConsent(
  db: Queries,
  vault: Vault,
  state: string,
  now: Date,
): Promise<Consent | undefined> {
  const [row] = await db.query<Row>(
    `delete from agent_gateway.server_consents where state_hash = $1 and expires_at > $2
      returning ${consentColumns}`,
    [hashOf(state), now],
  );
  return row && read(vault, row);
}

/** Deletes consents of one user if given, else of all. */
export async function deleteConsents(db: Queries, serverId: string, userId?: string): Promise<void> {
  await db.query(
    'delete from agent_gateway.server_consents where server_id = $1 and ($2::uuid is null or user_id = $2)',
    [serverId, userId ?? null],
  );
}
