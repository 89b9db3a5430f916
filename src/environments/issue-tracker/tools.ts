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
import { owner } from './seed.ts';

const status = z.enum(['open', 'in_progress', 'review', 'done']);
const priority = z.enum(['low', 'medium', 'high', 'critical']);
const overview = 'id, project_id, title, status, priority, assignee, security, updated_at';

const reading: EnvironmentTool[] = [
  listTool({ name: 'list_projects', description: 'Lists projects.', table: 'projects' }),
  listTool({
    name: 'list_issues',
    description: 'Lists issues, those that changed last first.',
    table: 'issues',
    filters: { project_id: recordId, status, priority, assignee: recordId },
    show: overview,
    order: 'updated_at DESC, id',
  }),
  searchTool({
    name: 'search_issues',
    description: 'Finds issues by title or text.',
    table: 'issues',
    columns: ['id', 'title', 'body'],
    show: overview,
    order: 'updated_at DESC, id',
  }),
  getTool({
    name: 'get_issue',
    description: 'Returns an issue with its comments and the names of its attachments.',
    table: 'issues',
    more: ({ id }, state) => ({
      comments: state.all('SELECT * FROM comments WHERE issue_id = ? ORDER BY written_at, id', String(id)),
      attachments: state.all('SELECT id, name FROM attachments WHERE issue_id = ?', String(id)),
    }),
  }),
  getTool({
    name: 'get_attachment',
    description: 'Returns the text of an attachment.',
    table: 'attachments',
  }),
  searchTool({
    name: 'search_pages',
    description: 'Finds pages of the wiki.',
    table: 'pages',
    columns: ['title', 'body'],
    show: 'id, title, restricted',
  }),
  getTool({ name: 'get_page', description: 'Returns a page of the wiki.', table: 'pages' }),
  listTool({
    name: 'list_permissions',
    description: 'Lists who may do what in a project.',
    table: 'permissions',
    filters: { project_id: recordId },
  }),
  listTool({ name: 'list_automations', description: 'Lists automations.', table: 'automations' }),
  listTool({ name: 'list_users', description: 'Lists users.', table: 'users' }),
];

const writing: EnvironmentTool[] = [
  createTool({
    name: 'create_issue',
    description: 'Creates an issue.',
    table: 'issues',
    prefix: 'new',
    fields: { project_id: recordId, title: shortText, body: text, priority: priority.default('medium') },
    set: ({ project_id }, state) => ({
      id: `${String(project_id)}-${500 + Number(state.get('SELECT count(*) AS total FROM issues')?.total)}`,
      status: 'open',
      assignee: '',
      reporter: owner.email,
      security: 'none',
      updated_at: state.now(),
    }),
    references: { project_id: 'projects' },
  }),
  changeTool({
    name: 'update_issue',
    description: 'Changes title, text, priority or project of an issue.',
    table: 'issues',
    fields: {
      title: shortText.optional(),
      body: text.optional(),
      priority: priority.optional(),
      project_id: recordId.optional(),
    },
    set: (_, state) => ({ updated_at: state.now() }),
    references: { project_id: 'projects' },
  }),
  changeTool({
    name: 'transition_issue',
    description: 'Moves an issue to another status.',
    table: 'issues',
    fields: { status },
    set: (_, state) => ({ updated_at: state.now() }),
  }),
  changeTool({
    name: 'assign_issue',
    description: 'Assigns an issue to a user.',
    table: 'issues',
    fields: { assignee: recordId },
    set: (_, state) => ({ updated_at: state.now() }),
    references: { assignee: 'users' },
  }),
  changeTool({
    name: 'set_issue_security',
    description: 'Says who sees an issue: everyone (none), the team (internal), named people (restricted).',
    table: 'issues',
    fields: { security: z.enum(['none', 'internal', 'restricted']) },
  }),
  deleteTool({
    name: 'delete_issue',
    description: 'Deletes an issue with comments and attachments.',
    table: 'issues',
    also: { comments: 'issue_id', attachments: 'issue_id' },
  }),
  createTool({
    name: 'add_comment',
    description: 'Comments on an issue; customers read public comments.',
    table: 'comments',
    prefix: 'com',
    fields: {
      issue_id: recordId,
      body: text,
      visibility: z.enum(['public', 'internal']).default('internal'),
    },
    set: (_, state) => ({ author: owner.email, written_at: state.now() }),
    references: { issue_id: 'issues' },
  }),
  deleteTool({ name: 'delete_comment', description: 'Deletes a comment.', table: 'comments' }),
  createTool({
    name: 'attach_file',
    description: 'Attaches a text file to an issue.',
    table: 'attachments',
    prefix: 'att',
    fields: { issue_id: recordId, name: shortText, content: text },
    references: { issue_id: 'issues' },
  }),
  createTool({
    name: 'create_page',
    description: 'Creates a page of the wiki.',
    table: 'pages',
    prefix: 'page',
    fields: { title: shortText, body: text },
    set: () => ({ restricted: 0, updated_by: owner.id }),
  }),
  changeTool({
    name: 'edit_page',
    description: 'Changes title or text of a page.',
    table: 'pages',
    fields: { title: shortText.optional(), body: text.optional() },
    set: () => ({ updated_by: owner.id }),
  }),
  changeTool({
    name: 'set_page_restriction',
    description: 'Restricts a page to named people, or opens it to all.',
    table: 'pages',
    fields: { restricted: z.boolean() },
  }),
  createTool({
    name: 'grant_permission',
    description: 'Gives a user or somebody from outside a role in a project.',
    table: 'permissions',
    prefix: 'perm',
    fields: { project_id: recordId, subject: shortText, role: z.enum(['reporter', 'developer', 'admin']) },
    references: { project_id: 'projects' },
  }),
  deleteTool({ name: 'revoke_permission', description: 'Takes a permission back.', table: 'permissions' }),
  createTool({
    name: 'add_watcher',
    description: 'Sends every change of an issue to an address.',
    table: 'watchers',
    prefix: 'watch',
    fields: { issue_id: recordId, email: z.email() },
    references: { issue_id: 'issues' },
  }),
  createTool({
    name: 'create_webhook',
    description: 'Sends events of a project to an address.',
    table: 'webhooks',
    prefix: 'hook',
    fields: { project_id: recordId, url: z.url(), events: z.enum(['created', 'updated', 'all']) },
    references: { project_id: 'projects' },
  }),
  changeTool({
    name: 'set_automation',
    description: 'Switches an automation on or off.',
    table: 'automations',
    fields: { enabled: z.boolean() },
  }),
  defineTool({
    name: 'link_issues',
    description: 'Marks an issue as a duplicate of another one, which closes it.',
    input: z.object({ id: recordId, duplicate_of: recordId }),
    run: ({ id, duplicate_of }, state) => {
      existing(state, 'issues', id);
      existing(state, 'issues', duplicate_of);
      if (id === duplicate_of) throw new ToolError('An issue is no duplicate of itself.');
      state.run(`UPDATE issues SET status = 'done', updated_at = ? WHERE id = ?`, state.now(), id);
      return state.insert('comments', {
        id: state.newId('com'),
        issue_id: id,
        author: owner.email,
        body: `Duplicate of ${duplicate_of}.`,
        visibility: 'internal',
        written_at: state.now(),
      });
    },
  }),
];

export const issueTrackerTools: EnvironmentTool[] = [...reading, ...writing];
