import type { Parsers } from './values.ts';

/** One statement on its way to a driver. */
export interface Statement {
  sql: string;
  params: readonly unknown[];
  parsers: Parsers;
  /** Rows as arrays of values instead of objects. */
  arrayRows: boolean;
}

/** Runs one statement; rows are objects or arrays, as the statement asked. */
export type Run = (statement: Statement) => Promise<{ rows: unknown[] }>;

/** What a driver gives: one statement, or a script of several without parameters. */
export interface Connection {
  run: Run;
  script(sql: string): Promise<Record<string, unknown>[]>;
}
