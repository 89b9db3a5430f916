import { z } from 'zod';
import { defineTool, type EnvironmentTool, ToolError } from '../kit/environment.ts';
import type { Row } from '../kit/row.ts';
import type { EnvironmentState } from '../kit/state.ts';
import { owner } from './seed.ts';

const addresses = z.array(z.email()).describe('E-mail addresses');
const messageId = z.string().describe('The id of a message, as list_messages and search_messages return it');
const limit = z.int().min(1).max(50).default(20).describe('At most this many');

const overview = 'id, folder, sender, recipients, subject, sent_at, read';

function message(state: EnvironmentState, id: string): Row {
  const found = state.get('SELECT * FROM messages WHERE id = ?', id);
  if (!found) throw new ToolError(`There is no message with the id "${id}".`);
  return found;
}

function attachmentsOf(state: EnvironmentState, id: string): Row[] {
  return state.all('SELECT id, name, length(content) AS size FROM attachments WHERE message_id = ?', id);
}

interface Outgoing {
  to: string[];
  cc?: string[] | undefined;
  subject: string;
  body: string;
  thread?: string;
}

function send(state: EnvironmentState, { to, cc = [], subject, body, thread }: Outgoing) {
  const id = state.newId('msg');
  state.insert('messages', {
    id,
    folder: 'sent',
    sender: owner.email,
    recipients: to.join(', '),
    cc: cc.join(', '),
    subject,
    body,
    sent_at: state.now(),
    read: 1,
    thread: thread ?? id,
  });
  return { id, status: 'sent', to };
}

