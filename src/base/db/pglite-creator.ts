/** A worker thread that creates a new database in the given folder, and ends. */
import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

const pglite = await PGlite.create(workerData as string);
await pglite.close();
