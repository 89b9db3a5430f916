import type { Queries } from '#base/db/database.ts';
import { isUuid } from '#base/ids.ts';
import type { keyScopes } from '../contract/api-keys.ts';

/** What a key is good for; see the contract. */
export type KeyScope = (typeof keyScopes)[number];

export type ApiKey = {
  id: string;
  userId: string;
  name: string;
  keyPrefix: string;
  hash: string;
  scope: KeyScope;
  expiresAt: Date | null;
  createdAt: Date;
};

const columns = `id, user_id as "userId", name, key_prefix as "keyPrefix", hash, scope,
  expires_at as "expiresAt", created_at as "createdAt"`;

export async function insertApiKey(db: Queries, key: ApiKey): Promise<void> {
  await db.query(
    `insert into identity.api_keys (id, user_id, name, key_prefix, hash, scope, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [key.id, key.userId, key.name, key.keyPrefix, key.hash, key.scope, key.expiresAt, key.createdAt],
  );
}

export async function findApiKeyByHash(db: Queries, hash: string): Promise<ApiKey | undefined> {
  const [row] = await db.query<ApiKey>(`select ${columns} from identity.api_keys where hash = $1`, [hash]);
  return row;
}

export async function findApiKey(db: Queries, id: string): Promise<ApiKey | undefined> {
  const [row] = await db.query<ApiKey>(`select ${columns} from identity.api_keys where id = $1`, [id]);
  return row;
}

/** Oldest first. */
export const listApiKeys = (
  db: Queries,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ApiKey[]> =>
  db.query<ApiKey>(
    `select ${columns} from identity.api_keys where user_id = $1 order by created_at, id limit $2 offset $3`,
    [userId, limit, offset],
  );

export async function countApiKeys(db: Queries, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from identity.api_keys where user_id = $1',
    [userId],
  );
  return row?.count ?? 0;
}

/** Returns the deleted key, or undefined if the user has no such key. */
export async function deleteApiKey(db: Queries, userId: string, id: string): Promise<ApiKey | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await db.query<ApiKey>(
    `delete from identity.api_keys where id = $1 and user_id = $2 returning ${columns}`,
    [id, userId],
  );
  return row;
}
