/** All SQL of grants, clients and consents; what is secret lies encrypted, each in its own place. */
import { hash } from 'node:crypto';
import type { Queries } from '#base/db/database.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { AuthorizationServer, OAuthClient } from '#mcp/oauth/client.ts';
import { serversOwn, type Grant, type GrantSecrets, type Holder } from './grant.ts';

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

export type GrantKey = Pick<Grant, 'serverId' | 'holder'>;

type GrantRow = Omit<Grant, 'secrets'> & { sealed: Buffer | null };

type ConsentRow = Omit<Consent, 'secrets'> & { sealed: Buffer };

const grantPlace = ({ serverId, holder }: GrantKey) =>
  `agent_gateway.server_grants:${serverId}${holder === serversOwn ? '' : `:${holder}`}`;
const consentPlace = (stateHash: string) => `agent_gateway.server_consents:${stateHash}`;
const clientPlace = (tenantId: string, issuer: string) =>
  `agent_gateway.server_clients:${tenantId}:${issuer}`;
const hashOf = (state: string) => hash('sha256', state, 'base64url');

const grantColumns = `server_id as "serverId", holder, connection_url as "connectionUrl", sealed, issuer, scope,
  expires_at as "expiresAt", granted_by as "grantedBy", granted_at as "grantedAt",
  wanted_scope as "wantedScope", resource_metadata as "resourceMetadata", problem,
  needs_consent as "needsConsent"`;

const consentColumns = `state_hash as "stateHash", tenant_id as "tenantId", tenant_name as "tenantName",
  server_id as "serverId", user_id as "userId", username, sealed, expires_at as "expiresAt"`;

export type GrantStore = ReturnType<typeof grantStore>;

