/** When a key was last used: noted in memory, written behind in batches, for each key at most once a minute. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import { BatchWriter } from '#base/db/batch-writer.ts';
import type { Queries } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';
import { saveKeyUses, type KeyUse } from './store.ts';

export interface KeyUses extends AsyncDisposable {
  /** Costs no query and never fails. */
  note(keyId: string): void;
}

const everyMs = 60_000;
/** Keys whose last note is remembered; a key beyond them is written more often. */
const mostKeys = 10_000;
const gatherMs = 1000;
const maxBatch = 500;
const maxWaiting = 10_000;

export function openKeyUses({ db, clock, log }: { db: Queries; clock: Clock; log: Logger }): KeyUses {
  const noted = new LRUCache<string, number>({ max: mostKeys });
  const writer = new BatchWriter<KeyUse>({
    write: (uses) => saveKeyUses(db, uses),
    gatherMs,
    maxBatch,
    maxWaiting,
    onLost: (uses, error) =>
      log.warn({ err: error, keys: uses.length }, 'the last use of keys was not stored'),
  });
  return {
    note(id) {
      const now = clock.now();
      const last = noted.get(id);
      if (last !== undefined && Math.abs(now - last) < everyMs) return;
      noted.set(id, now);
      writer.writeBehind({ id, at: new Date(now) });
    },
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}
