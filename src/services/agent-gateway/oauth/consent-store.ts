import type { Queries } from '#base/db/database.ts';

export interface Consent {
  grantId: string;
  gatewayId: string;
  userId: string;
  clientId: string;
  clientName: string;
  redirectHost: string;
  scopes: string[];
  createdAt: Date;
  usedAt: Date;
  expiresAt: Date;
}

const columns = `grant_id as "grantId", gateway_id as "gatewayId", user_id as "userId", client_id as "clientId",
  client_name as "clientName", redirect_host as "redirectHost", scopes, created_at as "createdAt", used_at as "usedAt",
  expires_at as "expiresAt"`;

type Row = Consent & Record<string, unknown>;

export async function insertConsent(db: Queries, consent: Consent): Promise<void> {
  await db.query(
    `insert into agent_gateway.oauth_consents (grant_id, gateway_id, user_id, client_id, client_name, redirect_host,
       scopes, created_at, used_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      consent.grantId,
      consent.gatewayId,
      consent.userId,
      consent.clientId,
      consent.clientName,
      consent.redirectHost,
      consent.scopes,
      consent.createdAt,
      consent.usedAt,
      consent.expiresAt,
    ],
  );
}

/** Expired consents are not found. */
export async function findConsent(db: Queries, grantId: string, now: Date): Promise<Consent | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from agent_gateway.oauth_consents where grant_id = $1 and expires_at > $2`,
    [grantId, now],
  );
  return row;
}

/** Tokens were issued for this consent. */
export async function touchConsent(db: Queries, grantId: string, now: Date): Promise<void> {
  await db.query('update agent_gateway.oauth_consents set used_at = $2 where grant_id = $1', [grantId, now]);
}

export interface ConsentFilter {
  /** Of this user only. */
  userId: string | undefined;
  clientId: string | undefined;
  limit: number;
  offset: number;
}

/** Newest first. */
export async function listConsents(
  db: Queries,
  gatewayId: string,
  { userId, clientId, limit, offset }: ConsentFilter,
  now: Date,
): Promise<{ consents: Consent[]; total: number }> {
  const where = `gateway_id = $1 and ($2::uuid is null or user_id = $2) and ($3::text is null or client_id = $3)
    and expires_at > $4`;
  const params = [gatewayId, userId ?? null, clientId ?? null, now];
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from agent_gateway.oauth_consents where ${where}`,
    params,
  );
  const consents = await db.query<Row>(
    `select ${columns} from agent_gateway.oauth_consents where ${where}
      order by created_at desc, grant_id limit $5 offset $6`,
    [...params, limit, offset],
  );
  return { consents, total: counted?.total ?? 0 };
}

/** Ids of all consents of a client. */
export async function consentsOfClient(db: Queries, gatewayId: string, clientId: string): Promise<string[]> {
  const rows = await db.query<{ grantId: string }>(
    'select grant_id as "grantId" from agent_gateway.oauth_consents where gateway_id = $1 and client_id = $2',
    [gatewayId, clientId],
  );
  return rows.map(({ grantId }) => grantId);
}

/** Of all gateways. */
export async function consentsOfUser(
  db: Queries,
  userId: string,
): Promise<Pick<Consent, 'gatewayId' | 'grantId' | 'createdAt'>[]> {
  return db.query<Row>(`select ${columns} from agent_gateway.oauth_consents where user_id = $1`, [userId]);
}

/** Of all gateways, in any order. */
export async function consentingUsers(db: Queries): Promise<string[]> {
  const rows = await db.query<{ userId: string }>(
    'select distinct user_id as "userId" from agent_gateway.oauth_consents',
  );
  return rows.map(({ userId }) => userId);
}
