import type { Environment } from '../kit/environment.ts';
import { seedWorkstation } from './seed.ts';
import { workstationTools } from './tools.ts';

/** A developer's computer: files, processes, scheduled jobs and a shell, all of them rows. Nothing runs on the host. */
export const workstation: Environment = {
  id: 'workstation',
  domain: 'os',
  title: 'Workstation',
  description: 'A computer with files, processes, scheduled jobs, variables and an emulated shell.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE files (id TEXT PRIMARY KEY, content TEXT NOT NULL, owner TEXT NOT NULL, mode TEXT NOT NULL, changed_at TEXT NOT NULL) STRICT;
    CREATE TABLE processes (id TEXT PRIMARY KEY, name TEXT NOT NULL, owner TEXT NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE TABLE cron (id TEXT PRIMARY KEY, schedule TEXT NOT NULL, command TEXT NOT NULL, owner TEXT NOT NULL) STRICT;
    CREATE TABLE variables (id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE users (id TEXT PRIMARY KEY, groups TEXT NOT NULL) STRICT;
    CREATE TABLE uploads (id TEXT PRIMARY KEY, url TEXT NOT NULL, content TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
    CREATE TABLE commands (id TEXT PRIMARY KEY, line TEXT NOT NULL, status INTEGER NOT NULL, run_at TEXT NOT NULL) STRICT;
  `,
  seed: seedWorkstation,
  tools: workstationTools,
  sinks: [{ table: 'uploads', recipients: ['url'], content: ['content'] }],
  strangersTexts: [
    { table: 'files', column: 'content', how: 'files come from downloads, mails and other repositories' },
  ],
};
