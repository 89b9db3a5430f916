import { fileURLToPath } from 'node:url';
import type { MigrationSet } from '../../db/migrate.ts';

/** The one table of runs; a service's migrations come after these. */
export const runMigrations: MigrationSet = {
  schema: 'runs',
  folder: fileURLToPath(new URL('./migrations', import.meta.url)),
};
