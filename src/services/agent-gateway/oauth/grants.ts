/** Active grants: checked on each call with a token; all processes are notified when one ends. */
import type { Clock } from '#base/clock.ts';
import type { PlatformConfig } from '#base/config/platform.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { loadEach } from '#base/db/live-cache.ts';
import { openNotifiedCache } from '#base/db/notified-cache.ts';
import type { Logger } from '#base/log/log.ts';
import type { Identity } from '#identity/identity.ts';
import { consentingUsers, consentsOfUser, findConsent, type Consent } from './consent-store.ts';
import { deleteGrants, endedChannel } from './store.ts';

/** Revocations by other processes take effect within 5 seconds even if the notification is lost. */
const ttlMs = 4000;
const remembered = 10_000;

export interface Grants extends AsyncDisposable {
  /** The grant, if it is still active. */
  find(grantId: string): Promise<Consent | undefined>;
  /**
   * Revokes grants with all their tokens, immediately.
   * @param within done in the same transaction
   */
  end(gatewayId: string, grantIds: readonly string[], within?: (tx: Queries) => Promise<void>): Promise<void>;
  /** Users who have active grants. */
  users(): Promise<string[]>;
  /** Revokes grants of a user that are older than the user's last sign-out, or all grants if the user was deleted. */
  endOfUser(userId: string): Promise<void>;
  /** Calls back with the id of each grant that ends, in any process. */
  onEnded(listener: (grantId: string) => void): Disposable;
}

export interface GrantsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly identity: Pick<Identity, 'person'>;
  readonly config: Pick<PlatformConfig, 'database'>;
}

export async function openGrants(deps: GrantsDeps): Promise<Grants> {
  const { db, clock, log, identity, config } = deps;
  const listeners = new Set<(grantId: string) => void>();
  const alive = await openNotifiedCache<Consent>({
    db,
    log,
    channel: endedChannel,
    maxEntries: remembered,
    ttlMs,
    staleWhileUnavailableMs: config.database.staleSeconds * 1000,
    load: loadEach((grantId) => findConsent(db, grantId, new Date(clock.now()))),
    onChange(grantId) {
      if (grantId !== undefined) for (const listener of listeners) listener(grantId);
    },
  });

  const end: Grants['end'] = async (gatewayId, grantIds, within) => {
    await db.transaction(async (tx) => {
      await deleteGrants(tx, gatewayId, grantIds);
      await within?.(tx);
    });
    for (const grantId of grantIds) await alive.changed(grantId);
  };
  return {
    async find(grantId) {
      const found = await alive.get(grantId);
      return found !== undefined && found.expiresAt.getTime() > clock.now() ? found : undefined;
    },
    end,
    users: () => consentingUsers(db),
    async endOfUser(userId) {
      for (const { gatewayId, grantId, createdAt } of await consentsOfUser(db, userId))
        if ((await identity.person(userId, createdAt)) === undefined) await end(gatewayId, [grantId]);
    },
    onEnded(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    [Symbol.asyncDispose]: () => alive[Symbol.asyncDispose](),
  };
}
