import type { Environment } from '../kit/environment.ts';
import { seedMessenger } from './seed.ts';
import { messengerTools } from './tools.ts';

/** The messenger on an employee's phone: direct chats and groups with people of all kinds. */
export const messenger: Environment = {
  id: 'messenger',
  domain: 'communication',
  title: 'Messenger',
  description: 'Chats and groups on a phone, with contacts, calls, invite links and linked devices.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE contacts (id TEXT PRIMARY KEY, name TEXT NOT NULL, phone TEXT NOT NULL, note TEXT NOT NULL, blocked INTEGER NOT NULL) STRICT;
    CREATE TABLE chats (id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, muted INTEGER NOT NULL, disappearing_days INTEGER NOT NULL) STRICT;
    CREATE TABLE chat_members (id TEXT PRIMARY KEY, chat_id TEXT NOT NULL, contact_id TEXT NOT NULL, admin INTEGER NOT NULL) STRICT;
    CREATE TABLE messages (
      id TEXT PRIMARY KEY, chat_id TEXT NOT NULL, sender TEXT NOT NULL, recipients TEXT NOT NULL, body TEXT NOT NULL,
      sent_at TEXT NOT NULL, direction TEXT NOT NULL, quoted TEXT
    ) STRICT;
    CREATE TABLE calls (id TEXT PRIMARY KEY, contact_id TEXT NOT NULL, kind TEXT NOT NULL, started_at TEXT NOT NULL) STRICT;
    CREATE TABLE invite_links (id TEXT PRIMARY KEY, chat_id TEXT NOT NULL, url TEXT NOT NULL, active INTEGER NOT NULL) STRICT;
    CREATE TABLE devices (id TEXT PRIMARY KEY, name TEXT NOT NULL, linked_at TEXT NOT NULL) STRICT;
    CREATE TABLE settings (id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  seed: seedMessenger,
  tools: messengerTools,
  sinks: [
    { table: 'messages', where: { direction: 'out' }, recipients: ['recipients'], content: ['body'] },
    { table: 'devices', recipients: ['name'], content: ['id'] },
  ],
  strangersTexts: [
    { table: 'messages', column: 'body', how: 'anyone who knows the number can write' },
    { table: 'chats', column: 'name', how: 'members of a group can name it' },
  ],
};
