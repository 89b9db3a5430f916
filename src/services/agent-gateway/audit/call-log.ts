import { BatchWriter } from '#base/db/batch-writer.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import type { CallEntry } from './entry.ts';
import type { Journal } from './journal.ts';

/**
 * The audit log of calls. A call is answered when its entry survives the end of this process: it is committed, together
 * with those that arrived while others were written, or in a journal beside an embedded database.
 */
export interface CallLog extends AsyncDisposable {
  /**
   * Undefined if the entry is durable at once; otherwise resolves when it is. While the database is unavailable the call
   * has run already, so it is answered all the same: the entry is retried, and goes to the process's log if that fails
   * too.
   */
  write(entry: CallEntry): Promise<void> | undefined;
  /** Resolves when all queued entries are in the database, or postponed because it is unavailable. */
  flush(): Promise<void>;
}

export interface CallLogDeps {
  readonly insert: (entries: readonly CallEntry[]) => Promise<void>;
  /** If omitted, entries are committed before `write` resolves. */
  readonly journal?: Journal | undefined;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** With a journal nobody waits for the database, and many entries cost it little more than one. */
const gatherMs = 500;

export function createCallLog({ insert, journal, log, metrics }: CallLogDeps): CallLog {
  const writer = new BatchWriter<CallEntry>({
    async write(entries) {
      await insert(entries);
      journal?.settled(entries);
    },
    maxBatch: 500,
    gatherMs,
    maxWaiting: 10_000,
    attempts: 5,
    onLost(entries, err) {
      // The log line keeps the content of the lost entries.
      for (const entry of entries) log.error({ err, entry }, 'an entry of the audit log cannot be written');
      journal?.settled(entries);
    },
    metrics: metrics?.writer('calls'),
  });

  const commit = async (entry: CallEntry): Promise<void> => {
    try {
      await writer.write(entry);
    } catch {
      await writer.writeBehindWithRoom(entry);
    }
  };

  return {
    write(entry) {
      try {
        journal?.append(entry);
      } catch (err) {
        log.error(
          { err },
          'the journal of the audit log cannot be written; entries go to the database at once',
        );
        return commit(entry);
      }
      return journal === undefined ? commit(entry) : writer.writeBehindWithRoom(entry);
    },
    flush: () => writer.flush(),
    async [Symbol.asyncDispose]() {
      await writer[Symbol.asyncDispose]();
      journal?.[Symbol.dispose]();
    },
  };
}
