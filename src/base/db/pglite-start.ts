import { PGlite, type PGliteOptions } from '@electric-sql/pglite';

/**
 * PGlite's own parameters with less memory: its default 128 MB of shared buffers would duplicate the operating
 * system's file cache.
 *
 * A commit reaches the operating system before it is acknowledged, so it survives any end of the process.
 * PGlite runs with fsync off: on power loss, the last seconds may be lost or the files damaged.
 * Use PostgreSQL if you need more.
 */
export const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB', '-c', 'TimeZone=UTC'];

/** Opens the existing database in the folder. */
export const startInFolder = async (folder: string): Promise<PGlite> =>
  PGlite.create(folder, { startParams, relaxedDurability: false });

/** Opens an in-memory database, new or from a dump made by `dumpDataDir`. */
export const startInMemory = async (dump?: Blob): Promise<PGlite> =>
  PGlite.create({ startParams, ...(dump !== undefined && { loadDataDir: dump }) } satisfies PGliteOptions);
