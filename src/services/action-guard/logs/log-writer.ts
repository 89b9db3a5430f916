import { setImmediate as nextTurn } from 'node:timers/promises';
import { isRetryable } from '#base/db/errors.ts';
import { AppError, unavailable } from '#base/errors.ts';
import type { NewLogEntry } from './log-entry.ts';

export interface LogWriter extends AsyncDisposable {
  /**
   * Resolves once the entry is durable.
   * @throws AppError 503 when it cannot be written, or too many wait already.
   */
  write(entry: NewLogEntry): Promise<void>;
}

interface Waiting {
  entry: NewLogEntry;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const maxBatch = 500;
const maxWaiting = 20_000;
const maxAttempts = 5;

/** Group commit: while one statement is being committed, entries gather for the next. */
export function createLogWriter(insert: (entries: readonly NewLogEntry[]) => Promise<void>): LogWriter {
  let waiting: Waiting[] = [];
  let draining: Promise<void> | undefined;

  const insertRetrying = async (entries: readonly NewLogEntry[]) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await insert(entries);
      } catch (error) {
        if (attempt === maxAttempts || !isRetryable(error)) throw error;
      }
    }
  };

  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      await insertRetrying(batch.map(({ entry }) => entry));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      const [only] = batch;
      // An entry that the database refuses must not take its neighbours along.
      if (batch.length > 1 && !(error instanceof AppError)) for (const each of batch) await settle([each]);
      else if (batch.length === 1 && !(error instanceof AppError))
        only?.reject(
          unavailable('The log entry cannot be written, so the verdict is withheld. Try again.', error),
        );
      else for (const { reject } of batch) reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    // Calls that came with the same turn of the loop are written together.
    await nextTurn();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      await settle(batch);
    }
    draining = undefined;
  };

  return {
    write(entry) {
      if (waiting.length >= maxWaiting)
        return Promise.reject(unavailable('Too many verdicts wait for their log entry. Try again shortly.'));
      const written = new Promise<void>((resolve, reject) => waiting.push({ entry, resolve, reject }));
      draining ??= drain();
      return written;
    },
    async [Symbol.asyncDispose]() {
      await draining;
    },
  };
}
