import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import type { Queries } from './database.ts';
import { isRetryable } from './errors.ts';
import { queriesOver } from './queries.ts';

const maxAttempts = 5;

/** Error of a commit after a statement failed and its error was swallowed. */
export const rolledBack = () =>
  new Error('The transaction was rolled back because a statement in it failed.');

/** Retries after a conflict with another transaction, with a short random pause. */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/**
 * Tracks whether the current code runs inside a transaction of this database. Querying the database itself there would
 * deadlock on PGlite's single connection, and miss the transaction's writes on PostgreSQL.
 */
export class TransactionScope {
  readonly #open = new AsyncLocalStorage<{ open: boolean }>();

  /** Throws if the caller should have used `tx`. */
  assertOutside(): void {
    if (this.#open.getStore()?.open === true)
      throw new Error('Inside a transaction, use the transaction’s queries (tx), not those of the database.');
  }

  /** Passes `run` the queries of one transaction, which become unusable after it. */
  async within<T>(connection: Connection, run: (tx: Queries) => Promise<T>): Promise<T> {
    const scope = { open: true };
    const guard = () => {
      if (!scope.open) throw new Error('The transaction has ended.');
    };
    const tx = queriesOver({
      run: async (statement) => {
        guard();
        return connection.run(statement);
      },
      copy: async (statement, text) => {
        guard();
        return connection.copy(statement, text);
      },
      script: async (sql) => {
        guard();
        return connection.script(sql);
      },
    });
    try {
      return await this.#open.run(scope, () => run(tx));
    } finally {
      scope.open = false;
    }
  }
}

/** Runs tasks one after another, in order. */
export class Turnstile {
  #last: Promise<unknown> = Promise.resolve();
  #taken = 0;

  /** Number of running and waiting tasks. */
  get taken(): number {
    return this.#taken;
  }

  async take<T>(run: () => Promise<T>): Promise<T> {
    this.#taken++;
    const mine = this.#last.then(run).finally(() => this.#taken--);
    this.#last = mine.catch(() => {});
    return mine;
  }
}
