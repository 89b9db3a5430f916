import { BatchWriter } from '#base/db/batch-writer.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { CallEntry } from './entry.ts';

/**
 * The audit log of calls. Entries are written in the background; a call waits for its entry only if too many are
 * queued.
 */
export interface CallLog extends AsyncDisposable {
  /** Queues the entry; waits if the queue is full. */
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
    write: (entry) => writer.writeBehindWithRoom(entry),
    flush: () => writer.flush(),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}
