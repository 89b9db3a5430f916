import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { invalid, notFound } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Changes } from '../changes.ts';
import {
  countApiKeys,
  deleteApiKey,
  insertApiKey,
  listApiKeys,
  type ApiKey,
  type KeyScope,
} from './store.ts';

const prefixLength = 12;

/** `blwk_` and 32 random bytes. */
const newKey = () => `blwk_${randomBytes(32).toString('base64url')}`;

/** Whether a credential has the form of an API key, rather than a JWT. */
export const looksLikeApiKey = (credential: string): boolean => /^blwk_[\w-]{43}$/.test(credential);

/** The stored hash of a key; a fast hash suffices for 32 random bytes. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'base64url');

export interface ApiKeys {
  list(userId: string, page: { limit: number; offset: number }): Promise<{ keys: ApiKey[]; total: number }>;
  /** `key` is returned only here. */
  create(
    userId: string,
    request: { name: string; scope: KeyScope; expiresAt: Date | undefined },
  ): Promise<{ key: string; kept: ApiKey }>;
  /** Throws 404 for an id that does not belong to this user. */
  delete(userId: string, id: string): Promise<ApiKey>;
}

export function createApiKeys({
  db,
  clock,
  changes,
}: {
  db: Queries;
  clock: Clock;
  changes: Changes;
}): ApiKeys {
  return {
    async list(userId, page) {
      return { keys: await listApiKeys(db, userId, page), total: await countApiKeys(db, userId) };
    },
    async create(userId, { name, scope, expiresAt }) {
      if (expiresAt !== undefined && expiresAt.getTime() <= clock.now())
        throw invalid("'expires_at' must be in the future; leave it out for a key that does not expire.");
      const key = newKey();
      const kept: ApiKey = {
        id: newUuid(clock.now()),
        userId,
        name,
        keyPrefix: key.slice(0, prefixLength),
        hash: hashOfKey(key),
        scope,
        expiresAt: expiresAt ?? null,
        createdAt: new Date(clock.now()),
      };
      await insertApiKey(db, kept);
      return { key, kept };
    },
    async delete(userId, id) {
      const deleted = await deleteApiKey(db, userId, id);
      if (deleted === undefined) throw notFound('The API key');
      await changes.announce({ kind: 'key', id: deleted.id, hash: deleted.hash });
      return deleted;
    },
  };
}
