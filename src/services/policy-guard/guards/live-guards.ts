import type { Database } from '#base/db/database.ts';
import { loadEach } from '#base/db/live-cache.ts';
import { openToldCache } from '#base/db/told-cache.ts';
import type { Logger } from '#base/log/log.ts';
import type { Guard } from './guard.ts';
import { changedChannel, findGuard } from './store.ts';

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

export async function openLiveGuards({
  db,
  log,
  staleMs = 0,
}: {
  db: Database;
  log: Logger;
  staleMs?: number;
}): Promise<LiveGuards> {
  const guards = await openToldCache<Guard>({
    db,
    log,
    channel: changedChannel,
    maxEntries: maxGuards,
    ttlMs,
    staleWhileUnavailableMs: staleMs,
    load: loadEach((guardUuid) => findGuard(db, guardUuid)),
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
