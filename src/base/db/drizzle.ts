import { DrizzleQueryError } from 'drizzle-orm/errors';
import { PgDialect } from 'drizzle-orm/pg-core';
import { PgRemoteDatabase, PgRemoteSession } from 'drizzle-orm/pg-proxy';
import type { Run } from './connection.ts';
import type { Drizzle } from './database.ts';
import { drizzleParsers, jsonText } from './values.ts';

/**
 * drizzle wraps an error of the database into one whose message lists the parameters, secrets among them.
 * Ours comes out as it went in, so that both ways of asking fail alike.
 */
class PlainErrorSession extends PgRemoteSession<Record<string, never>, Record<string, never>> {
  override prepareQuery: PgRemoteSession<Record<string, never>, Record<string, never>>['prepareQuery'] = (
    ...parts
  ) => {
    const prepared = super.prepareQuery(...parts);
    const execute = prepared.execute.bind(prepared);
    prepared.execute = async (values) => {
      try {
        return await execute(values);
      } catch (error) {
        throw error instanceof DrizzleQueryError ? error.cause : error;
      }
    };
    return prepared;
  };
}

/** drizzle over whatever runs a statement: one driver for both databases. */
export function drizzleOver(run: Run): Drizzle {
  const dialect = new PgDialect();
  const session = new PlainErrorSession(
    async (sql, params: unknown[], method, typings: string[] = []) => {
      // drizzle has made JSON text of these already.
      const encoded = params.map((param, i) =>
        typings[i] === 'json' && typeof param === 'string' ? jsonText(param) : param,
      );
      return run({ sql, params: encoded, parsers: drizzleParsers, arrayRows: method === 'all' });
    },
    dialect,
    undefined,
  );
  return new PgRemoteDatabase(dialect, session, undefined);
}
