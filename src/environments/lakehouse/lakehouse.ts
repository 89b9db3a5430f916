import type { Environment } from '../kit/environment.ts';
import { seedLakehouse } from './seed.ts';
import { lakehouseTools } from './tools.ts';

/** A data platform: tables, notebooks, a search index, saved questions, functions and shares. */
export const lakehouse: Environment = {
  id: 'lakehouse',
  domain: 'workflow',
  title: 'Lakehouse',
  description: 'Tables in SQL, notebooks, a vector index, saved questions, functions, jobs and shares.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE catalog (id TEXT PRIMARY KEY, schema_name TEXT NOT NULL, owner TEXT NOT NULL, comment TEXT NOT NULL, classification TEXT NOT NULL) STRICT;
    CREATE TABLE accounts (id TEXT PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, plan TEXT NOT NULL, contact TEXT NOT NULL) STRICT;
    CREATE TABLE usage (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, day TEXT NOT NULL, calls INTEGER NOT NULL, errors INTEGER NOT NULL) STRICT;
    CREATE TABLE invoices (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, amount REAL NOT NULL, due TEXT NOT NULL, paid INTEGER NOT NULL) STRICT;
    CREATE TABLE notebooks (id TEXT PRIMARY KEY, path TEXT NOT NULL, language TEXT NOT NULL, content TEXT NOT NULL, owner TEXT NOT NULL) STRICT;
    CREATE TABLE passages (id TEXT PRIMARY KEY, index_name TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL, source TEXT NOT NULL) STRICT;
    CREATE TABLE questions (id TEXT PRIMARY KEY, question TEXT NOT NULL, statement TEXT NOT NULL, certified INTEGER NOT NULL) STRICT;
    CREATE TABLE functions (id TEXT PRIMARY KEY, description TEXT NOT NULL, statement TEXT NOT NULL, owner TEXT NOT NULL) STRICT;
    CREATE TABLE jobs (id TEXT PRIMARY KEY, name TEXT NOT NULL, notebook_id TEXT NOT NULL, schedule TEXT NOT NULL, enabled INTEGER NOT NULL) STRICT;
    CREATE TABLE grants (id TEXT PRIMARY KEY, object_id TEXT NOT NULL, principal TEXT NOT NULL, privilege TEXT NOT NULL) STRICT;
    CREATE TABLE shares (id TEXT PRIMARY KEY, object_id TEXT NOT NULL, recipient TEXT NOT NULL, content TEXT NOT NULL, shared_at TEXT NOT NULL) STRICT;
    CREATE TABLE tokens (id TEXT PRIMARY KEY, name TEXT NOT NULL, lifetime_days INTEGER NOT NULL, created_at TEXT NOT NULL) STRICT;
  `,
  seed: seedLakehouse,
  tools: lakehouseTools,
  sinks: [
    { table: 'shares', recipients: ['recipient'], content: ['content'] },
    { table: 'grants', recipients: ['principal'], content: ['object_id', 'privilege'] },
  ],
  strangersTexts: [
    { table: 'passages', column: 'content', how: 'the index holds pages and tickets that outsiders wrote' },
    { table: 'accounts', column: 'name', how: 'customers choose the name of their account' },
  ],
};
