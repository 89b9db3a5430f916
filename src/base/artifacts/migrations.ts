import { fileURLToPath } from 'node:url';
import type { MigrationSet } from '../db/migrate.ts';

export const artifactMigrations: MigrationSet = {
  schema: 'artifacts',
  folder: fileURLToPath(new URL('./migrations', import.meta.url)),
};
