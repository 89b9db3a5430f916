import type { Queries } from '#base/db/database.ts';

/** Notification channel; the payload is the id of a revoked grant. */
export const endedChannel = 'agent_gateway_oauth_ended';

export type StoredRecord = {
  payload: Buffer;
  consumedAt: Date | null;
  grantId: string | null;
  idHash: string;
};

export interface NewRecord {
  gatewayId: string;
  kind: string;
  idHash: string;
  payload: Buffer;
  uidHash: string | null;
  grantId: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** Inserts or updates the record; a consumed record stays consumed. */
export async function putRecord(db: Queries, record: NewRecord): Promise<void> {
  await db.query(
    `insert into agent_gateway.oauth_records
       (gateway_id, kind, id_hash, payload, uid_hash, grant_id, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (gateway_id, kind, id_hash) do update
       set payload = excluded.payload, uid_hash = excluded.uid_hash, grant_id = excluded.grant_id,
         expires_at = excluded.expires_at`,
    [
      record.gatewayId,
      record.kind,
      record.idHash,
      record.payload,
      record.uidHash,
      record.grantId,
      record.createdAt,
      record.expiresAt,
    ],
  );
}

const columns = `payload, consumed_at as "consumedAt", grant_id as "grantId", id_hash as "idHash"`;

/** Expired records are not found. */
export async function findRecord(
  db: Queries,
  key: { gatewayId: string; kind: string; idHash: string },
  now: Date,
): Promise<StoredRecord | undefined> {
  const [row] = await db.query<StoredRecord>(
    `select ${columns} from agent_gateway.oauth_records
      where gateway_id = $1 and kind = $2 and id_hash = $3 and expires_at > $4`,
    [key.gatewayId, key.kind, key.idHash, now],
  );
  return row;
}

export async function findRecordByUid(
  db: Queries,
  key: { gatewayId: string; kind: string; uidHash: string },
  now: Date,
): Promise<StoredRecord | undefined> {
  const [row] = await db.query<StoredRecord>(
    `select ${columns} from agent_gateway.oauth_records
      where gateway_id = $1 and kind = $2 and uid_hash = $3 and expires_at > $4`,
    [key.gatewayId, key.kind, key.uidHash, now],
  );
  return row;
}

/** True for the one call that consumed it, if several do so concurrently. */
export async function consumeRecord(
  db: Queries,
  key: { gatewayId: string; kind: string; idHash: string },
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `update agent_gateway.oauth_records set consumed_at = $4
      where gateway_id = $1 and kind = $2 and id_hash = $3 and consumed_at is null returning 1 as consumed`,
    [key.gatewayId, key.kind, key.idHash, now],
  );
  return rows.length > 0;
}

/** Deletes the record and returns its payload, to one of several concurrent calls. */
export async function takeRecord(
  db: Queries,
  key: { gatewayId: string; kind: string; idHash: string },
  now: Date,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ payload: Buffer }>(
    `delete from agent_gateway.oauth_records
      where gateway_id = $1 and kind = $2 and id_hash = $3 and expires_at > $4 returning payload`,
    [key.gatewayId, key.kind, key.idHash, now],
  );
  return row?.payload;
}

export async function deleteRecord(
  db: Queries,
  key: { gatewayId: string; kind: string; idHash: string },
): Promise<string | null> {
  const [row] = await db.query<{ grantId: string | null }>(
    `delete from agent_gateway.oauth_records where gateway_id = $1 and kind = $2 and id_hash = $3
      returning grant_id as "grantId"`,
    [key.gatewayId, key.kind, key.idHash],
  );
  return row?.grantId ?? null;
}

/** Deletes the grant with its codes and tokens. */
export async function deleteGrants(
  db: Queries,
  gatewayId: string,
  grantIds: readonly string[],
): Promise<void> {
  await db.query('delete from agent_gateway.oauth_records where gateway_id = $1 and grant_id = any($2)', [
    gatewayId,
    grantIds,
  ]);
  await db.query('delete from agent_gateway.oauth_consents where gateway_id = $1 and grant_id = any($2)', [
    gatewayId,
    grantIds,
  ]);
}

/** Deletes expired records of all gateways. */
export async function deleteExpired(db: Queries, now: Date): Promise<void> {
  await db.query('delete from agent_gateway.oauth_records where expires_at <= $1', [now]);
  await db.query('delete from agent_gateway.oauth_consents where expires_at <= $1', [now]);
}
