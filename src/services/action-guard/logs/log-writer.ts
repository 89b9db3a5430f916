import { BatchWriter } from '#base/db/batch-writer.ts';
import { AppError, unavailable } from '#base/errors.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { NewLogEntry } from './log-entry.ts';

export interface LogWriter extends AsyncDisposable {
  /**
   * Resolves once the entry is durable.
   * @throws AppError 503 if it cannot be written or the queue is full
   */
  write(entry: NewLogEntry): Promise<void>;
  /**
   * Queues the entry without waiting. It is written in a batch shortly afterwards, and lost if the process is killed
   * before. Entries that cannot be written are logged.
   * @throws AppError 503 if the queue is full
   */
  writeBehind(entry: NewLogEntry): void;
}

export function createLogWriter(
  insert: (entries: readonly NewLogEntry[]) => Promise<void>,
  log: Logger,
  metrics?: Metrics,
): LogWriter {
  const writer = new BatchWriter<NewLogEntry>({
    write: insert,
    maxBatch: 500,
    gatherMs: 250,
    maxWaiting: 20_000,
    attempts: 5,
    onLost(entries, err) {
      // The log line keeps the content of the lost entries.
      for (const entry of entries) log.error({ err, entry }, 'an evaluation’s log entry cannot be written');
    },
    metrics: metrics?.writer('action_logs'),
  });
  return {
    async write(entry) {
      try {
        await writer.write(entry);
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw unavailable('The log entry cannot be written, so the verdict is withheld. Try again.', error);
      }
    },
    writeBehind(entry) {
      if (!writer.writeBehind(entry))
        throw unavailable('Too many verdicts wait for their log entry. Try again shortly.');
    },
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}
