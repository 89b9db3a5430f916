import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import type { Queries } from './database.ts';
import { isRetryable } from './errors.ts';
import { queriesOver } from './queries.ts';

const maxAttempts = 5;

/** What a commit fails with after a statement had failed and its error was swallowed. */
export const rolledBack = () =>
  new Error('The transaction was rolled back, because a statement in it had failed.');

/** Runs again what failed by a conflict with another transaction, after a short random pause. */
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
 * Knows whether the code at hand runs inside a transaction of this database. Asking the database itself there would
 * wait for the transaction on PGlite's one connection, for ever, and miss its writes on PostgreSQL.
 */
export class TransactionScope {
  readonly #open = new AsyncLocalStorage<{ open: boolean }>();

  /** Throws where the caller should have used `tx`. */
  assertOutside(): void {
    if (this.#open.getStore()?.open === true)
      throw new Error('Inside a transaction only its own queries may be used, not those of the database.');
  }

  /** Gives `run` the queries of one transaction, which end with it. */
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

/** Runs one after another what is given to it, in order. */
export class Turnstile {
  #last: Promise<unknown> = Promise.resolve();
  #taken = 0;

  /** Turns that have not ended: the one that runs, and those that wait. */
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
