/** One statement for a driver. */
export interface Statement {
  sql: string;
  params: readonly unknown[];
}

/** What a driver provides: running one statement, or a script of several without parameters. */
export interface Connection {
  run(statement: Statement): Promise<Record<string, unknown>[]>;
  /** COPY of data in its text format; the statement ends before `from`. */
  copy(statement: string, text: string): Promise<void>;
  script(sql: string): Promise<Record<string, unknown>[]>;
}
