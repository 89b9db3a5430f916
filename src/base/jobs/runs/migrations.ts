import { fileURLToPath } from 'node:url';
import type { MigrationSet } from '../../db/migrate.ts';

/** The table of runs; run these before a service's migrations. */
export const runMigrations: MigrationSet = {
  schema: 'runs',
  folder: fileURLToPath(new URL('./migrations', import.meta.url)),
};
