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

const overview = 'id, folder_id, title, owner, link, trashed, updated_at';
const role = z.enum(['viewer', 'commenter', 'editor', 'owner']);

/** Changes the text of a document; the text before stays as a version. */
function write(state: EnvironmentState, id: string, body: string) {
  const before = existing(state, 'documents', id);
  if (before.trashed) throw new ToolError(`The document ${id} is in the trash.`);
  state.insert('versions', {
    id: state.newId('ver'),
    document_id: id,
    body: String(before.body),
    author: owner,
    saved_at: state.now(),
  });
  state.run('UPDATE documents SET body = ?, updated_at = ? WHERE id = ?', body, state.now(), id);
  return existing(state, 'documents', id);
}

const reading: EnvironmentTool[] = [
  listTool({ name: 'list_folders', description: 'Lists folders.', table: 'folders' }),
  listTool({
    name: 'list_documents',
    description: 'Lists documents without their text, those that changed last first.',
    table: 'documents',
    filters: { folder_id: recordId },
    show: overview,
    order: 'updated_at DESC, id',
  }),
  searchTool({
    name: 'search_documents',
    description: 'Finds documents by title or text.',
    table: 'documents',
    columns: ['title', 'body'],
    show: overview,
    order: 'updated_at DESC, id',
  }),
  getTool({
    name: 'get_document',
    description: 'Returns a document with open comments and suggestions.',
    table: 'documents',
    more: ({ id }, state) => ({
      comments: state.all(
        'SELECT id, author, body FROM comments WHERE document_id = ? AND resolved = 0 ORDER BY written_at, id',
        String(id),
      ),
      suggestions: state.all(
        `SELECT id, author, old_text, new_text FROM suggestions WHERE document_id = ? AND status = 'open'`,
        String(id),
      ),
    }),
  }),
  listTool({
    name: 'list_versions',
    description: 'Lists earlier versions of a document.',
    table: 'versions',
    filters: { document_id: recordId },
    order: 'saved_at DESC, id',
  }),
  listTool({
    name: 'list_permissions',
    description: 'Lists who may see or change a document.',
    table: 'permissions',
    filters: { document_id: recordId },
    show: 'id, document_id, email, role',
  }),
];

