import pg from 'pg';
import { StartupError } from '#base/errors.ts';
import { sqlState } from './errors.ts';

/**
 * What every session of ours agrees on, whatever the server's defaults are. Compiling a query at run time costs more
 * than any of ours takes.
 */
const sessionOptions =
  '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=1 -c jit=off';

export interface PoolSettings {
  /** Most connections at a time. */
  readonly poolSize: number;
  /** To get one. */
  readonly connectTimeoutMs: number;
  /** The server ends a statement, and a transaction that does nothing, after so long. */
  readonly statementTimeoutMs: number;
}

/** A peer that has vanished is found out by the kernel after this and ten probes of a second. */
const keepAliveMs = 10_000;

/**
 * A pool on the server of `url`, after one query has shown that the server can be used; else `StartupError`, which
 * names host, port and database.
 */
export async function connectPool(
  url: string,
  { poolSize, connectTimeoutMs, statementTimeoutMs }: PoolSettings,
): Promise<pg.Pool> {
  const where = describe(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'bulwark',
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    options:
      `${sessionOptions} -c statement_timeout=${statementTimeoutMs} ` +
      `-c idle_in_transaction_session_timeout=${statementTimeoutMs}`,
  });
  try {
    await checkServer(pool, where);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Host, port and database for a message; never the user or the password. */
function describe(url: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: url });
    return `${host}:${port}, database ${database ?? 'postgres'}`;
  } catch {
    throw new StartupError(
      'BULWARK_DATABASE_URL is not of the form postgres://user:password@host:port/database.',
    );
  }
}

async function checkServer(pool: pg.Pool, where: string): Promise<void> {
  let facts: { version: number; encoding: string } | undefined;
  try {
    const { rows } = await pool.query<{ version: number; encoding: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
    );
    facts = rows[0];
  } catch (error) {
    throw new StartupError(`PostgreSQL at ${where}: ${reason(error)} Check BULWARK_DATABASE_URL.`, {
      cause: error,
    });
  }
  if (facts === undefined || facts.version < 130_000)
    throw new StartupError(`PostgreSQL at ${where}: version 13 or newer is needed.`);
  if (facts.encoding !== 'UTF8')
    throw new StartupError(
      `PostgreSQL at ${where}: the database's encoding must be UTF8, not ${facts.encoding}.`,
    );
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there.',
  ENOTFOUND: 'there is no host of that name.',
  EAI_AGAIN: 'the name cannot be resolved.',
  ETIMEDOUT: 'no answer in time.',
  '28P01': 'the user or the password is wrong.',
  '28000': 'the server does not let this user in.',
  '3D000': 'there is no such database.',
  '57P03': 'the server is starting or stopping.',
  '53300': 'the server has no free connection.',
};

function reason(error: unknown): string {
  if (error instanceof AggregateError) return reason(error.errors[0]);
  if (!(error instanceof Error)) return 'it cannot be reached.';
  const code = sqlState(error) ?? (error as NodeJS.ErrnoException).code ?? '';
  const known = reasons[code];
  if (known !== undefined) return known;
  return error.message.startsWith('timeout') ? 'no answer in time.' : `${error.message}.`;
}
