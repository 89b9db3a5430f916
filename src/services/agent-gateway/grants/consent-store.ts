/** All SQL of consents that were begun; what is secret lies encrypted. */
import { hash } from 'node:crypto';
import type { Queries } from '#base/db/database.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { AuthorizationServer, OAuthClient } from '#mcp/oauth/client.ts';
import type { Holder } from './grant.ts';

/** A consent that was begun, until its person comes back. */
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
  /** Whose the grant will be. */
  readonly holder: Holder;
  /** Of the MCP server, as it was then. */
  readonly connectionUrl: string;
}

type Row = Omit<Consent, 'secrets'> & { stateHash: string; sealed: Buffer };

const placeOf = (stateHash: string) => `agent_gateway.server_consents:${stateHash}`;
const hashOf = (state: string) => hash('sha256', state, 'base64url');

const consentColumns = `state_hash as "stateHash", tenant_id as "tenantId", tenant_name as "tenantName",
  server_id as "serverId", user_id as "userId", username, sealed, expires_at as "expiresAt"`;

/** Undefined where it cannot be opened: it is begun again. */
function read(vault: Vault, { sealed, stateHash, ...rest }: Row): Consent | undefined {
  const secrets = vault.find(sealed, placeOf(stateHash));
  return secrets === undefined ? undefined : { ...rest, secrets: JSON.parse(secrets) as ConsentSecrets };
}

/** Takes the place of what the person had begun for this server; those that nobody finished go as well. */
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

/** What the person has begun, and can still finish. */
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

/** Once: the second who comes with the same state gets nothing. */
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

/** Those of one user where told, else all. */
export async function deleteConsents(db: Queries, serverId: string, userId?: string): Promise<void> {
  await db.query(
    'delete from agent_gateway.server_consents where server_id = $1 and ($2::uuid is null or user_id = $2)',
    [serverId, userId ?? null],
  );
}
