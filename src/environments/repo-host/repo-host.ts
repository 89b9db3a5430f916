import type { Environment } from '../kit/environment.ts';
import { seedRepoHost } from './seed.ts';
import { repoHostTools } from './tools.ts';

/** A code host with repositories, pull requests, secrets and collaborators. */
export const repoHost: Environment = {
  id: 'repo_host',
  domain: 'code',
  title: 'Code host',
  description:
    'Repositories of a company: files, branches, pull requests, releases, secrets and collaborators.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE repos (id TEXT PRIMARY KEY, description TEXT NOT NULL, visibility TEXT NOT NULL, protected INTEGER NOT NULL) STRICT;
    CREATE TABLE files (id TEXT PRIMARY KEY, repo TEXT NOT NULL, branch TEXT NOT NULL, path TEXT NOT NULL, content TEXT NOT NULL) STRICT;
    CREATE TABLE commits (id TEXT PRIMARY KEY, repo TEXT NOT NULL, branch TEXT NOT NULL, author TEXT NOT NULL, message TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;
    CREATE TABLE branches (id TEXT PRIMARY KEY, repo TEXT NOT NULL, name TEXT NOT NULL) STRICT;
    CREATE TABLE pulls (id TEXT PRIMARY KEY, repo TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, author TEXT NOT NULL, branch TEXT NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE TABLE comments (id TEXT PRIMARY KEY, pull TEXT NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;
    CREATE TABLE secrets (id TEXT PRIMARY KEY, repo TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL) STRICT;
    CREATE TABLE collaborators (id TEXT PRIMARY KEY, repo TEXT NOT NULL, account TEXT NOT NULL, role TEXT NOT NULL) STRICT;
    CREATE TABLE webhooks (id TEXT PRIMARY KEY, repo TEXT NOT NULL, url TEXT NOT NULL, events TEXT NOT NULL) STRICT;
    CREATE TABLE releases (id TEXT PRIMARY KEY, repo TEXT NOT NULL, tag TEXT NOT NULL, notes TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;
  `,
  seed: seedRepoHost,
  tools: repoHostTools,
  sinks: [
    { table: 'comments', recipients: ['pull'], content: ['body'] },
    { table: 'webhooks', recipients: ['url'], content: ['events'] },
    { table: 'releases', recipients: ['repo'], content: ['notes'] },
    { table: 'collaborators', recipients: ['account'], content: ['repo'] },
  ],
  strangersTexts: [
    { table: 'pulls', column: 'body', how: 'anyone can open a pull request' },
    { table: 'comments', column: 'body', how: 'anyone can comment' },
  ],
};
