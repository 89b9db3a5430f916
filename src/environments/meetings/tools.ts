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
  text,
} from '../kit/record-tools.ts';
import type { EnvironmentState } from '../kit/state.ts';
import { owner } from './seed.ts';

const time = z.iso.datetime().describe('ISO 8601 in UTC: 2026-03-09T09:00:00Z');
const status = z.enum(['scheduled', 'running', 'ended']);

function invite(state: EnvironmentState, meeting_id: string, email: string) {
  const { topic, agenda } = existing(state, 'meetings', meeting_id);
  const id = `${meeting_id}.${email}`;
  if (state.get('SELECT 1 AS found FROM participants WHERE id = ?', id))
    throw new ToolError(`${email} is invited already.`);
  return state.insert('participants', {
    id,
    meeting_id,
    name: email.split('@')[0] ?? email,
    email,
    role: 'attendee',
    state: 'invited',
    message: `${String(topic)}\n${String(agenda)}`,
  });
}

const reading: EnvironmentTool[] = [
  listTool({
    name: 'list_meetings',
    description: 'Lists meetings, the latest first.',
    table: 'meetings',
    filters: { status },
    show: 'id, topic, starts_at, minutes, host, status',
    order: 'starts_at DESC, id',
  }),
  searchTool({
    name: 'search_meetings',
    description: 'Finds meetings by topic or agenda.',
    table: 'meetings',
    columns: ['topic', 'agenda'],
    show: 'id, topic, starts_at, status',
    order: 'starts_at DESC, id',
  }),
  getTool({
    name: 'get_meeting',
    description: 'Returns a meeting with its participants and notes.',
    table: 'meetings',
    more: ({ id }, state) => ({
      participants: state.all(
        'SELECT id, name, email, role, state FROM participants WHERE meeting_id = ?',
        String(id),
      ),
      notes: state.all('SELECT body, written_at FROM notes WHERE meeting_id = ?', String(id)),
    }),
  }),
  defineTool({
    name: 'get_transcript',
    description: 'Returns the transcript of a meeting.',
    readOnly: true,
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      existing(state, 'meetings', id);
      return existing(state, 'transcripts', id, 'meeting_id');
    },
  }),
  searchTool({
    name: 'search_transcripts',
    description: 'Finds what was said in meetings.',
    table: 'transcripts',
    columns: ['content'],
  }),
  defineTool({
    name: 'get_chat',
    description: 'Returns the chat of a meeting.',
    readOnly: true,
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      existing(state, 'meetings', id);
      return state.all(
        'SELECT author, body, sent_at FROM chat WHERE meeting_id = ? ORDER BY sent_at, id',
        id,
      );
    },
  }),
  listTool({
    name: 'list_recordings',
    description: 'Lists recordings.',
    table: 'recordings',
    filters: { meeting_id: recordId },
    order: 'made_at DESC, id',
  }),
  listTool({ name: 'get_settings', description: 'Lists the settings of the account.', table: 'settings' }),
];

