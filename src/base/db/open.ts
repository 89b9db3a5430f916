import { join, resolve } from 'node:path';
import { holdDataDirectory } from './data-directory.ts';
import type { Database } from './database.ts';
import { openCluster } from './pglite-cluster.ts';
import { pgliteDatabase } from './pglite-database.ts';
import { engineHere } from './pglite-engine.ts';
import { connectPool } from './postgres-connect.ts';
import { postgresDatabase } from './postgres-database.ts';

export interface DatabaseSettings {
  /** `postgres://…`: that PostgreSQL. Without it, an embedded PGlite in `dataDir`. */
  url?: string | undefined;
  /** The directory of all that is kept; the embedded database makes its own folder `pglite` in it. */
  dataDir: string;
  /** A throw-away embedded database that touches no disk. */
  inMemory?: boolean;
  /** Most connections to PostgreSQL at a time; default 10. One more is used for notifications. */
  poolSize?: number;
  /** To get a connection to PostgreSQL; default 3000. */
  connectTimeoutMs?: number;
  /** For a sign of life of a PostgreSQL that has been silent for a second; default 2000. */
  answerTimeoutMs?: number;
  /** For one statement on PostgreSQL, and for a transaction that does nothing; default 60,000. */
  statementTimeoutMs?: number;
  /** Told of what an operator should know and nobody waits for, such as a lost idle connection. */
  onWarning?: (message: string) => void;
}

/**
 * Opens the database, which is then ready for use. Throws `StartupError`, with the reason and the setting to change,
 * when the data directory is held by another process or the server cannot be reached or used.
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { url, dataDir, inMemory = false, poolSize = 10, onWarning = () => {} } = settings;
  if (inMemory) {
    // The program itself runs the database in a thread of its own, and needs none of this.
    const { startInMemory } = await import('./pglite-start.ts');
    return pgliteDatabase(engineHere(await startInMemory()), onWarning);
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
    return pgliteDatabase(engine, onWarning, async () => hold[Symbol.asyncDispose]());
  } catch (error) {
    await hold[Symbol.asyncDispose]();
    throw error;
  }
}
