import type { Connection } from './connection.ts';
import { copyStatement, copyText } from './copy.ts';
import type { Queries } from './database.ts';

/** Query methods over one connection. */
export function queriesOver(connection: Connection): Queries {
  return {
    async query<R extends Record<string, unknown>>(sql: string, params: readonly unknown[] = []) {
      return (await connection.run({ sql, params })) as R[];
    },
    async copy(table, columns, rows) {
      if (rows.length > 0) await connection.copy(copyStatement(table, columns), copyText(rows));
    },
    script: async (sql) => connection.script(sql),
  };
}
