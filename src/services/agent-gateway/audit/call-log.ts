import { BatchWriter } from '#base/db/batch-writer.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { CallEntry } from './entry.ts';

/**
 * The audit log of calls. A call is answered when its entry is committed; entries that arrive while others are written
 * are written together.
 */
export interface CallLog extends AsyncDisposable {
  /**
   * Resolves when the entry is durable. While the database is unavailable the call has run already, so it is answered
   * all the same: the entry is retried, and goes to the process's log if that fails too.
   */
  write(entry: CallEntry): Promise<void> | undefined;
  /** Resolves when all queued entries are written. */
  flush(): Promise<void>;
}

export function createCallLog(
  insert: (entries: readonly CallEntry[]) => Promise<void>,
  log: Logger,
  metrics?: Metrics,
): CallLog {
  const writer = new BatchWriter<CallEntry>({
    write: insert,
    maxBatch: 500,
    gatherMs: 100,
    maxWaiting: 10_000,
    attempts: 5,
    onLost(entries, err) {
      // The log line keeps the content of the lost entries.
      for (const entry of entries) log.error({ err, entry }, 'an entry of the audit log cannot be written');
    },
    metrics: metrics?.writer('calls'),
  });
  return {
    async write(entry) {
      try {
        await writer.write(entry);
      } catch {
        await writer.writeBehindWithRoom(entry);
      }
    },
    flush: () => writer.flush(),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}
