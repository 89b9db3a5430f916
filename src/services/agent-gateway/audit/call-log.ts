import type { Logger } from '#base/log/log.ts';
import type { CallEntry } from './entry.ts';

/** The audit log, written behind the calls: a call does not wait for its entry unless too many are waiting. */
export interface CallLog extends AsyncDisposable {
  /** Resolves at once, or when there is room again. */
  write(entry: CallEntry): Promise<void> | undefined;
  /** Resolves once all entries so far are written. */
  flush(): Promise<void>;
}

const maxBatch = 500;
const maxWaiting = 10_000;
const attempts = 5;
const pauseMs = 200;
/** Entries gather for so long: a statement for many costs little more than one for one. */
const gatherMs = 100;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export function createCallLog(
  insert: (entries: readonly CallEntry[]) => Promise<void>,
  log: Logger,
): CallLog {
  let waiting: CallEntry[] = [];
  let draining: Promise<void> | undefined;

  const insertRetrying = async (batch: readonly CallEntry[]) => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await insert(batch);
      } catch (error) {
        if (attempt < attempts) await sleep(pauseMs * attempt);
        else {
          // The log line is what is left of them.
          for (const entry of batch)
            log.error({ err: error, entry }, 'an entry of the audit log cannot be written');
          return;
        }
      }
  };

  const drain = async () => {
    await sleep(gatherMs);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      await insertRetrying(batch);
    }
    draining = undefined;
  };

  return {
    write(entry) {
      waiting.push(entry);
      draining ??= drain();
      return waiting.length > maxWaiting ? draining : undefined;
    },
    flush: async () => draining,
    async [Symbol.asyncDispose]() {
      while (draining !== undefined) await draining;
    },
  };
}
