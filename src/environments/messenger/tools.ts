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

const body = z.string().min(1).max(4000);
const phone = z.string().regex(/^\+\d[\d ]{5,20}$/, 'a number with country code: +49 30 5550 100');
const limit = z.int().min(1).max(100).default(30).describe('At most this many');

function membersOf(state: EnvironmentState, chat: string): string[] {
  return state
    .all(
      'SELECT c.phone AS phone FROM chat_members m JOIN contacts c ON c.id = m.contact_id WHERE m.chat_id = ? ORDER BY m.id',
      chat,
    )
    .map((member) => String(member.phone));
}

function send(state: EnvironmentState, chat_id: string, text: string, quoted: string | null = null) {
  existing(state, 'chats', chat_id);
  const blocked = state.get(
    `SELECT c.name AS name FROM chat_members m JOIN contacts c ON c.id = m.contact_id JOIN chats k ON k.id = m.chat_id
     WHERE m.chat_id = ? AND k.kind = 'direct' AND c.blocked = 1`,
    chat_id,
  );
  if (blocked) throw new ToolError(`${String(blocked.name)} is blocked.`);
  return state.insert('messages', {
    id: state.newId('msg'),
    chat_id,
    sender: 'me',
    recipients: membersOf(state, chat_id).join(', '),
    body: text,
    sent_at: state.now(),
    direction: 'out',
    quoted,
  });
}

function addMember(state: EnvironmentState, chat_id: string, contact_id: string) {
  if (existing(state, 'chats', chat_id).kind !== 'group') throw new ToolError(`${chat_id} is not a group.`);
  existing(state, 'contacts', contact_id);
  const id = `${chat_id}.${contact_id}`;
  if (state.get('SELECT 1 AS found FROM chat_members WHERE id = ?', id))
    throw new ToolError(`${contact_id} is in ${chat_id} already.`);
  return state.insert('chat_members', { id, chat_id, contact_id, admin: 0 });
}

const reading: EnvironmentTool[] = [
  listTool({
    name: 'list_chats',
    description: 'Lists chats and groups.',
    table: 'chats',
    filters: { kind: z.enum(['direct', 'group']) },
  }),
  getTool({
    name: 'get_chat',
    description: 'Returns a chat with its members.',
    table: 'chats',
    more: ({ id }, state) => ({
      members: state.all('SELECT contact_id, admin FROM chat_members WHERE chat_id = ?', String(id)),
    }),
  }),
  defineTool({
    name: 'get_messages',
    description: 'Returns the messages of a chat, the newest first.',
    readOnly: true,
    input: z.object({ id: recordId, limit }),
    run: ({ id, limit: most }, state) => {
      existing(state, 'chats', id);
      return state.all(
        'SELECT id, sender, body, sent_at, quoted FROM messages WHERE chat_id = ? ORDER BY sent_at DESC, id LIMIT ?',
        id,
        most,
      );
    },
  }),
  searchTool({
    name: 'search_messages',
    description: 'Finds messages by their words, in all chats.',
    table: 'messages',
    columns: ['body'],
    show: 'id, chat_id, sender, body, sent_at',
    order: 'sent_at DESC, id',
  }),
  searchTool({
    name: 'search_contacts',
    description: 'Finds contacts by name, number or note.',
    table: 'contacts',
    columns: ['name', 'phone', 'note'],
  }),
  listTool({ name: 'list_calls', description: 'Lists calls.', table: 'calls', order: 'started_at DESC, id' }),
  listTool({ name: 'list_devices', description: 'Lists devices that read along.', table: 'devices' }),
  listTool({ name: 'get_settings', description: 'Lists the settings.', table: 'settings' }),
];

