import type { Database } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';
import { findApiKeyByHash, type ApiKey } from './api-keys/store.ts';
import { createChanges, type Changes } from './changes.ts';
import { freshCache, type FreshCache } from './fresh-cache.ts';
import { findUser, type User } from './users/store.ts';

/** Another process's change counts within 5 seconds, even when its notification is lost. */
const ttlMs = 4000;
const maxEntries = 10_000;

/** Users and API keys as they are now, or were seconds ago, without a query for each request. */
export interface Live {
  /** By id; none for a user who is deleted or disabled. */
  users: FreshCache<User>;
  /** By hash. */
  keys: FreshCache<ApiKey>;
  changes: Changes;
}

export async function createLive({ db, log }: { db: Database; log: Logger }): Promise<Live> {
  const users = freshCache({
    maxEntries,
    ttlMs,
    load: async (id) => {
      const user = await findUser(db, id);
      return user?.disabledAt === null ? user : undefined;
    },
  });
  const keys = freshCache({ maxEntries, ttlMs, load: (hash) => findApiKeyByHash(db, hash) });
  const changes = await createChanges(
    { db, log },
    ({ kind, id }) => (kind === 'user' ? users : keys).forget(id),
    () => {
      users.forgetAll();
      keys.forgetAll();
    },
  );
  return { users, keys, changes };
}
