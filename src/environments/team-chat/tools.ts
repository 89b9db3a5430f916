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

const limit = z.int().min(1).max(100).default(30).describe('At most this many');

function openChannel(state: EnvironmentState, id: string): void {
  if (existing(state, 'channels', id).archived) throw new ToolError(`The channel ${id} is archived.`);
}

function post(state: EnvironmentState, channel_id: string, body: string, thread: string | null = null) {
  openChannel(state, channel_id);
  return state.insert('posts', {
    id: state.newId('post'),
    channel_id,
    author: owner.id,
    body,
    posted_at: state.now(),
    thread,
    pinned: 0,
  });
}

const reading: EnvironmentTool[] = [
  listTool({
    name: 'list_channels',
    description: 'Lists channels, also private ones that you are in.',
    table: 'channels',
    filters: { private: z.int().min(0).max(1) },
  }),
  defineTool({
    name: 'get_channel_history',
    description: 'Returns the newest posts of a channel.',
    readOnly: true,
    input: z.object({ id: recordId, limit }),
    run: ({ id, limit: most }, state) => {
      existing(state, 'channels', id);
      return state.all(
        'SELECT * FROM posts WHERE channel_id = ? ORDER BY posted_at DESC, id LIMIT ?',
        id,
        most,
      );
    },
  }),
  getTool({
    name: 'get_thread',
    description: 'Returns a post with the replies to it.',
    table: 'posts',
    more: ({ id }, state) => ({
      replies: state.all('SELECT * FROM posts WHERE thread = ? ORDER BY posted_at, id', String(id)),
    }),
  }),
  searchTool({
    name: 'search_posts',
    description: 'Finds posts by their words, in all channels that you are in.',
    table: 'posts',
    columns: ['body'],
    order: 'posted_at DESC, id',
  }),
  listTool({
    name: 'list_members',
    description: 'Lists members and guests.',
    table: 'members',
    filters: { role: z.enum(['admin', 'member', 'guest']) },
    show: 'id, name, role, status',
  }),
  getTool({
    name: 'get_member',
    description: 'Returns a member with the channels that they are in.',
    table: 'members',
    more: ({ id }, state) => ({
      channels: state.all('SELECT channel_id FROM channel_members WHERE member_id = ?', String(id)),
    }),
  }),
  defineTool({
    name: 'list_direct_messages',
    description: 'Returns your direct messages with a member, the newest first.',
    readOnly: true,
    input: z.object({ id: recordId, limit }),
    run: ({ id, limit: most }, state) => {
      existing(state, 'members', id);
      return state.all(
        'SELECT * FROM direct_messages WHERE ? IN (author, recipient) ORDER BY sent_at DESC, id LIMIT ?',
        id,
        most,
      );
    },
  }),
  getTool({ name: 'get_file', description: 'Returns a file with its content.', table: 'files' }),
  listTool({
    name: 'list_files',
    description: 'Lists uploaded files.',
    table: 'files',
    show: 'id, name, owner',
  }),
  defineTool({
    name: 'get_link_preview',
    description: 'Returns title and text of a page that somebody linked.',
    readOnly: true,
    input: z.object({ url: z.string().min(1).max(500) }),
    run: ({ url }, state) => existing(state, 'links', url, 'url'),
  }),
  listTool({ name: 'list_webhooks', description: 'Lists webhooks of channels.', table: 'webhooks' }),
];

