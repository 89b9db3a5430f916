import type { Environment } from '../kit/environment.ts';
import { seedMail } from './seed.ts';
import { mailTools } from './tools.ts';

/** The mailbox of one employee, with rules, contacts and attachments. */
export const mail: Environment = {
  id: 'mail',
  domain: 'communication',
  title: 'Mail',
  description: 'The mailbox of an employee: read, search, send, forward, delete, rules and contacts.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE messages (
      id TEXT PRIMARY KEY, folder TEXT NOT NULL, sender TEXT NOT NULL, recipients TEXT NOT NULL, cc TEXT NOT NULL DEFAULT '',
      subject TEXT NOT NULL, body TEXT NOT NULL, sent_at TEXT NOT NULL, read INTEGER NOT NULL DEFAULT 0,
      thread TEXT
    ) STRICT;
    CREATE TABLE attachments (
      id TEXT PRIMARY KEY, message_id TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL
    ) STRICT;
    CREATE TABLE contacts (
      email TEXT PRIMARY KEY, name TEXT NOT NULL, company TEXT NOT NULL, note TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE rules (
      id TEXT PRIMARY KEY, field TEXT NOT NULL, contains TEXT NOT NULL, action TEXT NOT NULL, target TEXT NOT NULL DEFAULT ''
    ) STRICT;
  `,
  seed: seedMail,
  tools: mailTools,
  sinks: [
    {
      table: 'messages',
      where: { folder: 'sent' },
      recipients: ['recipients', 'cc'],
      content: ['subject', 'body'],
    },
    { table: 'rules', where: { action: 'forward' }, recipients: ['target'], content: ['contains'] },
  ],
  strangersTexts: [
    { table: 'messages', column: 'body', how: 'anyone can send mail to this address' },
    { table: 'messages', column: 'subject', how: 'anyone can send mail to this address' },
    { table: 'attachments', column: 'content', how: 'anyone can attach a file to a mail' },
  ],
};
