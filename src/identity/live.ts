import type { Database } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';
import { findApiKeyByHash, type ApiKey } from './api-keys/store.ts';
import { createChanges, type Change, type Changes } from './changes.ts';
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
  /** Called when a user or a key has changed, and without one when changes may have been missed. */
  onChange(listener: Listener): Disposable;
}

export type Listener = (change: Change | undefined) => void;

export interface LiveSettings {
  readonly db: Database;
  readonly log: Logger;
  /** While the database does not answer, who was seen is good for so long, unless they were heard to have changed. */
  readonly staleMs: number;
}

export async function createLive({ db, log, staleMs }: LiveSettings): Promise<Live> {
  const users = freshCache({
    maxEntries,
    ttlMs,
    staleMs,
    load: async (id) => {
      const user = await findUser(db, id);
      return user?.disabledAt === null ? user : undefined;
    },
  });
  const keys = freshCache({ maxEntries, ttlMs, staleMs, load: (hash) => findApiKeyByHash(db, hash) });
  const listeners = new Set<Listener>();
  const tell: Listener = (change) => {
    for (const listener of listeners) listener(change);
  };
  const changes = await createChanges(
    { db, log },
    (change) => {
      if (change.kind === 'user') users.forget(change.id);
      else keys.forget(change.hash);
      tell(change);
    },
    () => {
      users.forgetAll();
      keys.forgetAll();
      tell(undefined);
    },
  );
  return {
    users,
    keys,
    changes,
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}