export const mailTools: EnvironmentTool[] = [
  defineTool({
    name: 'list_messages',
    description: 'Lists messages of a folder, the newest first, without their text.',
    readOnly: true,
    input: z.object({
      folder: z.enum(['inbox', 'sent', 'archive', 'trash']).default('inbox'),
      unread_only: z.boolean().default(false),
      limit,
    }),
    run: ({ folder, unread_only, limit: most }, state) =>
      state.all(
        `SELECT ${overview} FROM messages WHERE folder = ? AND (read = 0 OR ? = 0) ORDER BY sent_at DESC, id LIMIT ?`,
        folder,
        unread_only ? 1 : 0,
        most,
      ),
  }),
  defineTool({
    name: 'search_messages',
    description:
      'Finds messages whose sender, subject or text contains the words, in all folders but the trash.',
    readOnly: true,
    input: z.object({ query: z.string().min(1), limit }),
    run: ({ query, limit: most }, state) =>
      state.all(
        `SELECT ${overview} FROM messages WHERE folder <> 'trash'
         AND instr(lower(sender || ' ' || subject || ' ' || body), lower(?)) > 0 ORDER BY sent_at DESC, id LIMIT ?`,
        query,
        most,
      ),
  }),
  defineTool({
    name: 'get_message',
    description: 'Returns a message with its text and the names of its attachments, and marks it as read.',
    input: z.object({ id: messageId }),
    run: ({ id }, state) => {
      const found = message(state, id);
      state.run('UPDATE messages SET read = 1 WHERE id = ?', id);
      return { ...found, attachments: attachmentsOf(state, id) };
    },
  }),
  defineTool({
    name: 'get_attachment',
    description: 'Returns the text of an attachment.',
    readOnly: true,
    input: z.object({ id: z.string() }),
    run: ({ id }, state) => {
      const found = state.get('SELECT name, content FROM attachments WHERE id = ?', id);
      if (!found) throw new ToolError(`There is no attachment with the id "${id}".`);
      return found;
    },
  }),
  defineTool({
    name: 'send_message',
    description: 'Sends a message from this mailbox.',
    input: z.object({
      to: addresses.min(1),
      cc: addresses.optional(),
      subject: z.string().max(300),
      body: z.string().max(20_000),
    }),
    run: (input, state) => send(state, input),
  }),
  defineTool({
    name: 'reply',
    description: 'Answers the sender of a message.',
    input: z.object({ id: messageId, body: z.string().max(20_000) }),
    run: ({ id, body }, state) => {
      const original = message(state, id);
      return send(state, {
        to: [String(original.sender)],
        subject: `Re: ${String(original.subject)}`,
        body,
        thread: String(original.thread ?? id),
      });
    },
  }),
  defineTool({
    name: 'forward',
    description: 'Forwards a message, with its text, to other addresses.',
    input: z.object({ id: messageId, to: addresses.min(1), comment: z.string().max(5000).default('') }),
    run: ({ id, to, comment }, state) => {
      const original = message(state, id);
      const attached = state.all('SELECT name, content FROM attachments WHERE message_id = ?', id);
      const copies = attached.map((file) => `\n\n[${String(file.name)}]\n${String(file.content)}`).join('');
      return send(state, {
        to,
        subject: `Fwd: ${String(original.subject)}`,
        body: `${comment}\n\nFrom: ${String(original.sender)}\n${String(original.body)}${copies}`,
      });
    },
  }),
  defineTool({
    name: 'delete_message',
    description: 'Moves a message to the trash; a message in the trash is deleted for good.',
    input: z.object({ id: messageId }),
    run: ({ id }, state) => {
      if (message(state, id).folder === 'trash') state.run('DELETE FROM messages WHERE id = ?', id);
      else state.run(`UPDATE messages SET folder = 'trash' WHERE id = ?`, id);
      return { id, status: 'deleted' };
    },
  }),
  defineTool({
    name: 'archive_message',
    description: 'Moves a message to the archive.',
    input: z.object({ id: messageId }),
    run: ({ id }, state) => {
      message(state, id);
      state.run(`UPDATE messages SET folder = 'archive' WHERE id = ?`, id);
      return { id, status: 'archived' };
    },
  }),
  defineTool({
    name: 'search_contacts',
    description: 'Finds people of the address book by name, company or address.',
    readOnly: true,
    input: z.object({ query: z.string().min(1), limit }),
    run: ({ query, limit: most }, state) =>
      state.all(
        `SELECT * FROM contacts WHERE instr(lower(name || ' ' || company || ' ' || email), lower(?)) > 0 ORDER BY name LIMIT ?`,
        query,
        most,
      ),
  }),
  defineTool({
    name: 'add_contact',
    description: 'Adds a person to the address book, or changes the entry with this address.',
    input: z.object({
      email: z.email(),
      name: z.string(),
      company: z.string().default(''),
      note: z.string().default(''),
    }),
    run: (entry, state) => {
      state.run('DELETE FROM contacts WHERE email = ?', entry.email);
      return state.insert('contacts', entry);
    },
  }),
  defineTool({
    name: 'list_rules',
    description: 'Lists the rules that are applied to incoming mail.',
    readOnly: true,
    input: z.object({}),
    run: (_, state) => state.all('SELECT * FROM rules ORDER BY id'),
  }),
  defineTool({
    name: 'create_rule',
    description: 'Creates a rule for incoming mail: forward to an address, archive or delete what matches.',
    input: z.object({
      field: z.enum(['sender', 'subject', 'body']),
      contains: z.string().max(200),
      action: z.enum(['forward', 'archive', 'delete']),
      target: z.string().default('').describe('The address to forward to'),
    }),
    run: (rule, state) => {
      if (rule.action === 'forward' && !z.email().safeParse(rule.target).success)
        throw new ToolError('A rule that forwards needs an e-mail address as its target.');
      return state.insert('rules', { id: state.newId('rule'), ...rule });
    },
  }),
  defineTool({
    name: 'delete_rule',
    description: 'Deletes a rule for incoming mail.',
    input: z.object({ id: z.string() }),
    run: ({ id }, state) => {
      if (state.run('DELETE FROM rules WHERE id = ?', id) === 0)
        throw new ToolError(`There is no rule "${id}".`);
      return { id, status: 'deleted' };
    },
  }),
];
