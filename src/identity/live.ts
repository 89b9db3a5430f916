import type { Database } from '#base/db/database.ts';
import { LiveCache, loadEach } from '#base/db/live-cache.ts';
import type { Logger } from '#base/log/log.ts';
import { findApiKeyByHash, type ApiKey } from './api-keys/store.ts';
import { openIdentityChanges, type Change, type Changes } from './changes.ts';
import { findUser, type User } from './users/store.ts';

/** Another process's change takes effect within 5 seconds, even if its notification is lost. */
const ttlMs = 4000;
const maxEntries = 10_000;

/** Cached users and API keys, at most seconds old. */
export interface Live {
  /** By id; none for a user who is deleted or disabled. */
  users: LiveCache<User>;
  /** By hash. */
  keys: LiveCache<ApiKey>;
  changes: Changes;
  /** Called when a user or a key has changed, and without one when changes may have been missed. */
  onChange(listener: Listener): Disposable;
}

export type Listener = (change: Change | undefined) => void;

export interface LiveSettings {
  readonly db: Database;
  readonly log: Logger;
  /** While the database is unavailable, cached users and keys stay valid for this long, unless invalidated. */
  readonly staleMs: number;
}

/** Authentication waits longer than other reads before it falls back to cached data. */
const patienceMs = 2000;

export async function createLive({ db, log, staleMs }: LiveSettings): Promise<Live> {
  const stale = { staleWhileUnavailableMs: staleMs, patienceMs };
  const users = new LiveCache<User>({
    ...stale,
    maxEntries,
    ttlMs,
    load: loadEach(async (id) => {
      const user = await findUser(db, id);
      return user?.disabledAt === null ? user : undefined;
    }),
  });
  const keys = new LiveCache<ApiKey>({
    ...stale,
    maxEntries,
    ttlMs,
    load: loadEach((hash) => findApiKeyByHash(db, hash)),
  });
  const listeners = new Set<Listener>();
  const tell: Listener = (change) => {
    for (const listener of listeners) listener(change);
  };
  const changes = await openIdentityChanges(
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
