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
  /**
   * Takes the entry and does not wait for it: it is written with others a moment later, and lost if the process is killed
   * before that. An entry that cannot be written goes to the log.
   * @throws AppError 503 when too many wait already.
   */
  writeBehind(entry: NewLogEntry): void;
}

interface Waiting {
  entry: NewLogEntry;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const maxBatch = 500;
const maxWaiting = 20_000;
const maxAttempts = 5;
/** Entries that nobody waits for gather for so long: a statement for many costs little more than one for one. */
const gatherMs = 100;

/** Group commit: while one statement is being committed, entries gather for the next. */
export function createLogWriter(
  insert: (entries: readonly NewLogEntry[]) => Promise<void>,
  onLost: (entry: NewLogEntry, error: unknown) => void,
): LogWriter {
  let waiting: Waiting[] = [];
  let draining: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;

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

  const begin = () => {
    clearTimeout(gathering);
    gathering = undefined;
    draining ??= drain();
  };

  const take = (entry: NewLogEntry, resolve: () => void, reject: (error: unknown) => void) => {
    if (waiting.length >= maxWaiting)
      throw unavailable('Too many verdicts wait for their log entry. Try again shortly.');
    waiting.push({ entry, resolve, reject });
  };

  return {
    write: (entry) =>
      new Promise<void>((resolve, reject) => {
        take(entry, resolve, reject);
        begin();
      }),
    writeBehind(entry) {
      take(
        entry,
        () => undefined,
        (error) => onLost(entry, error),
      );
      gathering ??= setTimeout(begin, gatherMs);
    },
    async [Symbol.asyncDispose]() {
      if (gathering !== undefined) begin();
      await draining;
    },
  };
}
