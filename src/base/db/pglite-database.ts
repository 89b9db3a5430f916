import { unavailable } from '#base/errors.ts';
import type { Connection, Statement } from './connection.ts';
import type { CopiedRow } from './copy.ts';
import type { Connections, Database, Queries } from './database.ts';
import { surfaced } from './errors.ts';
import { channelName, deliverSafely, type OnWarning } from './notifications.ts';
import type { PgliteEngine, RawResult } from './pglite-engine.ts';
import { queriesOver } from './queries.ts';
import { retryConflicts, rolledBack, TransactionScope, Turnstile } from './transactions.ts';
import { encode, parsers } from './values.ts';

export interface PgliteSettings {
  readonly onWarning: OnWarning;
  /** Runs after the database is closed. */
  readonly onClose?: () => Promise<void>;
}

/**
 * PGlite: PostgreSQL in WebAssembly, in this process, with one connection. Statements and transactions are serialized.
 */
export class PgliteDatabase implements Database {
  readonly kind = 'pglite';
  readonly #turns = new Turnstile();
  readonly #scope = new TransactionScope();
  readonly #direct: DirectConnection;
  readonly #queries: Queries;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  readonly #onClose: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(engine: PgliteEngine, { onWarning, onClose = async () => {} }: PgliteSettings) {
    this.#direct = new DirectConnection(engine, onWarning);
    this.#onClose = onClose;
    this.#queries = queriesOver({
      run: (statement) => this.#inTurn(() => this.#direct.run(statement)),
      copy: (statement, text) => this.#inTurn(() => this.#direct.copy(statement, text)),
      script: (sql) => this.#inTurn(() => this.#runScript(sql)),
    });
    engine.onNotification((channel, payload) => {
      for (const listener of this.#listeners.get(channel) ?? []) deliverSafely(listener, payload, onWarning);
    });
  }

  query<R extends Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]> {
    return this.#queries.query<R>(sql, params);
  }

  copy(table: string, columns: readonly string[], rows: readonly CopiedRow[]): Promise<void> {
    return this.#queries.copy(table, columns, rows);
  }

  script(sql: string): Promise<Record<string, unknown>[]> {
    return this.#queries.script(sql);
  }

  connections(): Connections {
    const { taken } = this.#turns;
    return { open: 1, idle: taken === 0 ? 1 : 0, waiting: Math.max(0, taken - 1), most: 1 };
  }

  async transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T> {
    return retryConflicts(() => this.#inTurn(() => this.#inTransaction(run)));
  }

  async listen(channel: string, onMessage: (payload: string) => void): Promise<AsyncDisposable> {
    const name = channelName(channel);
    const here = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, here);
    // A function of its own for each call, since the same one may listen twice.
    const listener = (payload: string) => onMessage(payload);
    here.add(listener);
    await this.script(`listen "${name}"`);
    return {
      async [Symbol.asyncDispose]() {
        here.delete(listener);
      },
    };
  }

  async notify(channel: string, payload: string): Promise<void> {
    await this.query('select pg_notify($1, $2)', [channelName(channel), payload]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#turns.take(() => this.#direct.close()).then(this.#onClose);
    await this.#closing;
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    this.#scope.assertOutside();
    try {
      return await this.#turns.take(run);
    } catch (error) {
      throw surfaced(error);
    }
  }

  async #inTransaction<T>(run: (tx: Queries) => Promise<T>): Promise<T> {
    await this.#direct.script('begin');
    try {
      const result = await this.#scope.within(this.#direct, run);
      if ((await this.#direct.commit()) === 'ROLLBACK') throw rolledBack();
      return result;
    } catch (error) {
      await this.#direct.rollback();
      throw error;
    }
  }

  async #runScript(sql: string): Promise<Record<string, unknown>[]> {
    try {
      return await this.#direct.script(sql);
    } catch (error) {
      // A script may contain its own begin … commit: a transaction it left open must not reach the next statement.
      await this.#direct.rollback();
      throw error;
    }
  }
}

/** The rows of a result with their values parsed. */
function rowsOf({ fields, rows }: RawResult): Record<string, unknown>[] {
  const reads = fields.map(({ dataTypeID }) => parsers[dataTypeID]);
  const valueAt = (row: readonly (string | null)[], at: number) => {
    const text = row[at] ?? null;
    const read = reads[at];
    return text === null || read === undefined ? text : read(text);
  };
  return rows.map((row) => Object.fromEntries(fields.map(({ name }, at) => [name, valueAt(row, at)])));
}

/**
 * The single connection, used by one caller at a time.
 *
 * After a panic, such as a full disk, the engine still holds its locks, and the next statement would wait for them
 * forever and block this whole process. So it is not used again: all requests fail with 503 until a restart, which
 * recovers everything that was committed.
 */
class DirectConnection implements Connection {
  readonly #engine: PgliteEngine;
  readonly #onWarning: OnWarning;
  #panic: Error | undefined;

  constructor(engine: PgliteEngine, onWarning: OnWarning) {
    this.#engine = engine;
    this.#onWarning = onWarning;
  }

  async run({ sql, params }: Statement): Promise<Record<string, unknown>[]> {
    return rowsOf(await this.#watched(() => this.#engine.query(sql, params.map(encode))));
  }

  copy(statement: string, text: string): Promise<void> {
    return this.#watched(() => this.#engine.copy(statement, text));
  }

  async script(sql: string): Promise<Record<string, unknown>[]> {
    return (await this.#exec(sql)).flatMap(rowsOf);
  }

  /** Returns the command that PostgreSQL executed: `COMMIT` or `ROLLBACK`. */
  async commit(): Promise<string | undefined> {
    return (await this.#exec('commit'))[0]?.command;
  }

  async rollback(): Promise<void> {
    if (this.#panic === undefined) await this.#exec('rollback');
  }

  async close(): Promise<void> {
    if (this.#panic === undefined) await this.#engine.close();
  }

  #exec(sql: string): Promise<readonly RawResult[]> {
    return this.#watched(() => this.#engine.exec(sql));
  }

  async #watched<T>(run: () => Promise<T>): Promise<T> {
    if (this.#panic !== undefined) throw stopped(this.#panic);
    try {
      return await run();
    } catch (error) {
      if (!isPanic(error)) throw error;
      this.#panic = error;
      this.#onWarning(`The embedded database has stopped and needs a restart: ${error.message}`);
      throw stopped(error);
    }
  }
}

const isPanic = (error: unknown): error is Error =>
  error instanceof Error && ['PANIC', 'FATAL'].includes(String((error as { severity?: unknown }).severity));

const stopped = (cause: Error) =>
  unavailable('The database has stopped, for example because the disk is full; it needs a restart.', cause);
