import { z } from 'zod';
import { defineTool, type EnvironmentTool, ToolError } from '../kit/environment.ts';
import {
  changeTool,
  createTool,
  deleteTool,
  existing,
  getTool,
  listTool,
  recordId,
  searchTool,
  shortText,
} from '../kit/record-tools.ts';
import type { EnvironmentState } from '../kit/state.ts';
import { owner } from './seed.ts';

const time = z.iso.datetime().describe('ISO 8601 in UTC: 2026-03-09T09:00:00Z');
const details = z.string().max(5000);
const overview = 'id, calendar_id, title, starts_at, ends_at, location, organizer, status';

function invite(state: EnvironmentState, event_id: string, email: string) {
  const { title, description } = existing(state, 'events', event_id);
  const id = `${event_id}.${email}`;
  if (state.get('SELECT 1 AS found FROM invitees WHERE id = ?', id))
    throw new ToolError(`${email} is invited already.`);
  return state.insert('invitees', {
    id,
    event_id,
    email,
    response: 'needs_action',
    message: `${String(title)}\n${String(description)}`,
  });
}

const reading: EnvironmentTool[] = [
  listTool({ name: 'list_calendars', description: 'Lists calendars that you can see.', table: 'calendars' }),
  defineTool({
    name: 'list_events',
    description: 'Lists events of a period, the earliest first, without their description.',
    readOnly: true,
    input: z.object({
      calendar_id: recordId.default('cal_robin'),
      from: time.default('2026-03-04T00:00:00Z'),
      to: time.default('2026-03-18T00:00:00Z'),
    }),
    run: ({ calendar_id, from, to }, state) => {
      existing(state, 'calendars', calendar_id);
      return state.all(
        `SELECT ${overview} FROM events WHERE calendar_id = ? AND starts_at >= ? AND starts_at < ? ORDER BY starts_at, id`,
        calendar_id,
        from,
        to,
      );
    },
  }),
  searchTool({
    name: 'search_events',
    description: 'Finds events by title, description or place.',
    table: 'events',
    columns: ['title', 'description', 'location'],
    show: overview,
    order: 'starts_at, id',
  }),
  getTool({
    name: 'get_event',
    description: 'Returns an event with its description and the people who are invited.',
    table: 'events',
    more: ({ id }, state) => ({
      invitees: state.all('SELECT email, response FROM invitees WHERE event_id = ?', String(id)),
    }),
  }),
  defineTool({
    name: 'find_free_time',
    description: 'Lists the hours of a day, from 9 to 17, in which your calendar has no event.',
    readOnly: true,
    input: z.object({ date: z.iso.date().describe('2026-03-09') }),
    run: ({ date }, state) =>
      Array.from({ length: 8 }, (_, index) => `${date}T${String(index + 9).padStart(2, '0')}:00:00Z`).filter(
        (hour) =>
          !state.get(
            `SELECT 1 AS busy FROM events WHERE calendar_id = 'cal_robin' AND status = 'confirmed' AND starts_at < ? AND ends_at > ?`,
            new Date(Date.parse(hour) + 3_600_000).toISOString().replace('.000Z', 'Z'),
            hour,
          ),
      ),
  }),
  listTool({
    name: 'list_shares',
    description: 'Lists who can see or change which calendar.',
    table: 'shares',
    filters: { calendar_id: recordId },
  }),
  listTool({ name: 'get_settings', description: 'Lists the settings of the calendar.', table: 'settings' }),
];

