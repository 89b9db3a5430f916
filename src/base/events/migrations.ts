import { join } from 'node:path';
import type { MigrationSet } from '../db/migrate.ts';

/** The tables of events and webhooks, which all services share. */
export const eventMigrations: MigrationSet = {
  schema: 'events',
  folder: join(import.meta.dirname, 'migrations'),
};
