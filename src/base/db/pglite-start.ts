import { PGlite, type PGliteOptions } from '@electric-sql/pglite';

/**
 * PGlite's own parameters, and less memory: its default of 128 MB for a cache stands once more behind the one that
 * the operating system keeps of the same files.
 *
 * A commit has reached the operating system before it is acknowledged, so that it outlives the process, however that
 * ends. PGlite runs with fsync off: when the machine loses power, the last seconds may be lost or the files damaged.
 * Who needs more than that uses PostgreSQL.
 */
export const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB', '-c', 'TimeZone=UTC'];

/** The database in the folder, which is there. */
export const startInFolder = async (folder: string): Promise<PGlite> =>
  PGlite.create(folder, { startParams, relaxedDurability: false });

/** A database in memory, a new one or a copy of what `dumpDataDir` gave. */
export const startInMemory = async (dump?: Blob): Promise<PGlite> =>
  PGlite.create({ startParams, ...(dump !== undefined && { loadDataDir: dump }) } satisfies PGliteOptions);
