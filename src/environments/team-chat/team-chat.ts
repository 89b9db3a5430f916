import type { Environment } from '../kit/environment.ts';
import { seedTeamChat } from './seed.ts';
import { teamChatTools } from './tools.ts';

/** The chat of a company: channels, threads, direct messages, guests. */
export const teamChat: Environment = {
  id: 'team_chat',
  domain: 'communication',
  title: 'Team chat',
  description:
    'Channels, threads and direct messages of a company, with guests, files, link previews and webhooks.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE members (id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE TABLE channels (id TEXT PRIMARY KEY, name TEXT NOT NULL, topic TEXT NOT NULL, private INTEGER NOT NULL, shared_with TEXT NOT NULL, archived INTEGER NOT NULL) STRICT;
    CREATE TABLE channel_members (id TEXT PRIMARY KEY, channel_id TEXT NOT NULL, member_id TEXT NOT NULL) STRICT;
    CREATE TABLE posts (id TEXT PRIMARY KEY, channel_id TEXT NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, posted_at TEXT NOT NULL, thread TEXT, pinned INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE direct_messages (id TEXT PRIMARY KEY, author TEXT NOT NULL, recipient TEXT NOT NULL, body TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
    CREATE TABLE files (id TEXT PRIMARY KEY, name TEXT NOT NULL, owner TEXT NOT NULL, content TEXT NOT NULL) STRICT;
    CREATE TABLE file_shares (id TEXT PRIMARY KEY, file_id TEXT NOT NULL, recipient TEXT NOT NULL, content TEXT NOT NULL, shared_at TEXT NOT NULL) STRICT;
    CREATE TABLE invitations (id TEXT PRIMARY KEY, email TEXT NOT NULL, channel_id TEXT NOT NULL, kind TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
    CREATE TABLE webhooks (id TEXT PRIMARY KEY, channel_id TEXT NOT NULL, url TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;
    CREATE TABLE links (url TEXT PRIMARY KEY, title TEXT NOT NULL, preview TEXT NOT NULL) STRICT;
  `,
  seed: seedTeamChat,
  tools: teamChatTools,
  sinks: [
    { table: 'posts', recipients: ['channel_id'], content: ['body'] },
    { table: 'direct_messages', recipients: ['recipient'], content: ['body'] },
    { table: 'file_shares', recipients: ['recipient'], content: ['content'] },
    { table: 'invitations', recipients: ['email'], content: ['channel_id'] },
    { table: 'webhooks', recipients: ['url'], content: ['channel_id'] },
  ],
  strangersTexts: [
    { table: 'posts', column: 'body', how: 'guests of partner companies write in shared channels' },
    { table: 'links', column: 'preview', how: 'the preview of a link is text of the linked page' },
    { table: 'files', column: 'content', how: 'guests can upload files' },
  ],
};
