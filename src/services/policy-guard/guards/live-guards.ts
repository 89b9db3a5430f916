import type { Logger } from '#base/log/log.ts';
import { freshCache } from '#identity/fresh-cache.ts';
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

export interface LiveGuardSettings {
  /** While the database does not answer, a guard is as it was read for so long, unless it was heard to have changed. */
  readonly staleMs?: number;
}

export async function openLiveGuards(
  store: GuardStore,
  log: Logger,
  { staleMs = 0 }: LiveGuardSettings = {},
): Promise<LiveGuards> {
  const guards = freshCache({
    maxEntries: maxGuards,
    ttlMs,
    staleMs,
    load: (guardUuid) => store.findGuard(guardUuid),
  });
  const listening = await store.onChange(
    (guardUuid) => guards.forget(guardUuid),
    () => guards.forgetAll(),
  );
  return {
    async find(tenantId, guardUuid) {
      const guard = await guards.get(guardUuid);
      return guard?.tenantId === tenantId ? guard : undefined;
    },
    async changed(guardUuid) {
      guards.forget(guardUuid);
      // The write is done and must be answered as done; the others catch up within the lifetime.
      await store.announceChange(guardUuid).catch((error: unknown) => {
        log.warn({ err: error }, 'other processes were not told of a changed guard');
      });
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
