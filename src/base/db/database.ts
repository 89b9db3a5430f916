/**
 * A database or a transaction on it. Values come and go in the same way on both databases (see `values.ts`):
 * int8 is a number where that is safe and else a bigint, timestamptz is a `Date`, json and jsonb are parsed,
 * bytea is a `Buffer`, numeric, date and interval are text. NUL and lone surrogates are stored as U+FFFD.
 *
 * Throws the database's own error, with its SQLSTATE in `code` (see `errors.ts`), or `unavailable` (503) where
 * the database cannot be reached.
 */
export interface Queries {
  /** One statement of plain SQL with $1 parameters, as `encode` in `values.ts` takes them. */
  query<R extends Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  /** Several statements in one go, without parameters; answers the rows of all. For migrations and the job queue. */
  script(sql: string): Promise<Record<string, unknown>[]>;
}

/** Of one process. */
export interface Connections {
  readonly open: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** How many there may be. */
  readonly most: number;
}

export interface Database extends Queries, AsyncDisposable {
  readonly kind: 'pglite' | 'postgres';
  /** How busy the connections of this process are just now. */
  connections(): Connections;
  /**
   * Runs `run` in one transaction and commits what it did, or nothing where it throws. A serialization failure or a
   * deadlock runs it again, so it must have no effect outside the database. Inside, only `tx` may be used.
   */
  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T>;
  /**
   * Calls `onMessage` for each notification on the channel, from whichever process, until the answer is disposed.
   * `onGap` is called when a lost connection is back, and notifications may have been missed meanwhile.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<AsyncDisposable>;
  /** Sends up to 7999 bytes to all who listen on the channel. */
  notify(channel: string, payload: string): Promise<void>;
}