const writing: EnvironmentTool[] = [
  createTool({
    name: 'create_document',
    description: 'Creates a document.',
    table: 'documents',
    prefix: 'doc',
    fields: { folder_id: recordId, title: shortText, body: text },
    set: (_, state) => ({ owner, link: 'off', trashed: 0, updated_at: state.now() }),
    references: { folder_id: 'folders' },
  }),
  defineTool({
    name: 'replace_text',
    description: 'Replaces a passage of a document.',
    input: z.object({ id: recordId, old_text: text, new_text: z.string().max(10_000) }),
    run: ({ id, old_text, new_text }, state) => {
      const { body } = existing(state, 'documents', id);
      if (!String(body).includes(old_text))
        throw new ToolError(`The document ${id} does not hold that passage.`);
      return write(
        state,
        id,
        String(body).replace(old_text, () => new_text),
      );
    },
  }),
  defineTool({
    name: 'append_text',
    description: 'Adds text at the end of a document.',
    input: z.object({ id: recordId, text }),
    run: (input, state) =>
      write(state, input.id, `${String(existing(state, 'documents', input.id).body)}\n${input.text}`),
  }),
  defineTool({
    name: 'overwrite_document',
    description: 'Replaces the whole text of a document.',
    input: z.object({ id: recordId, body: text }),
    run: ({ id, body }, state) => write(state, id, body),
  }),
  changeTool({
    name: 'rename_document',
    description: 'Changes title or folder of a document.',
    table: 'documents',
    fields: { title: shortText.optional(), folder_id: recordId.optional() },
    references: { folder_id: 'folders' },
  }),
  defineTool({
    name: 'copy_document',
    description: 'Makes a copy of a document.',
    input: z.object({ id: recordId, title: shortText }),
    run: ({ id, title }, state) => {
      const { folder_id, body } = existing(state, 'documents', id);
      const copy = { id: state.newId('doc'), folder_id: String(folder_id), title, body: String(body) };
      return state.insert('documents', { ...copy, owner, link: 'off', trashed: 0, updated_at: state.now() });
    },
  }),
  changeTool({
    name: 'trash_document',
    description: 'Moves a document to the trash.',
    table: 'documents',
    set: () => ({ trashed: 1 }),
  }),
  deleteTool({
    name: 'delete_document',
    description: 'Deletes a document for good, with its versions and comments.',
    table: 'documents',
    also: { versions: 'document_id', comments: 'document_id', permissions: 'document_id' },
  }),
  defineTool({
    name: 'restore_version',
    description: 'Brings back an earlier version of a document.',
    input: z.object({ id: recordId.describe('The id of the version') }),
    run: ({ id }, state) => {
      const version = existing(state, 'versions', id);
      return write(state, String(version.document_id), String(version.body));
    },
  }),
  deleteTool({ name: 'delete_version', description: 'Deletes an earlier version.', table: 'versions' }),
  createTool({
    name: 'add_comment',
    description: 'Comments on a document.',
    table: 'comments',
    prefix: 'com',
    fields: { document_id: recordId, body: text },
    set: (_, state) => ({ author: owner, resolved: 0, written_at: state.now() }),
    references: { document_id: 'documents' },
  }),
  changeTool({
    name: 'resolve_comment',
    description: 'Marks a comment as resolved.',
    table: 'comments',
    set: () => ({ resolved: 1 }),
  }),
  createTool({
    name: 'suggest_change',
    description: 'Suggests to replace a passage.',
    table: 'suggestions',
    prefix: 'sug',
    fields: { document_id: recordId, old_text: text, new_text: text },
    set: () => ({ author: owner, status: 'open' }),
    references: { document_id: 'documents' },
  }),
  defineTool({
    name: 'accept_suggestion',
    description: 'Puts a suggested passage into the document.',
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      const { document_id, old_text, new_text, status } = existing(state, 'suggestions', id);
      if (status !== 'open') throw new ToolError(`The suggestion ${id} is ${String(status)}.`);
      const { body } = existing(state, 'documents', String(document_id));
      if (!String(body).includes(String(old_text)))
        throw new ToolError('The passage is no longer in the document.');
      state.run(`UPDATE suggestions SET status = 'accepted' WHERE id = ?`, id);
      return write(
        state,
        String(document_id),
        String(body).replace(String(old_text), () => String(new_text)),
      );
    },
  }),
  changeTool({
    name: 'reject_suggestion',
    description: 'Rejects a suggestion.',
    table: 'suggestions',
    set: () => ({ status: 'rejected' }),
    only: { column: 'status', values: ['open'] },
  }),
  defineTool({
    name: 'share_document',
    description: 'Lets somebody see, comment on or change a document; they get a mail with it.',
    input: z.object({ id: recordId, email: z.email(), role: role.exclude(['owner']) }),
    run: ({ id, email, role: given }, state) => {
      const { title, body } = existing(state, 'documents', id);
      const key = `${id}.${email}`;
      state.run('DELETE FROM permissions WHERE id = ?', key);
      const content = `${String(title)}\n${String(body)}`;
      state.insert('permissions', { id: key, document_id: id, email, role: given, content });
      return { id: key, document_id: id, email, role: given };
    },
  }),
  deleteTool({
    name: 'revoke_permission',
    description: 'Takes a permission back.',
    table: 'permissions',
  }),
  changeTool({
    name: 'transfer_ownership',
    description: 'Makes somebody else the owner of a document.',
    table: 'documents',
    fields: { owner: z.email() },
  }),
  changeTool({
    name: 'set_link',
    description: 'Says who can open a document by its link: nobody (off), the company, anyone.',
    table: 'documents',
    fields: { link: z.enum(['off', 'company', 'anyone']) },
  }),
  defineTool({
    name: 'export_document',
    description: 'Sends a document as PDF to an address.',
    input: z.object({ id: recordId, recipient: z.email() }),
    run: ({ id, recipient }, state) => {
      const { title, body } = existing(state, 'documents', id);
      const sent = { id: state.newId('exp'), document_id: id, recipient, sent_at: state.now() };
      state.insert('exports', { ...sent, content: `${String(title)}\n${String(body)}` });
      return sent;
    },
  }),
];

export const documentTools: EnvironmentTool[] = [...reading, ...writing];
