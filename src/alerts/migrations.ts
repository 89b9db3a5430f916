import { join } from 'node:path';
import type { MigrationSet } from '#base/db/migrate.ts';

/** The tables of alerts, which all services share. */
export const alertMigrations: MigrationSet = {
  schema: 'alerts',
  folder: join(import.meta.dirname, 'migrations'),
};
