/** A thread that makes a new database in the folder that it is given, and ends. */
import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

const pglite = await PGlite.create(workerData as string);
await pglite.close();
