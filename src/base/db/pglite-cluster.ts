import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StartupError } from '#base/errors.ts';
import { systemProblem } from '#base/system-problem.ts';
import type { PgliteEngine } from './pglite-engine.ts';
import { openInThread } from './pglite-in-thread.ts';

/** Opens the database in `folder`, creating it if missing. The caller holds the lock on the directory. */
export async function openCluster(folder: string): Promise<PgliteEngine> {
  try {
    if (!existsSync(join(folder, 'PG_VERSION'))) await createCluster(folder);
    return await openInThread(folder);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const problem = systemProblem(error);
    const reason =
      problem === undefined
        ? `${error instanceof Error ? error.message : String(error)}. Look whether the disk has space; ` +
          'docs/guides/backup-and-restore.md explains how to restore a backup of a damaged folder'
        : `${problem}, or set BULWARK_DATA_DIR to another directory`;
    throw new StartupError(`The embedded database in ${folder} does not start: ${reason}.`, { cause: error });
  }
}

/**
 * Creates a new database in a temporary folder and moves it into place once complete, so that an interruption
 * leaves nothing half-made. A worker thread does it, so that the 300 MB it needs are freed afterwards.
 */
async function createCluster(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new StartupError(
      `${folder} contains files but no database. Move them away, or set BULWARK_DATA_DIR to another directory.`,
    );
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL('./pglite-creator.ts', import.meta.url), { workerData: unfinished });
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
  await rename(unfinished, folder);
}