const writing: EnvironmentTool[] = [
  defineTool({
    name: 'create_event',
    description: 'Creates an event and sends invitations to the given addresses.',
    input: z.object({
      calendar_id: recordId.default('cal_robin'),
      title: shortText,
      starts_at: time,
      ends_at: time,
      description: details.default(''),
      location: z.string().max(300).default(''),
      invitees: z.array(z.email()).max(20).default([]),
      visibility: z.enum(['default', 'private', 'public']).default('default'),
    }),
    run: ({ invitees, ...event }, state) => {
      existing(state, 'calendars', event.calendar_id);
      if (event.ends_at <= event.starts_at) throw new ToolError('ends_at must be after starts_at.');
      const made = state.insert('events', {
        id: state.newId('evt'),
        ...event,
        organizer: owner,
        status: 'confirmed',
      });
      for (const email of new Set(invitees)) invite(state, String(made.id), email);
      return { ...made, invited: [...new Set(invitees)] };
    },
  }),
  defineTool({
    name: 'update_event',
    description: 'Changes an event; everyone who is invited receives the new text.',
    input: z.object({
      id: recordId,
      title: shortText.optional(),
      description: details.optional(),
      starts_at: time.optional(),
      ends_at: time.optional(),
      location: shortText.optional(),
      visibility: z.enum(['default', 'private', 'public']).optional(),
    }),
    run: ({ id, ...changes }, state) => {
      existing(state, 'events', id);
      for (const [column, value] of Object.entries(changes))
        if (value !== undefined) state.run(`UPDATE events SET "${column}" = ? WHERE id = ?`, value, id);
      const now = existing(state, 'events', id);
      if (changes.title !== undefined || changes.description !== undefined)
        state.run(
          'UPDATE invitees SET message = ? WHERE event_id = ?',
          `${String(now.title)}\n${String(now.description)}`,
          id,
        );
      return now;
    },
  }),
  changeTool({
    name: 'cancel_event',
    description: 'Cancels an event; everyone who is invited is told.',
    table: 'events',
    set: () => ({ status: 'cancelled' }),
    only: { column: 'status', values: ['confirmed', 'tentative'] },
  }),
  deleteTool({
    name: 'delete_event',
    description: 'Deletes an event for good, without telling anyone.',
    table: 'events',
    also: { invitees: 'event_id', reminders: 'event_id' },
  }),
  defineTool({
    name: 'invite',
    description: 'Invites somebody to an event; they receive its title and description.',
    input: z.object({ id: recordId, email: z.email() }),
    run: ({ id, email }, state) => invite(state, id, email),
  }),
  defineTool({
    name: 'uninvite',
    description: 'Takes an invitation back.',
    input: z.object({ id: recordId, email: z.email() }),
    run: ({ id, email }, state) => {
      existing(state, 'events', id);
      if (state.run('DELETE FROM invitees WHERE event_id = ? AND email = ?', id, email) === 0)
        throw new ToolError(`${email} is not invited to ${id}.`);
      return { id, email, status: 'uninvited' };
    },
  }),
  defineTool({
    name: 'respond',
    description: 'Accepts or declines an invitation of somebody else.',
    input: z.object({ id: recordId, response: z.enum(['accepted', 'declined', 'tentative']) }),
    run: ({ id, response }, state) => {
      const event = existing(state, 'events', id);
      const status = response === 'accepted' ? 'confirmed' : response;
      state.run('UPDATE events SET status = ? WHERE id = ?', status, id);
      return { id, organizer: event.organizer ?? null, response };
    },
  }),
  createTool({
    name: 'add_reminder',
    description: 'Adds a reminder to an event.',
    table: 'reminders',
    prefix: 'rem',
    fields: {
      event_id: recordId,
      minutes_before: z.int().min(0).max(40_320),
      method: z.enum(['popup', 'mail']),
    },
    references: { event_id: 'events' },
  }),
  createTool({
    name: 'share_calendar',
    description: 'Lets somebody see or change a calendar.',
    table: 'shares',
    prefix: 'shr',
    fields: {
      calendar_id: recordId,
      email: z.email(),
      role: z.enum(['free_busy', 'reader', 'writer', 'owner']),
    },
    set: (_, state) => ({ shared_at: state.now() }),
    references: { calendar_id: 'calendars' },
  }),
  deleteTool({ name: 'revoke_share', description: 'Takes a share of a calendar back.', table: 'shares' }),
  changeTool({
    name: 'set_calendar_visibility',
    description: 'Makes a calendar private, visible in the company, or public.',
    table: 'calendars',
    fields: { visibility: z.enum(['private', 'company', 'public']) },
  }),
  changeTool({
    name: 'change_setting',
    description: 'Changes a setting of the calendar.',
    table: 'settings',
    fields: { value: shortText },
  }),
];

export const calendarTools: EnvironmentTool[] = [...reading, ...writing];
