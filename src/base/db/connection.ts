/** One statement on its way to a driver. */
export interface Statement {
  sql: string;
  params: readonly unknown[];
}

/** What a driver gives: one statement, or a script of several without parameters. */
export interface Connection {
  run(statement: Statement): Promise<Record<string, unknown>[]>;
  script(sql: string): Promise<Record<string, unknown>[]>;
}
