import type { Connection } from './connection.ts';
import type { Queries } from './database.ts';
import { drizzleOver } from './drizzle.ts';
import { parsers } from './values.ts';

/** The three ways of asking, over one connection. */
export function queriesOver(connection: Connection): Queries {
  return {
    drizzle: drizzleOver(async (statement) => connection.run(statement)),
    async query<R extends Record<string, unknown>>(sql: string, params: readonly unknown[] = []) {
      const { rows } = await connection.run({ sql, params, parsers, arrayRows: false });
      return rows as R[];
    },
    script: async (sql) => connection.script(sql),
  };
}
