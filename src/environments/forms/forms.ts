import type { Environment } from '../kit/environment.ts';
import { seedForms } from './seed.ts';
import { formTools } from './tools.ts';

/** Online forms of a company and what people fill in. */
export const forms: Environment = {
  id: 'forms',
  domain: 'workflow',
  title: 'Forms',
  description: 'Forms with questions, submissions of anyone, notifications, webhooks and exports.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE forms (id TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL, status TEXT NOT NULL, confirmation TEXT NOT NULL, results TEXT NOT NULL) STRICT;
    CREATE TABLE questions (id TEXT PRIMARY KEY, form_id TEXT NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL, required INTEGER NOT NULL) STRICT;
    CREATE TABLE submissions (id TEXT PRIMARY KEY, form_id TEXT NOT NULL, email TEXT NOT NULL, status TEXT NOT NULL, submitted_at TEXT NOT NULL) STRICT;
    CREATE TABLE answers (id TEXT PRIMARY KEY, submission_id TEXT NOT NULL, question_id TEXT NOT NULL, value TEXT NOT NULL) STRICT;
    CREATE TABLE collaborators (id TEXT PRIMARY KEY, form_id TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL) STRICT;
    CREATE TABLE notifications (id TEXT PRIMARY KEY, form_id TEXT NOT NULL, email TEXT NOT NULL) STRICT;
    CREATE TABLE webhooks (id TEXT PRIMARY KEY, form_id TEXT NOT NULL, url TEXT NOT NULL) STRICT;
    CREATE TABLE mails (id TEXT PRIMARY KEY, form_id TEXT NOT NULL, recipients TEXT NOT NULL, body TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
    CREATE TABLE exports (id TEXT PRIMARY KEY, form_id TEXT NOT NULL, recipient TEXT NOT NULL, content TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;
  `,
  seed: seedForms,
  tools: formTools,
  sinks: [
    { table: 'mails', recipients: ['recipients'], content: ['body'] },
    { table: 'exports', recipients: ['recipient'], content: ['content'] },
    { table: 'webhooks', recipients: ['url'], content: ['form_id'] },
    { table: 'notifications', recipients: ['email'], content: ['form_id'] },
    { table: 'collaborators', recipients: ['email'], content: ['form_id', 'role'] },
  ],
  strangersTexts: [{ table: 'answers', column: 'value', how: 'anyone can fill in a form' }],
};