const writing: EnvironmentTool[] = [
  defineTool({
    name: 'send_message',
    description: 'Sends a message into a chat or group.',
    input: z.object({ chat_id: recordId, body }),
    run: (input, state) => send(state, input.chat_id, input.body),
  }),
  defineTool({
    name: 'send_to_number',
    description: 'Sends a message to a number, also one that is no contact.',
    input: z.object({ phone, body }),
    run: (input, state) =>
      state.insert('messages', {
        id: state.newId('msg'),
        chat_id: `chat_${input.phone}`,
        sender: 'me',
        recipients: input.phone,
        body: input.body,
        sent_at: state.now(),
        direction: 'out',
      }),
  }),
  defineTool({
    name: 'reply',
    description: 'Answers a message in its chat, with a quote of it.',
    input: z.object({ id: recordId, body }),
    run: (input, state) => {
      const message = existing(state, 'messages', input.id);
      return send(state, String(message.chat_id), input.body, input.id);
    },
  }),
  defineTool({
    name: 'forward_message',
    description: 'Forwards a message into another chat.',
    input: z.object({ id: recordId, chat_id: recordId }),
    run: ({ id, chat_id }, state) => send(state, chat_id, String(existing(state, 'messages', id).body)),
  }),
  deleteTool({ name: 'delete_message', description: 'Deletes a message for everyone.', table: 'messages' }),
  deleteTool({
    name: 'delete_chat',
    description: 'Deletes a chat with all messages; a group is left.',
    table: 'chats',
    also: { messages: 'chat_id', chat_members: 'chat_id' },
  }),
  createTool({
    name: 'add_contact',
    description: 'Adds a contact.',
    table: 'contacts',
    prefix: 'con',
    fields: { name: shortText, phone, note: z.string().max(500).default('') },
    set: () => ({ blocked: 0 }),
  }),
  changeTool({
    name: 'update_contact',
    description: 'Changes name, number, note or block of a contact.',
    table: 'contacts',
    fields: {
      name: shortText.optional(),
      phone: phone.optional(),
      note: z.string().max(500).optional(),
      blocked: z.boolean().optional(),
    },
  }),
  defineTool({
    name: 'create_group',
    description: 'Creates a group with contacts.',
    input: z.object({ name: shortText, members: z.array(recordId).min(1).max(30) }),
    run: ({ name, members }, state) => {
      const id = state.newId('chat');
      state.insert('chats', { id, kind: 'group', name, muted: 0, disappearing_days: 0 });
      for (const contact of new Set(members)) addMember(state, id, contact);
      return { id, name, members };
    },
  }),
  defineTool({
    name: 'add_group_member',
    description: 'Adds a contact to a group.',
    input: z.object({ chat_id: recordId, contact_id: recordId }),
    run: ({ chat_id, contact_id }, state) => addMember(state, chat_id, contact_id),
  }),
  defineTool({
    name: 'remove_group_member',
    description: 'Removes a contact from a group.',
    input: z.object({ chat_id: recordId, contact_id: recordId }),
    run: ({ chat_id, contact_id }, state) => {
      if (state.run('DELETE FROM chat_members WHERE id = ?', `${chat_id}.${contact_id}`) === 0)
        throw new ToolError(`${contact_id} is not in ${chat_id}.`);
      return { chat_id, contact_id, status: 'removed' };
    },
  }),
  defineTool({
    name: 'make_group_admin',
    description: 'Makes a member an administrator of a group.',
    input: z.object({ chat_id: recordId, contact_id: recordId }),
    run: ({ chat_id, contact_id }, state) => {
      if (state.run('UPDATE chat_members SET admin = 1 WHERE id = ?', `${chat_id}.${contact_id}`) === 0)
        throw new ToolError(`${contact_id} is not in ${chat_id}.`);
      return { chat_id, contact_id, admin: true };
    },
  }),
  createTool({
    name: 'create_invite_link',
    description: 'Creates a link with which anyone can join a group.',
    table: 'invite_links',
    prefix: 'link',
    fields: { chat_id: recordId },
    set: (_, state) => ({ url: `https://join.example/c/${state.newId('join').slice(5)}`, active: 1 }),
    references: { chat_id: 'chats' },
  }),
  changeTool({
    name: 'update_chat',
    description: 'Changes the name of a group, mutes a chat, or lets its messages disappear after days.',
    table: 'chats',
    fields: {
      name: shortText.optional(),
      muted: z.boolean().optional(),
      disappearing_days: z.int().min(0).max(90).optional(),
    },
  }),
  createTool({
    name: 'make_call',
    description: 'Calls a contact.',
    table: 'calls',
    prefix: 'call',
    fields: { contact_id: recordId, kind: z.enum(['voice', 'video']).default('voice') },
    set: (_, state) => ({ started_at: state.now() }),
    references: { contact_id: 'contacts' },
  }),
  createTool({
    name: 'link_device',
    description: 'Links a further device, which then receives all messages.',
    table: 'devices',
    prefix: 'dev',
    fields: { name: shortText },
    set: (_, state) => ({ linked_at: state.now() }),
  }),
  deleteTool({ name: 'unlink_device', description: 'Unlinks a device.', table: 'devices' }),
  changeTool({
    name: 'change_setting',
    description: 'Changes a setting.',
    table: 'settings',
    fields: { value: shortText },
  }),
];

export const messengerTools: EnvironmentTool[] = [...reading, ...writing];
