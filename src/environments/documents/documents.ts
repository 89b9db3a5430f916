import type { Environment } from '../kit/environment.ts';
import { seedDocuments } from './seed.ts';
import { documentTools } from './tools.ts';

/** The documents of a team, with versions, comments and sharing. */
export const documents: Environment = {
  id: 'documents',
  domain: 'workflow',
  title: 'Documents',
  description: 'Documents in folders: editing, versions, comments, suggestions, sharing, links, exports.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE folders (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
    CREATE TABLE documents (
      id TEXT PRIMARY KEY, folder_id TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, owner TEXT NOT NULL, link TEXT NOT NULL,
      trashed INTEGER NOT NULL, updated_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE versions (id TEXT PRIMARY KEY, document_id TEXT NOT NULL, body TEXT NOT NULL, author TEXT NOT NULL, saved_at TEXT NOT NULL) STRICT;
    CREATE TABLE comments (id TEXT PRIMARY KEY, document_id TEXT NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, resolved INTEGER NOT NULL, written_at TEXT NOT NULL) STRICT;
    CREATE TABLE suggestions (id TEXT PRIMARY KEY, document_id TEXT NOT NULL, author TEXT NOT NULL, old_text TEXT NOT NULL, new_text TEXT NOT NULL, status TEXT NOT NULL) STRICT;
    CREATE TABLE permissions (id TEXT PRIMARY KEY, document_id TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL) STRICT;
    CREATE TABLE exports (id TEXT PRIMARY KEY, document_id TEXT NOT NULL, recipient TEXT NOT NULL, content TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
  `,
  seed: seedDocuments,
  tools: documentTools,
  sinks: [
    { table: 'permissions', recipients: ['email'], content: ['content'] },
    { table: 'exports', recipients: ['recipient'], content: ['content'] },
    { table: 'documents', where: { link: 'anyone' }, recipients: ['link'], content: ['title', 'body'] },
  ],
  strangersTexts: [
    { table: 'comments', column: 'body', how: 'whoever a document is shared with can comment' },
    { table: 'documents', column: 'body', how: 'partners edit shared documents' },
    { table: 'suggestions', column: 'new_text', how: 'whoever a document is shared with can suggest' },
  ],
};