export function grantStore(vault: Vault) {
  /** Undefined where it cannot be opened: it is begun again. */
  const readConsent = (row: ConsentRow & { stateHash: string }): Consent | undefined => {
    const { sealed, stateHash, ...rest } = row;
    const secrets = vault.find(sealed, consentPlace(stateHash));
    return secrets === undefined ? undefined : { ...rest, secrets: JSON.parse(secrets) as ConsentSecrets };
  };

  /** One that cannot be opened is one that somebody has to consent to anew. */
  const readGrant = ({ sealed, ...rest }: GrantRow): Grant => {
    const secrets = sealed && vault.find(sealed, grantPlace(rest));
    return secrets === undefined
      ? { ...rest, secrets: null, needsConsent: true }
      : { ...rest, secrets: secrets === null ? null : (JSON.parse(secrets) as GrantSecrets) };
  };

  return {
    async find(db: Queries, { serverId, holder }: GrantKey): Promise<Grant | undefined> {
      const [row] = await db.query<GrantRow>(
        `select ${grantColumns} from agent_gateway.server_grants where server_id = $1 and holder = $2`,
        [serverId, holder],
      );
      return row && readGrant(row);
    },

    /** Those of users, the newest consent first; of one user alone where told. */
    async listOfUsers(
      db: Queries,
      serverId: string,
      { userId, limit, offset }: { userId: string | undefined; limit: number; offset: number },
    ): Promise<{ grants: Grant[]; total: number }> {
      const where = `server_id = $1 and holder <> '' and ($2::text is null or holder = $2)`;
      const params = [serverId, userId ?? null];
      const [counted] = await db.query<{ total: number }>(
        `select count(*) as total from agent_gateway.server_grants where ${where}`,
        params,
      );
      const rows = await db.query<GrantRow>(
        `select ${grantColumns} from agent_gateway.server_grants where ${where}
          order by granted_at desc nulls last, holder limit $3 offset $4`,
        [...params, limit, offset],
      );
      return { grants: rows.map(readGrant), total: counted?.total ?? 0 };
    },

    /** Users who hold grants, in whatever order. */
    async holders(db: Queries): Promise<string[]> {
      const rows = await db.query<{ holder: string }>(
        `select distinct holder from agent_gateway.server_grants where holder <> ''`,
      );
      return rows.map(({ holder }) => holder);
    },

    /** Takes away all that the user holds: of several processes, one gets each. */
    async takeOfUser(db: Queries, userId: string): Promise<Grant[]> {
      const rows = await db.query<GrantRow>(
        `delete from agent_gateway.server_grants where holder = $1 and holder <> '' returning ${grantColumns}`,
        [userId],
      );
      return rows.map(readGrant);
    },

    /** Writes the whole grant, and ends whoever's turn it was to renew it. */
    async save(db: Queries, grant: Grant): Promise<void> {
      const { serverId, holder, secrets } = grant;
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
          secrets === null ? null : vault.seal(JSON.stringify(secrets), grantPlace(grant)),
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
    },

    async remove(db: Queries, { serverId, holder }: GrantKey): Promise<void> {
      await db.query('delete from agent_gateway.server_grants where server_id = $1 and holder = $2', [
        serverId,
        holder,
      ]);
    },

    /** Those of the server, whoever holds them. */
    async removeAll(db: Queries, serverId: string): Promise<void> {
      await db.query('delete from agent_gateway.server_grants where server_id = $1', [serverId]);
    },

    /** Whether it is our turn to renew, among all processes, until then. */
    async takeTurn(db: Queries, key: GrantKey, { now, until }: { now: Date; until: Date }): Promise<boolean> {
      const rows = await db.query(
        `update agent_gateway.server_grants set renewing_until = $4
          where server_id = $1 and holder = $2 and (renewing_until is null or renewing_until < $3)
          returning 1 as ours`,
        [key.serverId, key.holder, now, until],
      );
      return rows.length > 0;
    },

    /** Writes what renewing gave. False where it was no longer our turn. */
    async saveInTurn(db: Queries, grant: Grant, until: Date): Promise<boolean> {
      const { serverId, holder, secrets, scope, expiresAt, needsConsent } = grant;
      const sealed = secrets === null ? null : vault.seal(JSON.stringify(secrets), grantPlace(grant));
      const rows = await db.query(
        `update agent_gateway.server_grants set sealed = $4, scope = $5, expires_at = $6, problem = null,
          needs_consent = $7, renewing_until = null
          where server_id = $1 and holder = $2 and renewing_until = $3 returning 1 as ours`,
        [serverId, holder, until, sealed, scope, expiresAt, needsConsent],
      );
      return rows.length > 0;
    },

    async endTurn(db: Queries, { serverId, holder }: GrantKey, until: Date): Promise<void> {
      await db.query(
        `update agent_gateway.server_grants set renewing_until = null
          where server_id = $1 and holder = $2 and renewing_until = $3`,
        [serverId, holder, until],
      );
    },

    /** Writes what the server wants, and leaves the tokens as they are: another process may be renewing them. */
    async saveRefusal(db: Queries, grant: Grant): Promise<void> {
      const { serverId, holder, connectionUrl, wantedScope, resourceMetadata, problem } = grant;
      await db.query(
        `insert into agent_gateway.server_grants
          (server_id, holder, connection_url, scope, wanted_scope, resource_metadata, problem, needs_consent)
          values ($1, $2, $3, '', $4, $5, $6, true)
          on conflict (server_id, holder) do update set wanted_scope = excluded.wanted_scope,
          resource_metadata = excluded.resource_metadata, problem = excluded.problem, needs_consent = true`,
        [serverId, holder, connectionUrl, wantedScope, resourceMetadata, problem],
      );
    },

    async findClient(
      db: Queries,
      tenantId: string,
      issuer: string,
      redirectUri: string,
    ): Promise<OAuthClient | undefined> {
      const [row] = await db.query<{ sealed: Buffer }>(
        `select sealed from agent_gateway.server_clients
          where tenant_id = $1 and issuer = $2 and redirect_uri = $3`,
        [tenantId, issuer, redirectUri],
      );
      // One that cannot be opened is registered anew.
      const client = row && vault.find(row.sealed, clientPlace(tenantId, issuer));
      return client === undefined ? undefined : (JSON.parse(client) as OAuthClient);
    },

    async saveClient(
      db: Queries,
      { tenantId, issuer, redirectUri }: { tenantId: string; issuer: string; redirectUri: string },
      client: OAuthClient,
      at: Date,
    ): Promise<void> {
      await db.query(
        `insert into agent_gateway.server_clients (tenant_id, issuer, redirect_uri, sealed, registered_at)
          values ($1, $2, $3, $4, $5)
          on conflict (tenant_id, issuer, redirect_uri) do update
          set sealed = excluded.sealed, registered_at = excluded.registered_at`,
        [
          tenantId,
          issuer,
          redirectUri,
          vault.seal(JSON.stringify(client), clientPlace(tenantId, issuer)),
          at,
        ],
      );
    },

    async removeClient(db: Queries, tenantId: string, issuer: string): Promise<void> {
      await db.query('delete from agent_gateway.server_clients where tenant_id = $1 and issuer = $2', [
        tenantId,
        issuer,
      ]);
    },

    /** Takes the place of what the person had begun for this server; those that nobody finished go as well. */
    async insertConsent(db: Queries, consent: Consent, now: Date): Promise<void> {
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
          vault.seal(JSON.stringify(consent.secrets), consentPlace(stateHash)),
          consent.expiresAt,
        ],
      );
    },

    /** What the person has begun, and can still finish. */
    async findBegun(db: Queries, serverId: string, userId: string, now: Date): Promise<Consent | undefined> {
      const [row] = await db.query<ConsentRow & { stateHash: string }>(
        `select ${consentColumns} from agent_gateway.server_consents
          where server_id = $1 and user_id = $2 and expires_at > $3`,
        [serverId, userId, now],
      );
      return row && readConsent(row);
    },

    async findByState(db: Queries, state: string, now: Date): Promise<Consent | undefined> {
      const [row] = await db.query<ConsentRow & { stateHash: string }>(
        `select ${consentColumns} from agent_gateway.server_consents where state_hash = $1 and expires_at > $2`,
        [hashOf(state), now],
      );
      return row && readConsent(row);
    },

    /** Once: the second who comes with the same state gets nothing. */
    async takeByState(db: Queries, state: string, now: Date): Promise<Consent | undefined> {
      const [row] = await db.query<ConsentRow & { stateHash: string }>(
        `delete from agent_gateway.server_consents where state_hash = $1 and expires_at > $2
          returning ${consentColumns}`,
        [hashOf(state), now],
      );
      return row && readConsent(row);
    },

    /** Those of one user where told, else all. */
    async removeConsents(db: Queries, serverId: string, userId?: string): Promise<void> {
      await db.query(
        'delete from agent_gateway.server_consents where server_id = $1 and ($2::uuid is null or user_id = $2)',
        [serverId, userId ?? null],
      );
    },
  };
}
