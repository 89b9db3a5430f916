import { join } from 'node:path';
import type { MigrationSet } from '../db/migrate.ts';

export const limitMigrations: MigrationSet = {
  schema: 'limits',
  folder: join(import.meta.dirname, 'migrations'),
};
