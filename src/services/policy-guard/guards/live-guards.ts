import { LRUCache } from 'lru-cache';
import type { Logger } from '#base/log/log.ts';
import type { Guard } from './guard.ts';
import type { GuardStore } from './store.ts';

/** A change in another process is seen after this long at the latest, were its notification lost. */
const ttlMs = 1000;
const maxGuards = 10_000;

/** Guards as evaluation sees them: read from the database once, then from memory until they change. */
export interface LiveGuards extends AsyncDisposable {
  /** Undefined where there is none, or only one of another tenant. */
  find(tenantId: string, guardUuid: string): Promise<Guard | undefined>;
  /** Forgets the guard here at once, and in the other processes soon. */
  changed(guardUuid: string): Promise<void>;
}

export async function openLiveGuards(store: GuardStore, log: Logger): Promise<LiveGuards> {
  // Promises, so that calls at the same moment share one query. A guard that changes while it is being read is
  // forgotten with its promise: the old state cannot come back.
  const guards = new LRUCache<string, Promise<Guard | undefined>>({ max: maxGuards, ttl: ttlMs });
  const listening = await store.onChange(
    (guardUuid) => guards.delete(guardUuid),
    () => guards.clear(),
  );

  function load(guardUuid: string): Promise<Guard | undefined> {
    const loading = store.findGuard(guardUuid);
    guards.set(guardUuid, loading);
    loading.catch(() => {
      if (guards.peek(guardUuid) === loading) guards.delete(guardUuid);
    });
    return loading;
  }

  return {
    async find(tenantId, guardUuid) {
      const guard = await (guards.get(guardUuid) ?? load(guardUuid));
      return guard?.tenantId === tenantId ? guard : undefined;
    },
    async changed(guardUuid) {
      guards.delete(guardUuid);
      // The write is done and must be answered as done; the others catch up within the lifetime.
      await store.announceChange(guardUuid).catch((error: unknown) => {
        log.warn({ err: error }, 'other processes were not told of a changed guard');
      });
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
