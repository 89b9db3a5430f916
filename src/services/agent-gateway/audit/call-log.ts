import { BatchWriter } from '#base/db/batch-writer.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { CallEntry } from './entry.ts';

/** The audit log, written behind the calls: a call does not wait for its entry unless too many are waiting. */
export interface CallLog extends AsyncDisposable {
  /** Takes the entry at once, or when there is room again. */
  write(entry: CallEntry): Promise<void> | undefined;
  /** Resolves once all entries so far are written. */
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
      // The log line is what is left of it.
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
