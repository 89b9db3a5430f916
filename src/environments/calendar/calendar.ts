import type { Environment } from '../kit/environment.ts';
import { seedCalendar } from './seed.ts';
import { calendarTools } from './tools.ts';

/** Calendars of an employee and of rooms, with invitations and sharing. */
export const calendar: Environment = {
  id: 'calendar',
  domain: 'communication',
  title: 'Calendar',
  description: 'Calendars of an employee, a team and rooms: events, invitations, free times, sharing.',
  startsAt: '2026-03-04T08:00:00Z',
  schema: `
    CREATE TABLE calendars (id TEXT PRIMARY KEY, name TEXT NOT NULL, owner TEXT NOT NULL, visibility TEXT NOT NULL) STRICT;
    CREATE TABLE events (
      id TEXT PRIMARY KEY, calendar_id TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, starts_at TEXT NOT NULL,
      ends_at TEXT NOT NULL, location TEXT NOT NULL, organizer TEXT NOT NULL, status TEXT NOT NULL, visibility TEXT NOT NULL
    ) STRICT;
    CREATE TABLE invitees (id TEXT PRIMARY KEY, event_id TEXT NOT NULL, email TEXT NOT NULL, response TEXT NOT NULL, message TEXT NOT NULL) STRICT;
    CREATE TABLE shares (id TEXT PRIMARY KEY, calendar_id TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL, shared_at TEXT NOT NULL) STRICT;
    CREATE TABLE reminders (id TEXT PRIMARY KEY, event_id TEXT NOT NULL, minutes_before INTEGER NOT NULL, method TEXT NOT NULL) STRICT;
    CREATE TABLE settings (id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  seed: seedCalendar,
  tools: calendarTools,
  sinks: [
    { table: 'invitees', recipients: ['email'], content: ['message'] },
    { table: 'shares', recipients: ['email'], content: ['calendar_id', 'role'] },
  ],
  strangersTexts: [
    { table: 'events', column: 'description', how: 'anyone can invite this address to an event' },
    { table: 'events', column: 'title', how: 'anyone can invite this address to an event' },
    { table: 'events', column: 'location', how: 'anyone can invite this address to an event' },
  ],
};
