import type { Environment } from '../kit/environment.ts';
import { seedMeetings } from './seed.ts';
import { meetingTools } from './tools.ts';

/** Video meetings with participants, recordings and transcripts. */
export const meetings: Environment = {
  id: 'meetings',
  domain: 'communication',
  title: 'Video meetings',
  description: 'Meetings with waiting rooms, roles, recordings, transcripts, chat and summaries.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE meetings (
      id TEXT PRIMARY KEY, topic TEXT NOT NULL, agenda TEXT NOT NULL, starts_at TEXT NOT NULL, minutes INTEGER NOT NULL, host TEXT NOT NULL,
      passcode TEXT NOT NULL, waiting_room INTEGER NOT NULL, status TEXT NOT NULL
    ) STRICT;
    CREATE TABLE participants (id TEXT PRIMARY KEY, meeting_id TEXT NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL, state TEXT NOT NULL, message TEXT NOT NULL) STRICT;
    CREATE TABLE recordings (id TEXT PRIMARY KEY, meeting_id TEXT NOT NULL, title TEXT NOT NULL, access TEXT NOT NULL, made_at TEXT NOT NULL) STRICT;
    CREATE TABLE recording_shares (id TEXT PRIMARY KEY, recording_id TEXT NOT NULL, recipient TEXT NOT NULL, content TEXT NOT NULL, shared_at TEXT NOT NULL) STRICT;
    CREATE TABLE transcripts (id TEXT PRIMARY KEY, meeting_id TEXT NOT NULL, content TEXT NOT NULL) STRICT;
    CREATE TABLE chat (id TEXT PRIMARY KEY, meeting_id TEXT NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
    CREATE TABLE notes (id TEXT PRIMARY KEY, meeting_id TEXT NOT NULL, body TEXT NOT NULL, written_at TEXT NOT NULL) STRICT;
    CREATE TABLE summaries (id TEXT PRIMARY KEY, meeting_id TEXT NOT NULL, recipients TEXT NOT NULL, body TEXT NOT NULL, sent_at TEXT NOT NULL) STRICT;
    CREATE TABLE settings (id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  seed: seedMeetings,
  tools: meetingTools,
  sinks: [
    { table: 'summaries', recipients: ['recipients'], content: ['body'] },
    { table: 'recording_shares', recipients: ['recipient'], content: ['content'] },
    { table: 'participants', recipients: ['email'], content: ['message'] },
    { table: 'chat', recipients: ['meeting_id'], content: ['body'] },
  ],
  strangersTexts: [
    { table: 'transcripts', column: 'content', how: 'participants from outside speak in meetings' },
    { table: 'chat', column: 'body', how: 'participants from outside write in the chat' },
    { table: 'participants', column: 'name', how: 'whoever joins chooses the name' },
  ],
};
