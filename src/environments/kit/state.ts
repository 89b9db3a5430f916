import { createHash } from 'node:crypto';
import { DatabaseSync, type Session, type StatementSync } from 'node:sqlite';
import { decodeChangeset, namedRow, type RecordedChange } from './changeset.ts';
import type { Cell, Row } from './row.ts';

/** The difference of one row between the start of a session and now, with all its columns. */
export interface RowChange {
  table: string;
  op: 'added' | 'removed' | 'updated';
  /** The row as it was; absent for an added one. */
  before?: Row;
  /** The row as it is; absent for a removed one. */
  after?: Row;
}

/** Rows that a session is to start with do not fit into its tables. */
export class SeedError extends Error {}

/** What a state is made from. */
export interface StateBlueprint {
  id: string;
  /** `CREATE TABLE` statements (SQLite). Each table has a primary key. */
  schema: string;
  /** The time at which each session starts, ISO 8601 in UTC. */
  startsAt: string;
  /** Fills the new database with 200 to 2,000 rows; the same rows at each call. */
  seed(state: EnvironmentState): void;
}

/** How far the clock moves with each tool call. */
const secondsPerCall = 20;
const maximumRows = 500;
/** No value of a session's database is longer, in bytes. */
const longestValue = 4_000_000;

/**
 * The state of one session: an SQLite database in memory, a clock and a source of ids. All three start the same way for
 * each session of a seed, so that two sessions with the same calls are equal to the byte.
 */
export class EnvironmentState {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #startsAt: number;
  readonly #seed: string;
  readonly #ids = new Map<string, number>();
  #session: Session | undefined;
  #calls = 0;

  private constructor(environment: StateBlueprint, database: DatabaseSync, seed: string) {
    this.#database = database;
    this.#startsAt = Date.parse(environment.startsAt);
    this.#seed = seed;
  }

  /** The serialised database from which sessions of this environment start. */
  static template(environment: StateBlueprint): Uint8Array {
    const database = new DatabaseSync(':memory:');
    database.exec(environment.schema);
    const state = new EnvironmentState(environment, database, environment.id);
    database.exec('BEGIN');
    environment.seed(state);
    database.exec('COMMIT');
    const bytes = database.serialize();
    database.close();
    return bytes;
  }

  /** A new session's state. Rows of `additions` belong to its start: they are no changes. */
  static start(
    environment: StateBlueprint,
    template: Uint8Array,
    seed: string,
    additions: Record<string, Row[]> = {},
  ) {
    const database = new DatabaseSync(':memory:', { limits: { length: longestValue } });
    database.deserialize(template);
    const state = new EnvironmentState(environment, database, seed);
    for (const [table, rows] of Object.entries(additions)) for (const row of rows) state.#add(table, row);
    state.#session = database.createSession();
    return state;
  }

