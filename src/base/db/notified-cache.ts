import type { Logger } from '../log/log.ts';
import { openChanges, type Changes } from './changes.ts';
import type { Database } from './database.ts';
import { LiveCache, type LiveCacheOptions, loadEach } from './live-cache.ts';

export interface NotifiedCacheOptions<V> extends LiveCacheOptions<V> {
  readonly db: Database;
  readonly log: Logger;
  /** Channel whose notifications are keys. */
  readonly channel: string;
  /** Replaces `ttlMs` while notifications are not being received; default: the same. */
  readonly disconnectedTtlMs?: number;
  /** Called for each change with its key, and without one if notifications may have been missed. */
  readonly onChange?: (key: string | undefined) => void;
}

/** A {@link LiveCache} invalidated by notifications: by key, or entirely after a reconnect. */
export interface NotifiedCache<V> extends AsyncDisposable {
  /** See {@link LiveCache.get}. */
  get: LiveCache<V>['get'];
  /** See {@link LiveCache.getMany}. */
  getMany: LiveCache<V>['getMany'];
  /** Use when the transaction of the change notifies the other processes itself. */
  forget(key: string): void;
  /** Use after a commit: invalidates here at once, in the other processes soon. */
  changed(key: string): Promise<void>;
}

export async function openNotifiedCache<V>(options: NotifiedCacheOptions<V>): Promise<NotifiedCache<V>> {
  const { db, log, channel, ttlMs, disconnectedTtlMs, onChange } = options;
  const ownTtlMs = () => (typeof ttlMs === 'number' ? ttlMs : ttlMs());
  // Placeholder until the subscription is open.
  const subscription: { current: Pick<Changes, 'isConnected'> } = { current: { isConnected: () => false } };
  const cache = new LiveCache<V>({
    ...options,
    ttlMs: () =>
      disconnectedTtlMs !== undefined && !subscription.current.isConnected() ? disconnectedTtlMs : ownTtlMs(),
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
  subscription.current = changes;
  return {
    get: (key) => cache.get(key),
    getMany: (keys) => cache.getMany(keys),
    forget: (key) => cache.forget(key),
    changed: (key) => changes.announce(key),
    [Symbol.asyncDispose]: () => changes[Symbol.asyncDispose](),
  };
}

export interface ValueCacheOptions {
  readonly db: Database;
  readonly log: Logger;
  /** See {@link LiveCacheOptions.staleWhileUnavailableMs}. */
  readonly staleMs?: number;
}

/** How long a change in another process may go unnoticed if its notification is lost. */
const valueTtlMs = 1000;

/** A {@link NotifiedCache} whose values are read one at a time. */
export const openValueCache = <V>(
  { db, log, staleMs = 0 }: ValueCacheOptions,
  values: {
    readonly channel: string;
    readonly maxEntries: number;
    readonly load: (key: string) => Promise<V | undefined>;
  },
): Promise<NotifiedCache<V>> =>
  openNotifiedCache<V>({
    db,
    log,
    channel: values.channel,
    maxEntries: values.maxEntries,
    ttlMs: valueTtlMs,
    staleWhileUnavailableMs: staleMs,
    load: loadEach(values.load),
  });
