import type { Logger } from '../log/log.ts';
import { openChanges, type Changes } from './changes.ts';
import type { Database } from './database.ts';
import { LiveCache, type LiveCacheOptions } from './live-cache.ts';

export interface ToldCacheOptions<V> extends LiveCacheOptions<V> {
  readonly db: Database;
  readonly log: Logger;
  /** Channel whose notifications are keys. */
  readonly channel: string;
  /** Replaces `ttlMs` while notifications are not being received; default: the same. */
  readonly deafTtlMs?: number;
  /** Called for each change with its key, and without one if notifications may have been missed. */
  readonly onChange?: (key: string | undefined) => void;
}

/** A {@link LiveCache} invalidated by notifications: by key, or entirely after a reconnect. */
export interface ToldCache<V> extends AsyncDisposable {
  /** See {@link LiveCache.get}. */
  get: LiveCache<V>['get'];
  /** See {@link LiveCache.getMany}. */
  getMany: LiveCache<V>['getMany'];
  /** Use when the transaction of the change notifies the other processes itself. */
  forget(key: string): void;
  /** Use after a commit: invalidates here at once, in the other processes soon. */
  changed(key: string): Promise<void>;
}

export async function openToldCache<V>(options: ToldCacheOptions<V>): Promise<ToldCache<V>> {
  const { db, log, channel, ttlMs, deafTtlMs, onChange } = options;
  const ownTtlMs = () => (typeof ttlMs === 'number' ? ttlMs : ttlMs());
  // Placeholder until the subscription is open.
  const told: { changes: Pick<Changes, 'hears'> } = { changes: { hears: () => false } };
  const cache = new LiveCache<V>({
    ...options,
    ttlMs: () => (deafTtlMs !== undefined && !told.changes.hears() ? deafTtlMs : ownTtlMs()),
  });
  const changes = await openChanges({
    db,
    log,
    channel,
    onChange(key) {
      cache.forget(key);
      onChange?.(key);
    },
    onGap() {
      cache.forgetAll();
      onChange?.(undefined);
    },
  });
  told.changes = changes;
  return {
    get: (key) => cache.get(key),
    getMany: (keys) => cache.getMany(keys),
    forget: (key) => cache.forget(key),
    changed: (key) => changes.announce(key),
    [Symbol.asyncDispose]: () => changes[Symbol.asyncDispose](),
  };
}
