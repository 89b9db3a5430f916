import type { CopiedRow } from './copy.ts';

/**
 * A database or a transaction on it. Values convert the same way on both databases (see `values.ts`):
 * int8 is a number if safe and else a bigint, timestamptz is a `Date`, json and jsonb are parsed,
 * bytea is a `Buffer`, numeric, date and interval are text. NUL and lone surrogates are stored as U+FFFD.
 *
 * Throws the database's own error, with its SQLSTATE in `code` (see `errors.ts`), or `unavailable` (503) where
 * the database is unavailable.
 */
export interface Queries {
  /** One statement of plain SQL with $1 parameters, as `encode` in `values.ts` accepts them. */
  query<R extends Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  /**
   * Adds rows with COPY, which takes half the time of an `insert`. Values are those of `query`, in the order of the columns.
   * Table and columns are part of the statement: never take them from a request.
   */
  copy(table: string, columns: readonly string[], rows: readonly CopiedRow[]): Promise<void>;
  /** Several statements without parameters; returns the rows of all. For migrations and the job queue. */
  script(sql: string): Promise<Record<string, unknown>[]>;
}

/** Use of one process's connections. */
export interface Connections {
  readonly open: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** The pool's size. */
  readonly most: number;
}

export interface Database extends Queries, AsyncDisposable {
  readonly kind: 'pglite' | 'postgres';
  /** Current use of this process's connections. */
  connections(): Connections;
  /**
   * Runs `run` in one transaction; commits, or rolls back if it throws. A serialization failure or a
   * deadlock runs it again, so it must have no side effects outside the database. Inside, use only `tx`.
   */
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>;
  /**
   * Calls `onMessage` for each notification on the channel, from any process, until the result is disposed.
   * `onGap` is called after a reconnect, since notifications may have been missed.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<AsyncDisposable>;
  /** Sends up to 7999 bytes to all listeners of the channel. */
  notify(channel: string, payload: string): Promise<void>;
}
