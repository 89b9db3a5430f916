import { unavailable } from '#base/errors.ts';
import type { Connection, Statement } from './connection.ts';
import type { Database, Queries } from './database.ts';
import { surfaced } from './errors.ts';
import { channelName, deliverSafely, type OnWarning } from './notifications.ts';
import type { PgliteEngine, RawResult } from './pglite-engine.ts';
import { queriesOver } from './queries.ts';
import { retryConflicts, rolledBack, TransactionScope, Turnstile } from './transactions.ts';
import { encode, parsers } from './values.ts';

/**
 * PGlite: PostgreSQL in WebAssembly, in this process, with one connection. Statements and transactions are serialized.
 * `onClose` runs after the database is closed.
 */
export function pgliteDatabase(
  engine: PgliteEngine,
  onWarning: OnWarning,
  onClose: () => Promise<void> = async () => {},
): Database {
  const turns = new Turnstile();
  const scope = new TransactionScope();
  const direct = directConnection(engine, onWarning);
  const listeners = new Map<string, Set<(payload: string) => void>>();
  let closing: Promise<void> | undefined;

  const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
    scope.assertOutside();
    try {
      return await turns.take(run);
    } catch (error) {
      throw surfaced(error);
    }
  };
  const inTransaction = async <T>(run: (tx: Queries) => Promise<T>): Promise<T> => {
    await direct.script('begin');
    try {
      const result = await scope.within(direct, run);
      if ((await direct.commit()) === 'ROLLBACK') throw rolledBack();
      return result;
    } catch (error) {
      await direct.rollback();
      throw error;
    }
  };
  const queries = queriesOver({
    run: async (statement) => inTurn(() => direct.run(statement)),
    copy: async (statement, text) => inTurn(() => direct.copy(statement, text)),
    script: async (sql) =>
      inTurn(async () => {
        try {
          return await direct.script(sql);
        } catch (error) {
          // A script may contain its own begin … commit: a transaction it left open must not reach the next statement.
          await direct.rollback();
          throw error;
        }
      }),
  });
  engine.onNotification((channel, payload) => {
    for (const listener of listeners.get(channel) ?? []) deliverSafely(listener, payload, onWarning);
  });

  return {
    ...queries,
    kind: 'pglite',
    connections: () => ({
      open: 1,
      idle: turns.taken === 0 ? 1 : 0,
      waiting: Math.max(0, turns.taken - 1),
      most: 1,
    }),
    transaction: async (run) => retryConflicts(() => inTurn(() => inTransaction(run))),
    async listen(channel, onMessage) {
      const name = channelName(channel);
      const here = listeners.get(name) ?? new Set();
      listeners.set(name, here);
      const listener = (payload: string) => onMessage(payload);
      here.add(listener);
      await queries.script(`listen "${name}"`);
      return {
        async [Symbol.asyncDispose]() {
          here.delete(listener);
        },
      };
    },
    async notify(channel, payload) {
      await queries.query('select pg_notify($1, $2)', [channelName(channel), payload]);
    },
    async [Symbol.asyncDispose]() {
      closing ??= turns.take(() => direct.close()).then(onClose);
      await closing;
    },
  };
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

interface DirectConnection extends Connection {
  /** Returns the command that PostgreSQL executed: `COMMIT` or `ROLLBACK`. */
  commit(): Promise<string | undefined>;
  rollback(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The single connection, used by one caller at a time.
 *
 * After a panic, such as a full disk, the engine still holds its locks, and the next statement would wait for them
 * forever and block this whole process. So it is not used again: all requests fail with 503 until a restart, which
 * recovers everything that was committed.
 */
function directConnection(engine: PgliteEngine, onWarning: OnWarning): DirectConnection {
  let panic: Error | undefined;

  const watched = async <T>(run: () => Promise<T>): Promise<T> => {
    if (panic !== undefined) throw stopped(panic);
    try {
      return await run();
    } catch (error) {
      if (!isPanic(error)) throw error;
      panic = error;
      onWarning(`The embedded database has stopped and needs a restart: ${error.message}`);
      throw stopped(error);
    }
  };
  const exec = async (sql: string): Promise<readonly RawResult[]> => watched(() => engine.exec(sql));
  return {
    run: async ({ sql, params }: Statement) =>
      rowsOf(await watched(() => engine.query(sql, params.map(encode)))),
    copy: (statement, text) => watched(() => engine.copy(statement, text)),
    script: async (sql) => (await exec(sql)).flatMap(rowsOf),
    commit: async () => (await exec('commit'))[0]?.command,
    async rollback() {
      if (panic === undefined) await exec('rollback');
    },
    async close() {
      if (panic === undefined) await engine.close();
    },
  };
}

const isPanic = (error: unknown): error is Error =>
  error instanceof Error && ['PANIC', 'FATAL'].includes(String((error as { severity?: unknown }).severity));

const stopped = (cause: Error) =>
  unavailable('The database has stopped, for example because the disk is full; it needs a restart.', cause);
