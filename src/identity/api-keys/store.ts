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
  lastUsedAt: Date | null;
};

export const hasExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt.getTime() <= now;

const columns = `id, user_id as "userId", name, key_prefix as "keyPrefix", hash, scope,
  expires_at as "expiresAt", created_at as "createdAt", last_used_at as "lastUsedAt"`;

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
  if (!isUuid(id)) return undefined;
  const [row] = await db.query<ApiKey>(`select ${columns} from identity.api_keys where id = $1`, [id]);
  return row;
}

/** Whose keys: those of one user, or all of a tenant. */
export type KeyScopeOf = { readonly userId: string } | { readonly tenantId: string };

const ofScope = (scope: KeyScopeOf): [condition: string, id: string] =>
  'userId' in scope
    ? ['user_id = $1', scope.userId]
    : [
        'user_id in (select id from identity.users where tenant_id = $1 and deleted_at is null)',
        scope.tenantId,
      ];

/** Oldest first. */
export function listApiKeys(
  db: Queries,
  scope: KeyScopeOf,
  { limit, offset }: { limit: number; offset: number },
): Promise<ApiKey[]> {
  const [condition, id] = ofScope(scope);
  return db.query<ApiKey>(
    `select ${columns} from identity.api_keys where ${condition} order by created_at, id limit $2 offset $3`,
    [id, limit, offset],
  );
}

export async function countApiKeys(db: Queries, scope: KeyScopeOf): Promise<number> {
  const [condition, id] = ofScope(scope);
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from identity.api_keys where ${condition}`,
    [id],
  );
  return row?.count ?? 0;
}

/** Returns the deleted key, or undefined if there is no such key in the scope. */
export async function deleteApiKey(db: Queries, scope: KeyScopeOf, id: string): Promise<ApiKey | undefined> {
  if (!isUuid(id)) return undefined;
  const [condition, of] = ofScope(scope);
  const [row] = await db.query<ApiKey>(
    `delete from identity.api_keys where ${condition} and id = $2 returning ${columns}`,
    [of, id],
  );
  return row;
}

/** Locks the user's key until the transaction ends. */
export async function lockApiKey(db: Queries, userId: string, id: string): Promise<ApiKey | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await db.query<ApiKey>(
    `select ${columns} from identity.api_keys where id = $1 and user_id = $2 for update`,
    [id, userId],
  );
  return row;
}

/** Ends a key at that time, unless it ends earlier; returns when it does. */
export async function endApiKey(db: Queries, id: string, at: Date): Promise<Date> {
  const [row] = await db.query<{ expiresAt: Date }>(
    `update identity.api_keys set expires_at = least(expires_at, $2) where id = $1
      returning expires_at as "expiresAt"`,
    [id, at],
  );
  return row?.expiresAt ?? at;
}

export interface KeyUse {
  readonly id: string;
  readonly at: Date;
}

/** The latest of each key counts. */
export async function saveKeyUses(db: Queries, uses: readonly KeyUse[]): Promise<void> {
  await db.query(
    `update identity.api_keys k set last_used_at = greatest(k.last_used_at, u.at)
      from (select id, max(at) as at from unnest($1::uuid[], $2::timestamptz[]) as each(id, at) group by id) u
      where k.id = u.id`,
    [uses.map(({ id }) => id), uses.map(({ at }) => at)],
  );
}
