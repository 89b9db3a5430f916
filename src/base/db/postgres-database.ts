import type pg from 'pg';
import type { Connection, Statement } from './connection.ts';
import { CopyIn } from './copy.ts';
import type { Database, Queries } from './database.ts';
import { isConnectionLoss, surfaced } from './errors.ts';
import { channelName, type OnWarning } from './notifications.ts';
import { PostgresListener } from './postgres-listener.ts';
import { type ServerWatch, watchServer } from './postgres-watch.ts';
import { queriesOver } from './queries.ts';
import { rolledBack, retryConflicts, TransactionScope, Turnstile } from './transactions.ts';
import { encode, type Parse, type Parsers, parsers } from './values.ts';

export interface PostgresSettings {
  readonly answerTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly onWarning: OnWarning;
}

/** Grace period after the server-side statement timeout; then the connection is considered dead. */
const overdueMs = 5000;

/** PostgreSQL through a connection pool, plus one connection for notifications once someone listens. */
export function postgresDatabase(pool: pg.Pool, settings: PostgresSettings): Database {
  const { answerTimeoutMs, statementTimeoutMs, onWarning } = settings;
  const watch = watchServer({ client: pool.options, answerTimeoutMs, onWarning });
  const lend: Lend = (run, longestMs) => withClient(pool, watch, run, longestMs);
  const scope = new TransactionScope();
  const listener = new PostgresListener(pool.options, onWarning);
  let closing: Promise<void> | undefined;

  // The pool drops a broken idle connection itself; the next query opens another.
  pool.on('error', (error) => onWarning(`An idle database connection was lost: ${error.message}`));

  const guarded = async <T>(run: () => Promise<T>): Promise<T> => {
    scope.assertOutside();
    try {
      return await run();
    } catch (error) {
      throw surfaced(error);
    }
  };
  const queries = queriesOver({
    run: async (statement) =>
      guarded(() => lend((client) => runOn(client, statement), statementTimeoutMs + overdueMs)),
    copy: async (statement, text) =>
      guarded(() => lend((client) => copyOn(client, statement, text), statementTimeoutMs + overdueMs)),
    script: async (sql) => guarded(() => lend((client) => undoing(client, () => scriptOn(client, sql)))),
  });

  return {
    ...queries,
    kind: 'postgres',
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: pool.options.max,
    }),
    transaction: async (run) =>
      guarded(() => retryConflicts(() => lend((client) => inTransaction(client, scope, run)))),
    listen: async (channel, onMessage, onGap) =>
      guarded(() => listener.listen(channelName(channel), onMessage, onGap)),
    async notify(channel, payload) {
      await queries.query('select pg_notify($1, $2)', [channelName(channel), payload]);
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      closing ??= Promise.all([pool.end(), listener.close()]).then(() => {});
      await closing;
    },
  };
}

async function inTransaction<T>(
  client: pg.PoolClient,
  scope: TransactionScope,
  run: (tx: Queries) => Promise<T>,
): Promise<T> {
  return undoing(client, async () => {
    await client.query('begin');
    const result = await scope.within(oneByOne(client), run);
    const { command } = await client.query('commit');
    if (command === 'ROLLBACK') throw rolledBack();
    return result;
  });
}

/** Rolls back any transaction that a failure leaves open, so that the connection can be reused. */
async function undoing<T>(client: pg.PoolClient, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => client.emit('error', lost));
    throw error;
  }
}

type Lend = <T>(run: (client: pg.PoolClient) => Promise<T>, longestMs?: number) => Promise<T>;

const nothing = () => {};

/**
 * Lends a pooled connection; a broken one is not returned to the pool, and one whose server stopped responding
 * counts as broken.
 */
async function withClient<T>(
  pool: pg.Pool,
  watch: ServerWatch,
  run: (client: pg.PoolClient) => Promise<T>,
  longestMs?: number,
): Promise<T> {
  watch.assertAnswers();
  // Getting a connection has its own timeout.
  const client = await watch.during(() => pool.connect(), nothing);
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    return await watch.during(
      () => run(client),
      () => client.connection.stream.destroy(),
      longestMs,
    );
  } catch (error) {
    // The server reports that it closes the connection before it does.
    if (isConnectionLoss(error)) broken ??= error as Error;
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

/** Serializes the statements of one connection, in order. */
function oneByOne(client: pg.PoolClient): Connection {
  const turns = new Turnstile();
  return {
    run: async (statement) => turns.take(() => runOn(client, statement)),
    copy: async (statement, text) => turns.take(() => copyOn(client, statement, text)),
    script: async (sql) => turns.take(() => scriptOn(client, sql)),
  };
}

const asText: Parse = (text) => text;

const typesOf = (parsers: Parsers): pg.CustomTypesConfig => ({
  getTypeParser: (oid: number) => parsers[oid] ?? asText,
});

async function runOn(client: pg.PoolClient, { sql, params }: Statement): Promise<Record<string, unknown>[]> {
  const config = {
    text: sql,
    values: params.map(encode),
    types: typesOf(parsers),
    // Exactly one statement per query, as on PGlite.
    queryMode: 'extended',
  };
  return (await client.query<Record<string, unknown>>(config)).rows;
}

async function copyOn(client: pg.PoolClient, statement: string, text: string): Promise<void> {
  await client.query(new CopyIn(`${statement} from stdin`, text)).done;
}

async function scriptOn(client: pg.PoolClient, sql: string): Promise<Record<string, unknown>[]> {
  const results = (await client.query({ text: sql, types: typesOf(parsers) })) as
    | pg.QueryResult<Record<string, unknown>>
    | pg.QueryResult<Record<string, unknown>>[];
  return [results].flat().flatMap(({ rows }) => rows);
}