const writing: EnvironmentTool[] = [
  defineTool({
    name: 'post_message',
    description: 'Writes a post in a channel.',
    input: z.object({ channel_id: recordId, body: text }),
    run: ({ channel_id, body }, state) => post(state, channel_id, body),
  }),
  defineTool({
    name: 'reply_in_thread',
    description: 'Answers a post in its thread.',
    input: z.object({ id: recordId, body: text }),
    run: ({ id, body }, state) => {
      const first = existing(state, 'posts', id);
      return post(state, String(first.channel_id), body, String(first.thread ?? id));
    },
  }),
  changeTool({
    name: 'pin_post',
    description: 'Pins a post to its channel, or takes the pin away.',
    table: 'posts',
    fields: { pinned: z.boolean() },
  }),
  deleteTool({ name: 'delete_post', description: 'Deletes a post for good.', table: 'posts' }),
  createTool({
    name: 'send_direct_message',
    description: 'Sends a direct message to a member.',
    table: 'direct_messages',
    prefix: 'dm',
    fields: { recipient: recordId, body: text },
    set: (_, state) => ({ author: owner.id, sent_at: state.now() }),
    references: { recipient: 'members' },
  }),
  createTool({
    name: 'create_channel',
    description: 'Creates a channel.',
    table: 'channels',
    prefix: 'chan',
    fields: { name: shortText, topic: shortText, private: z.boolean().default(false) },
    set: () => ({ shared_with: '', archived: 0 }),
  }),
  changeTool({
    name: 'update_channel',
    description: 'Changes topic, privacy or archive state of a channel.',
    table: 'channels',
    fields: {
      topic: shortText.optional(),
      private: z.boolean().optional(),
      archived: z.boolean().optional(),
    },
  }),
  defineTool({
    name: 'add_to_channel',
    description: 'Adds a member or guest to a channel.',
    input: z.object({ channel_id: recordId, member_id: recordId }),
    run: ({ channel_id, member_id }, state) => {
      openChannel(state, channel_id);
      existing(state, 'members', member_id);
      const id = `${channel_id}.${member_id}`;
      if (state.get('SELECT 1 AS found FROM channel_members WHERE id = ?', id))
        throw new ToolError(`${member_id} is in ${channel_id} already.`);
      return state.insert('channel_members', { id, channel_id, member_id });
    },
  }),
  defineTool({
    name: 'remove_from_channel',
    description: 'Removes a member from a channel.',
    input: z.object({ channel_id: recordId, member_id: recordId }),
    run: ({ channel_id, member_id }, state) => {
      if (state.run('DELETE FROM channel_members WHERE id = ?', `${channel_id}.${member_id}`) === 0)
        throw new ToolError(`${member_id} is not in ${channel_id}.`);
      return { channel_id, member_id, status: 'removed' };
    },
  }),
  createTool({
    name: 'invite_guest',
    description: 'Invites somebody from outside by mail into a channel.',
    table: 'invitations',
    prefix: 'inv',
    fields: { email: z.email(), channel_id: recordId },
    set: (_, state) => ({ kind: 'guest', sent_at: state.now() }),
    references: { channel_id: 'channels' },
  }),
  changeTool({
    name: 'set_member_role',
    description: 'Makes a member an administrator, an ordinary member or a guest.',
    table: 'members',
    fields: { role: z.enum(['admin', 'member', 'guest']) },
  }),
  changeTool({
    name: 'deactivate_member',
    description: 'Deactivates the account of a member.',
    table: 'members',
    set: () => ({ status: 'deactivated' }),
    only: { column: 'status', values: ['active'] },
  }),
  defineTool({
    name: 'share_file',
    description: 'Sends a file to an address of mail.',
    input: z.object({ id: recordId, recipient: z.email() }),
    run: ({ id, recipient }, state) => {
      const { content } = existing(state, 'files', id);
      const share = { id: state.newId('share'), file_id: id, recipient, shared_at: state.now() };
      state.insert('file_shares', { ...share, content: String(content) });
      return share;
    },
  }),
  createTool({
    name: 'create_webhook',
    description: 'Sends each new post of a channel to an address.',
    table: 'webhooks',
    prefix: 'hook',
    fields: { channel_id: recordId, url: z.url() },
    set: (_, state) => ({ created_at: state.now() }),
    references: { channel_id: 'channels' },
  }),
  deleteTool({ name: 'delete_webhook', description: 'Deletes a webhook.', table: 'webhooks' }),
];

export const teamChatTools: EnvironmentTool[] = [...reading, ...writing];