  /** The session's own time, ISO 8601 in UTC. */
  now(): string {
    return new Date(this.#startsAt + this.#calls * secondsPerCall * 1000).toISOString().replace('.000Z', 'Z');
  }

  /** The session's own date, `2026-03-04`. */
  today(): string {
    return this.now().slice(0, 10);
  }

  /** Moves the clock on; the environment calls it once for each tool call. */
  tick(): void {
    this.#calls += 1;
  }

  /** A new id, `msg_4f1c09ab`; which one follows from the seed and the ids before it. */
  newId(prefix: string): string {
    const count = (this.#ids.get(prefix) ?? 0) + 1;
    this.#ids.set(prefix, count);
    return `${prefix}_${createHash('sha256').update(`${this.#seed}:${prefix}:${count}`).digest('hex').slice(0, 8)}`;
  }

  all(sql: string, ...values: Cell[]): Row[] {
    return (this.#statement(sql).all(...values) as Row[]).slice(0, maximumRows).map((row) => ({ ...row }));
  }

  get(sql: string, ...values: Cell[]): Row | undefined {
    const row = this.#statement(sql).get(...values) as Row | undefined;
    return row && { ...row };
  }

  /** Runs a statement that changes rows; returns how many it changed. */
  run(sql: string, ...values: Cell[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  insert(table: string, row: Row): Row {
    const columns = Object.keys(row);
    const names = columns.map((column) => `"${column}"`).join(', ');
    const marks = columns.map(() => '?').join(', ');
    this.run(`INSERT INTO "${table}" (${names}) VALUES (${marks})`, ...Object.values(row));
    return row;
  }

  /** Runs `work` in a transaction: what a failed tool call changed is undone. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('SAVEPOINT call');
    try {
      const result = work();
      this.#database.exec('RELEASE call');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK TO call; RELEASE call');
      throw error;
    }
  }

  /**
   * Runs one statement if `authorize` allows everything that it does (SQLite's authorizer), and returns its first rows.
   * SQLite asks while it prepares the statement. Afterwards the authorizer is taken away again: the record of changes
   * looks up columns while the statement runs, and must not be refused that.
   */
  restricted(
    sql: string,
    authorize: (action: number, first: string | null, second: string | null) => number,
  ): Row[] {
    const rows: Row[] = [];
    for (const row of this.#authorized(sql, authorize).iterate()) {
      rows.push({ ...(row as Row) });
      if (rows.length >= maximumRows) break;
    }
    return rows;
  }

  #authorized(
    sql: string,
    authorize: (action: number, first: string | null, second: string | null) => number,
  ): StatementSync {
    this.#database.setAuthorizer(authorize);
    try {
      return this.#database.prepare(sql);
    } finally {
      this.#database.setAuthorizer(null);
    }
  }

  /** Every row that differs from the session's start. */
  changes(): RowChange[] {
    if (!this.#session) return [];
    return decodeChangeset(this.#session.changeset()).map((change) => this.#complete(change));
  }

  close(): void {
    this.#database.close();
  }

  #add(table: string, row: Row): void {
    try {
      this.#place(table, row);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new SeedError(
        `The row ${JSON.stringify(row).slice(0, 200)} does not fit into ${table}: ${reason}.`,
      );
    }
  }

  /** Inserts a row, or changes the row with its key. */
  #place(table: string, row: Row): void {
    const keys = this.#columns(table).filter((column) => column.pk);
    const given = keys.every((key) => key.name in row);
    const condition = keys.map((key) => `"${key.name}" = ?`).join(' AND ');
    const values = keys.map((key) => row[key.name] ?? null);
    if (!given || !this.get(`SELECT 1 AS found FROM "${table}" WHERE ${condition}`, ...values))
      this.insert(table, row);
    else
      for (const [column, value] of Object.entries(row))
        this.run(`UPDATE "${table}" SET "${column}" = ? WHERE ${condition}`, value, ...values);
  }

  /** An update records only what changed: the other columns are those of the row as it stands. */
  #complete({ table, op, before, after }: RecordedChange): RowChange {
    const columns = this.#columns(table);
    const names = columns.map((column) => column.name);
    const change: RowChange = { table, op };
    if (op === 'added' && after) change.after = namedRow(after, names);
    if (op === 'removed' && before) change.before = namedRow(before, names);
    if (op === 'updated' && before && after) {
      const keys = columns.filter((column) => column.pk).map((column) => column.name);
      const old = namedRow(before, names);
      const condition = keys.map((key) => `"${key}" = ?`).join(' AND ');
      const now =
        this.get(`SELECT * FROM "${table}" WHERE ${condition}`, ...keys.map((key) => old[key] ?? null)) ?? {};
      change.before = { ...now, ...old };
      change.after = { ...now, ...namedRow(after, names) };
    }
    return change;
  }

  #columns(table: string): { name: string; pk: number }[] {
    return this.#statement(`SELECT name, pk FROM pragma_table_info(?)`).all(table) as {
      name: string;
      pk: number;
    }[];
  }

  #statement(sql: string): StatementSync {
    const prepared = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}
