import pg from 'pg';
import { StartupError } from '#base/errors.ts';
import { sqlState } from './errors.ts';

/**
 * Session options, independent of the server's defaults. JIT compilation costs more than any of our queries
 * takes.
 */
const sessionOptions =
  '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=1 -c jit=off';

export interface PoolSettings {
  /** Maximum connections. */
  readonly poolSize: number;
  /** Timeout for getting a connection. */
  readonly connectTimeoutMs: number;
  /** Server-side timeout of a statement and of an idle transaction. */
  readonly statementTimeoutMs: number;
}

/** TCP keep-alive: the kernel detects a dead peer after this and ten probes of one second. */
const keepAliveMs = 10_000;

/**
 * Opens a connection pool and checks with one query that the server is usable; else throws `StartupError`, which
 * names host, port and database.
 */
export async function connectPool(
  url: string,
  { poolSize, connectTimeoutMs, statementTimeoutMs }: PoolSettings,
): Promise<pg.Pool> {
  const where = describe(url);
  const [connectionString, addressOptions] = withoutOptions(url);
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    application_name: 'bulwark',
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    options:
      `${addressOptions} ${sessionOptions} -c statement_timeout=${statementTimeoutMs} ` +
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

/**
 * The address without the session options of its query (`?options=-c%20search_path%3Dapp`), and those. The driver lets
 * options of the address replace all others, and so our time zone and time limits; together, ours come last and win.
 */
function withoutOptions(url: string): [address: string, options: string] {
  const address = URL.parse(url);
  const options = address?.searchParams.get('options') ?? '';
  if (address === null || options === '') return [url, ''];
  address.searchParams.delete('options');
  return [address.href, options];
}

/** Host, port and database for a message; never the user or the password. */
function describe(url: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: url });
    return `${host}:${port}, database ${database ?? 'postgres'}`;
  } catch {
    throw new StartupError(
      'BULWARK_DATABASE_URL must have the form postgres://user:password@host:port/database.',
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
  ECONNREFUSED: 'nothing listens there.',
  ENOTFOUND: 'the host name does not exist.',
  EAI_AGAIN: 'the host name cannot be resolved.',
  ETIMEDOUT: 'no answer in time.',
  '28P01': 'the user or the password is wrong.',
  '28000': 'the server does not allow this user to connect.',
  '3D000': 'the database does not exist.',
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
