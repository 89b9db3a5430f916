import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, invalid, notFound } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Changes } from '../changes.ts';
import {
  countApiKeys,
  deleteApiKey,
  endApiKey,
  hasExpired,
  insertApiKey,
  listApiKeys,
  lockApiKey,
  type ApiKey,
  type KeyScope,
  type KeyScopeOf,
} from './store.ts';

const prefixLength = 12;

/** `blwk_` and 32 random bytes. */
const newKey = () => `blwk_${randomBytes(32).toString('base64url')}`;

/** Whether a credential has the form of an API key, rather than a JWT. */
export const looksLikeApiKey = (credential: string): boolean => /^blwk_[\w-]{43}$/.test(credential);

/** The stored hash of a key; a fast hash suffices for 32 random bytes. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'base64url');

/** `key` is returned only once. */
interface MadeKey {
  readonly key: string;
  readonly kept: ApiKey;
}

export interface ApiKeys {
  list(
    scope: KeyScopeOf,
    page: { limit: number; offset: number },
  ): Promise<{ keys: ApiKey[]; total: number }>;
  create(
    userId: string,
    request: { name: string; scope: KeyScope; expiresAt: Date | undefined },
  ): Promise<MadeKey>;
  /**
   * Makes a key like the old one, which ends after `graceMs`.
   * @throws AppError 404 for an id that does not belong to this user, 409 if the key has expired
   */
  rotate(userId: string, id: string, graceMs: number): Promise<MadeKey>;
  /** Throws 404 for an id that is not in the scope. */
  delete(scope: KeyScopeOf, id: string): Promise<ApiKey>;
}

type Wanted = Pick<ApiKey, 'userId' | 'name' | 'scope' | 'expiresAt'>;

function makeKey(wanted: Wanted, now: number): MadeKey {
  const key = newKey();
  const kept = {
    ...wanted,
    id: newUuid(now),
    keyPrefix: key.slice(0, prefixLength),
    hash: hashOfKey(key),
    createdAt: new Date(now),
    lastUsedAt: null,
  };
  return { key, kept };
}

/** The end of a key that lives as long as the old one was made for. */
const endAfter = ({ expiresAt, createdAt }: ApiKey, now: number): Date | null =>
  expiresAt === null ? null : new Date(now + expiresAt.getTime() - createdAt.getTime());

export function createApiKeys({
  db,
  clock,
  changes,
}: {
  db: Database;
  clock: Clock;
  changes: Changes;
}): ApiKeys {
  return {
    async list(scope, page) {
      return { keys: await listApiKeys(db, scope, page), total: await countApiKeys(db, scope) };
    },
    async create(userId, { name, scope, expiresAt }) {
      if (expiresAt !== undefined && expiresAt.getTime() <= clock.now())
        throw invalid("'expires_at' must be in the future; leave it out for a key that does not expire.");
      const made = makeKey({ userId, name, scope, expiresAt: expiresAt ?? null }, clock.now());
      await insertApiKey(db, made.kept);
      return made;
    },
    async rotate(userId, id, graceMs) {
      const now = clock.now();
      const { old, made } = await db.transaction(async (tx) => {
        const found = await lockApiKey(tx, userId, id);
        if (found === undefined) throw notFound('The API key');
        if (hasExpired(found, now))
          throw conflict('The API key has expired: make a new one with POST /api/api-keys.');
        const { name, scope } = found;
        const next = makeKey({ userId, name, scope, expiresAt: endAfter(found, now) }, now);
        await insertApiKey(tx, next.kept);
        await endApiKey(tx, found.id, new Date(now + graceMs));
        return { old: found, made: next };
      });
      await changes.announce({ kind: 'key', id: old.id, hash: old.hash });
      return made;
    },
    async delete(scope, id) {
      const deleted = await deleteApiKey(db, scope, id);
      if (deleted === undefined) throw notFound('The API key');
      await changes.announce({ kind: 'key', id: deleted.id, hash: deleted.hash });
      return deleted;
    },
  };
}
