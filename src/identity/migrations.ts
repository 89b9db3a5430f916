import { fileURLToPath } from 'node:url';
import type { MigrationSet } from '#base/db/migrate.ts';

export const identityMigrations: MigrationSet = {
  schema: 'identity',
  folder: fileURLToPath(new URL('./migrations', import.meta.url)),
};
