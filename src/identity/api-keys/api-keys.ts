import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, invalid, notFound } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Asking, Audit } from '../audit/audit.ts';
import { resourceEvent } from '../audit/resource-event.ts';
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
    asking: Asking,
    wanted: { name: string; scope: KeyScope; expiresAt: Date | undefined },
  ): Promise<MadeKey>;
  /**
   * Makes a key like the old one, which ends after `graceMs`.
   * @throws AppError 404 for an id that does not belong to the caller, 409 if the key has expired
   */
  rotate(asking: Asking, id: string, graceMs: number): Promise<MadeKey>;
  /** Throws 404 for an id that is not in the scope. */
  delete(asking: Asking, scope: KeyScopeOf, id: string): Promise<ApiKey>;
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

/** Not the key, nor a part of it. */
const auditedFields = ({ name, scope, expiresAt }: ApiKey) => ({ name, scope, expiresAt });

export function createApiKeys({
  db,
  clock,
  changes,
  audit,
}: {
  db: Database;
  clock: Clock;
  changes: Changes;
  audit: Audit;
}): ApiKeys {
  return {
    async list(scope, page) {
      return { keys: await listApiKeys(db, scope, page), total: await countApiKeys(db, scope) };
    },
    async create(asking, { name, scope, expiresAt }) {
      const { userId } = asking.caller;
      if (expiresAt !== undefined && expiresAt.getTime() <= clock.now())
        throw invalid("'expires_at' must be in the future; leave it out for a key that does not expire.");
      const made = makeKey({ userId, name, scope, expiresAt: expiresAt ?? null }, clock.now());
      await db.transaction(async (tx) => {
        await insertApiKey(tx, made.kept);
        const { id } = made.kept;
        const after = auditedFields(made.kept);
        await audit(resourceEvent('api_key_created', asking, { id, name, after }), tx);
      });
      return made;
    },
    async rotate(asking, id, graceMs) {
      const { userId } = asking.caller;
      const now = clock.now();
      const { old, made } = await db.transaction(async (tx) => {
        const found = await lockApiKey(tx, userId, id);
        if (found === undefined) throw notFound('The API key');
        if (hasExpired(found, now))
          throw conflict('The API key has expired: make a new one with POST /api/api-keys.');
        const { name, scope } = found;
        const next = makeKey({ userId, name, scope, expiresAt: endAfter(found, now) }, now);
        await insertApiKey(tx, next.kept);
        const expiresAt = await endApiKey(tx, found.id, new Date(now + graceMs));
        const changed = {
          id,
          name,
          before: auditedFields(found),
          after: auditedFields({ ...found, expiresAt }),
          more: { new_key_id: next.kept.id },
        };
        await audit(resourceEvent('api_key_rotated', asking, changed), tx);
        return { old: found, made: next };
      });
      await changes.announce({ kind: 'key', id: old.id, hash: old.hash });
      return made;
    },
    async delete(asking, scope, id) {
      const deleted = await db.transaction(async (tx) => {
        const gone = await deleteApiKey(tx, scope, id);
        if (gone === undefined) throw notFound('The API key');
        const { name, userId } = gone;
        const isOwn = userId === asking.caller.userId;
        const more = isOwn ? {} : { owner_id: userId };
        const before = auditedFields(gone);
        await audit(resourceEvent('api_key_deleted', asking, { id, name, before, more }), tx);
        return gone;
      });
      await changes.announce({ kind: 'key', id: deleted.id, hash: deleted.hash });
      return deleted;
    },
  };
}
