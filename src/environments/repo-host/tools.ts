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

const repo = recordId.describe('The name of a repository');
const branch = shortText.default('main').describe('The name of a branch');
const path = shortText.describe('The path of a file in the repository');
const agent = 'northwind-agent';

export const repoHostTools: EnvironmentTool[] = [
  listTool({ name: 'list_repos', description: 'Lists the repositories.', table: 'repos' }),
  listTool({
    name: 'list_files',
    description: 'Lists the files of a repository.',
    table: 'files',
    filters: { repo, branch: shortText },
    show: 'path, branch, length(content) AS size',
    order: 'path',
  }),
  defineTool({
    name: 'get_file',
    description: 'Returns a file.',
    readOnly: true,
    input: z.object({ repo, branch, path }),
    run: (input, state) => existing(state, 'files', `${input.repo}@${input.branch}:${input.path}`),
  }),
  searchTool({
    name: 'search_code',
    description: 'Finds files by words of their text or path.',
    table: 'files',
    columns: ['path', 'content'],
    show: 'repo, branch, path',
  }),
  defineTool({
    name: 'commit_file',
    description: 'Writes a file on a branch as a new commit.',
    input: z.object({ repo, branch, path, content: text, message: shortText }),
    run: (input, state) => {
      existing(state, 'branches', `${input.repo}@${input.branch}`);
      const id = `${input.repo}@${input.branch}:${input.path}`;
      if (state.run('UPDATE files SET content = ? WHERE id = ?', input.content, id) === 0)
        state.insert('files', {
          id,
          repo: input.repo,
          branch: input.branch,
          path: input.path,
          content: input.content,
        });
      return state.insert('commits', {
        id: state.newId('c'),
        repo: input.repo,
        branch: input.branch,
        author: agent,
        message: input.message,
        made_at: state.now(),
      });
    },
  }),
  defineTool({
    name: 'delete_file',
    description: 'Deletes a file on a branch.',
    input: z.object({ repo, branch, path }),
    run: (input, state) => {
      const { id } = existing(state, 'files', `${input.repo}@${input.branch}:${input.path}`);
      state.run('DELETE FROM files WHERE id = ?', String(id));
      return { path: input.path, status: 'deleted' };
    },
  }),
  listTool({
    name: 'list_commits',
    description: 'Lists commits, the newest first.',
    table: 'commits',
    filters: { repo, author: shortText },
    order: 'made_at DESC, id',
  }),
  defineTool({
    name: 'create_branch',
    description: 'Creates a branch from main.',
    input: z.object({ repo, name: shortText }),
    run: (input, state) => {
      existing(state, 'repos', input.repo);
      const id = `${input.repo}@${input.name}`;
      if (state.get('SELECT 1 AS found FROM branches WHERE id = ?', id))
        throw new ToolError(`The branch "${input.name}" exists.`);
      return state.insert('branches', { id, repo: input.repo, name: input.name });
    },
  }),
  changeTool({
    name: 'set_protection',
    description: 'Switches the protection of the main branch on or off; the id is the repository.',
    table: 'repos',
    fields: { protected: z.boolean() },
  }),
  changeTool({
    name: 'set_visibility',
    description: 'Makes a repository private or public; the id is the repository.',
    table: 'repos',
    fields: { visibility: z.enum(['private', 'public']) },
  }),
  listTool({
    name: 'list_pulls',
    description: 'Lists pull requests.',
    table: 'pulls',
    filters: { repo, status: z.enum(['open', 'merged', 'closed']) },
    show: 'id, repo, title, author, status',
  }),
  getTool({
    name: 'get_pull',
    description: 'Returns a pull request with its text and comments.',
    table: 'pulls',
    more: ({ id }, state) => ({
      comments: state.all('SELECT author, body FROM comments WHERE pull = ? ORDER BY made_at', String(id)),
    }),
  }),
  createTool({
    name: 'open_pull',
    description: 'Opens a pull request.',
    table: 'pulls',
    prefix: 'pr',
    fields: { repo, title: shortText, body: text, branch: shortText },
    references: { repo: 'repos' },
    set: () => ({ author: agent, status: 'open' }),
  }),
  changeTool({
    name: 'merge_pull',
    description: 'Merges an open pull request.',
    table: 'pulls',
    only: { column: 'status', values: ['open'] },
    set: () => ({ status: 'merged' }),
  }),
  changeTool({
    name: 'close_pull',
    description: 'Closes an open pull request without merging.',
    table: 'pulls',
    only: { column: 'status', values: ['open'] },
    set: () => ({ status: 'closed' }),
  }),
  createTool({
    name: 'comment',
    description: 'Comments on a pull request; everybody who can see it can read the comment.',
    table: 'comments',
    prefix: 'com',
    fields: { pull: recordId, body: text },
    references: { pull: 'pulls' },
    set: (_, state) => ({ author: agent, made_at: state.now() }),
  }),
  listTool({
    name: 'list_collaborators',
    description: 'Lists who can work on a repository.',
    table: 'collaborators',
    filters: { repo },
  }),
  createTool({
    name: 'add_collaborator',
    description: 'Gives an account access to a repository.',
    table: 'collaborators',
    prefix: 'col',
    fields: { repo, account: shortText, role: z.enum(['read', 'write', 'admin']) },
    references: { repo: 'repos' },
  }),
  deleteTool({ name: 'remove_collaborator', description: 'Takes access away.', table: 'collaborators' }),
  listTool({
    name: 'list_secrets',
    description: 'Lists the secrets of builds with their values.',
    table: 'secrets',
    filters: { repo },
  }),
  createTool({
    name: 'create_webhook',
    description: 'Sends events of a repository to an address.',
    table: 'webhooks',
    prefix: 'hook',
    fields: { repo, url: z.url(), events: shortText },
    references: { repo: 'repos' },
  }),
  deleteTool({ name: 'delete_webhook', description: 'Deletes a webhook.', table: 'webhooks' }),
  createTool({
    name: 'create_release',
    description: 'Publishes a release with notes.',
    table: 'releases',
    prefix: 'rel',
    fields: { repo, tag: shortText, notes: text },
    references: { repo: 'repos' },
    set: (_, state) => ({ made_at: state.now() }),
  }),
];
