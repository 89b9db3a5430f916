import { join, resolve } from 'node:path';
import { holdDataDirectory } from './data-directory.ts';
import type { Database } from './database.ts';
import { openCluster } from './pglite-cluster.ts';
import { PgliteDatabase } from './pglite-database.ts';
import { engineHere } from './pglite-engine.ts';
import { connectPool } from './postgres-connect.ts';
import { postgresDatabase } from './postgres-database.ts';

export interface DatabaseSettings {
  /** `postgres://…`; if omitted, an embedded PGlite in `dataDir`. */
  url?: string | undefined;
  /** The data directory; the embedded database uses its subfolder `pglite`. */
  dataDir: string;
  /** Use a temporary embedded database in memory. */
  inMemory?: boolean;
  /** Connection pool size; default 10. One more connection is used for notifications. */
  poolSize?: number;
  /** Timeout for getting a PostgreSQL connection; default 3000. */
  connectTimeoutMs?: number;
  /** Timeout of the probe that is sent when PostgreSQL has been silent for a second; default 2000. */
  answerTimeoutMs?: number;
  /** Timeout of a PostgreSQL statement and of an idle transaction; default 60,000. */
  statementTimeoutMs?: number;
  /** Called with background problems that an operator should know, such as a lost idle connection. */
  onWarning?: (message: string) => void;
}

/**
 * Opens the database, ready for use. Throws `StartupError`, with the reason and the setting to change,
 * if the data directory is locked by another process or the server cannot be reached or used.
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { url, dataDir, inMemory = false, poolSize = 10, onWarning = () => {} } = settings;
  if (inMemory) {
    // For tests only: in production the database runs in its own thread.
    const { startInMemory } = await import('./pglite-start.ts');
    return new PgliteDatabase(engineHere(await startInMemory()), { onWarning });
  }
  if (url !== undefined) {
    const { connectTimeoutMs = 3000, answerTimeoutMs = 2000, statementTimeoutMs = 60_000 } = settings;
    const pool = await connectPool(url, { poolSize, connectTimeoutMs, statementTimeoutMs });
    return postgresDatabase(pool, { answerTimeoutMs, statementTimeoutMs, onWarning });
  }
  const directory = resolve(dataDir);
  const hold = await holdDataDirectory(directory);
  try {
    const engine = await openCluster(join(directory, 'pglite'));
    return new PgliteDatabase(engine, { onWarning, onClose: async () => hold[Symbol.asyncDispose]() });
  } catch (error) {
    await hold[Symbol.asyncDispose]();
    throw error;
  }
}
