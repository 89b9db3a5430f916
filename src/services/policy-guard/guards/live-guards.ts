import { openValueCache, type ValueCacheOptions } from '#base/db/notified-cache.ts';
import type { Guard } from './guard.ts';
import { changedChannel, findGuard } from './store.ts';

const maxGuards = 10_000;

/** Guards for evaluation, cached in memory until they change. */
export interface LiveGuards extends AsyncDisposable {
  /** Undefined where there is none, or only one of another tenant. */
  find(tenantId: string, guardUuid: string): Promise<Guard | undefined>;
  /** Invalidates the guard: here at once, in other processes soon. */
  changed(guardUuid: string): Promise<void>;
}

export async function openLiveGuards(options: ValueCacheOptions): Promise<LiveGuards> {
  const guards = await openValueCache<Guard>(options, {
    channel: changedChannel,
    maxEntries: maxGuards,
    load: (guardUuid) => findGuard(options.db, guardUuid),
  });
  return {
    async find(tenantId, guardUuid) {
      const found = guards.get(guardUuid);
      const guard = found instanceof Promise ? await found : found;
      return guard?.tenantId === tenantId ? guard : undefined;
    },
    changed: (guardUuid) => guards.changed(guardUuid),
    [Symbol.asyncDispose]: () => guards[Symbol.asyncDispose](),
  };
}