const writing: EnvironmentTool[] = [
  defineTool({
    name: 'create_meeting',
    description: 'Plans a meeting and invites the given addresses.',
    input: z.object({
      topic: shortText,
      starts_at: time,
      minutes: z.int().min(5).max(480).default(45),
      agenda: z.string().max(3000).default(''),
      waiting_room: z.boolean().default(true),
      invitees: z.array(z.email()).max(20).default([]),
    }),
    run: ({ invitees, waiting_room, ...input }, state) => {
      const made = state.insert('meetings', {
        id: state.newId('meet'),
        ...input,
        host: owner.email,
        passcode: String(100_000 + (Number.parseInt(state.newId('code').slice(5), 16) % 900_000)),
        waiting_room: Number(waiting_room),
        status: 'scheduled',
      });
      for (const email of new Set(invitees)) invite(state, String(made.id), email);
      return { ...made, invited: [...new Set(invitees)] };
    },
  }),
  changeTool({
    name: 'update_meeting',
    description: 'Changes topic, agenda, time, passcode or waiting room of a meeting.',
    table: 'meetings',
    fields: {
      topic: shortText.optional(),
      agenda: shortText.optional(),
      starts_at: time.optional(),
      passcode: shortText.optional(),
      waiting_room: z.boolean().optional(),
    },
  }),
  deleteTool({
    name: 'delete_meeting',
    description: 'Deletes a meeting with its invitations.',
    table: 'meetings',
    also: { participants: 'meeting_id' },
  }),
  defineTool({
    name: 'invite_participant',
    description: 'Invites somebody to a meeting; they receive topic and agenda.',
    input: z.object({ id: recordId, email: z.email() }),
    run: ({ id, email }, state) => invite(state, id, email),
  }),
  changeTool({
    name: 'admit_participant',
    description: 'Lets a participant in from the waiting room.',
    table: 'participants',
    set: () => ({ state: 'in' }),
    only: { column: 'state', values: ['waiting'] },
  }),
  changeTool({
    name: 'remove_participant',
    description: 'Removes a participant from a meeting.',
    table: 'participants',
    set: () => ({ state: 'removed' }),
    only: { column: 'state', values: ['in', 'waiting', 'invited'] },
  }),
  changeTool({
    name: 'set_role',
    description: 'Makes a participant host, co-host or attendee.',
    table: 'participants',
    fields: { role: z.enum(['host', 'co_host', 'attendee']) },
  }),
  createTool({
    name: 'start_recording',
    description: 'Records a meeting.',
    table: 'recordings',
    prefix: 'rec',
    fields: { meeting_id: recordId, title: shortText },
    set: (_, state) => ({ access: 'host', made_at: state.now() }),
    references: { meeting_id: 'meetings' },
  }),
  changeTool({
    name: 'set_recording_access',
    description: 'Says who can see a recording: the host, the company, or anyone with the link.',
    table: 'recordings',
    fields: { access: z.enum(['host', 'company', 'anyone']) },
  }),
  defineTool({
    name: 'share_recording',
    description: 'Sends a recording with its transcript to an address.',
    input: z.object({ id: recordId, recipient: z.email() }),
    run: ({ id, recipient }, state) => {
      const recording = existing(state, 'recordings', id);
      const transcript = state.get(
        'SELECT content FROM transcripts WHERE meeting_id = ?',
        String(recording.meeting_id),
      );
      const share = { id: state.newId('share'), recording_id: id, recipient, shared_at: state.now() };
      const content = `${String(recording.title)}\n${String(transcript?.content ?? '')}`;
      state.insert('recording_shares', { ...share, content });
      return share;
    },
  }),
  deleteTool({ name: 'delete_recording', description: 'Deletes a recording for good.', table: 'recordings' }),
  createTool({
    name: 'post_chat',
    description: 'Writes a line into the chat of a meeting.',
    table: 'chat',
    prefix: 'line',
    fields: { meeting_id: recordId, body: text },
    set: (_, state) => ({ author: owner.name, sent_at: state.now() }),
    references: { meeting_id: 'meetings' },
  }),
  createTool({
    name: 'add_note',
    description: 'Adds a note to a meeting.',
    table: 'notes',
    prefix: 'note',
    fields: { meeting_id: recordId, body: text },
    set: (_, state) => ({ written_at: state.now() }),
    references: { meeting_id: 'meetings' },
  }),
  defineTool({
    name: 'send_summary',
    description: 'Sends a summary of a meeting by mail.',
    input: z.object({ id: recordId, recipients: z.array(z.email()).min(1).max(30), body: text }),
    run: ({ id, recipients, body }, state) => {
      existing(state, 'meetings', id);
      const sent = { id: state.newId('sum'), meeting_id: id, recipients: recipients.join(', ') };
      state.insert('summaries', { ...sent, body, sent_at: state.now() });
      return sent;
    },
  }),
  changeTool({
    name: 'change_setting',
    description: 'Changes a setting of the account.',
    table: 'settings',
    fields: { value: shortText },
  }),
];

export const meetingTools: EnvironmentTool[] = [...reading, ...writing];
