import type { Environment } from '../kit/environment.ts';
import { seedIssueTracker } from './seed.ts';
import { issueTrackerTools } from './tools.ts';

/** Issues and wiki pages of software projects, with comments that customers can write and read. */
export const issueTracker: Environment = {
  id: 'issue_tracker',
  domain: 'code',
  title: 'Issue tracker',
  description: 'Projects, issues, comments, wiki pages, attachments, permissions and webhooks.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, active INTEGER NOT NULL) STRICT;
    CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT NOT NULL, lead TEXT NOT NULL, visibility TEXT NOT NULL) STRICT;
    CREATE TABLE issues (
      id TEXT PRIMARY KEY, project_id TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, status TEXT NOT NULL, priority TEXT NOT NULL,
      assignee TEXT NOT NULL, reporter TEXT NOT NULL, security TEXT NOT NULL, updated_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE comments (id TEXT PRIMARY KEY, issue_id TEXT NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, visibility TEXT NOT NULL, written_at TEXT NOT NULL) STRICT;
    CREATE TABLE pages (id TEXT PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, restricted INTEGER NOT NULL, updated_by TEXT NOT NULL) STRICT;
    CREATE TABLE attachments (id TEXT PRIMARY KEY, issue_id TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL) STRICT;
    CREATE TABLE permissions (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, subject TEXT NOT NULL, role TEXT NOT NULL) STRICT;
    CREATE TABLE watchers (id TEXT PRIMARY KEY, issue_id TEXT NOT NULL, email TEXT NOT NULL) STRICT;
    CREATE TABLE webhooks (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, url TEXT NOT NULL, events TEXT NOT NULL) STRICT;
    CREATE TABLE automations (id TEXT PRIMARY KEY, name TEXT NOT NULL, rule TEXT NOT NULL, enabled INTEGER NOT NULL) STRICT;
  `,
  seed: seedIssueTracker,
  tools: issueTrackerTools,
  sinks: [
    { table: 'comments', where: { visibility: 'public' }, recipients: ['issue_id'], content: ['body'] },
    { table: 'watchers', recipients: ['email'], content: ['issue_id'] },
    { table: 'webhooks', recipients: ['url'], content: ['project_id', 'events'] },
    { table: 'permissions', recipients: ['subject'], content: ['project_id', 'role'] },
  ],
  strangersTexts: [
    { table: 'issues', column: 'body', how: 'customers file issues over the public form' },
    { table: 'comments', column: 'body', how: 'customers comment on their issues' },
    { table: 'attachments', column: 'content', how: 'customers attach log files' },
  ],
};
