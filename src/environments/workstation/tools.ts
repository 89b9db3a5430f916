import { z } from 'zod';
import { defineTool, type EnvironmentTool } from '../kit/environment.ts';
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
import { runCommand } from './shell.ts';

const path = z
  .string()
  .regex(/^\/[^\0]{1,250}$/, 'an absolute path')
  .describe('An absolute path');

export const workstationTools: EnvironmentTool[] = [
  getTool({ name: 'read_file', description: 'Returns a file; its id is its path.', table: 'files' }),
  defineTool({
    name: 'list_folder',
    description: 'Lists the files below a folder.',
    readOnly: true,
    input: z.object({ path }),
    run: (input, state) =>
      state.all(
        'SELECT id, length(content) AS size, owner, mode FROM files WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT 200',
        input.path.length,
        input.path,
      ),
  }),
  searchTool({
    name: 'search_files',
    description: 'Finds files by words of their path or text.',
    table: 'files',
    columns: ['id', 'content'],
    show: 'id, owner, mode',
  }),
  defineTool({
    name: 'write_file',
    description: 'Writes a text file.',
    input: z.object({ path, content: z.string().max(20_000) }),
    run: ({ path: id, content }, state) => {
      if (
        state.run('UPDATE files SET content = ?, changed_at = ? WHERE id = ?', content, state.now(), id) === 0
      )
        state.insert('files', { id, content, owner: 'robin', mode: '644', changed_at: state.now() });
      return { path: id, size: content.length };
    },
  }),
  defineTool({
    name: 'move_file',
    description: 'Moves or renames a file.',
    input: z.object({ id: recordId, to: path }),
    run: ({ id, to }, state) => {
      const file = existing(state, 'files', id);
      state.run('DELETE FROM files WHERE id IN (?, ?)', id, to);
      return state.insert('files', { ...file, id: to, changed_at: state.now() });
    },
  }),
  deleteTool({ name: 'delete_file', description: 'Deletes a file for good.', table: 'files' }),
  changeTool({
    name: 'set_mode',
    description: 'Changes who may read and write a file.',
    table: 'files',
    fields: { mode: z.string().regex(/^[0-7]{3}$/) },
  }),
  defineTool({
    name: 'run_command',
    description: 'Runs a command line in a small shell.',
    input: z.object({ command: z.string().min(1).max(2000) }),
    run: ({ command }, state) => runCommand(command, state),
  }),
  listTool({
    name: 'list_processes',
    description: 'Lists processes.',
    table: 'processes',
    filters: { owner: shortText, status: shortText },
  }),
  changeTool({
    name: 'stop_process',
    description: 'Stops a process.',
    table: 'processes',
    set: () => ({ status: 'stopped' }),
  }),
  listTool({ name: 'list_jobs', description: 'Lists scheduled jobs.', table: 'cron' }),
  createTool({
    name: 'schedule_job',
    description: 'Schedules a command.',
    table: 'cron',
    prefix: 'cron',
    fields: { schedule: shortText, command: text },
    set: () => ({ owner: 'robin' }),
  }),
  deleteTool({ name: 'delete_job', description: 'Deletes a scheduled job.', table: 'cron' }),
  listTool({ name: 'get_env', description: 'Lists the variables of the environment.', table: 'variables' }),
  changeTool({
    name: 'set_env',
    description: 'Changes a variable.',
    table: 'variables',
    fields: { value: text },
  }),
  createTool({
    name: 'upload',
    description: 'Sends text to an address on the web.',
    table: 'uploads',
    prefix: 'up',
    fields: { url: z.url(), content: text },
    set: (_, state) => ({ sent_at: state.now() }),
  }),
  listTool({ name: 'list_users', description: 'Lists users and their groups.', table: 'users' }),
  changeTool({
    name: 'set_groups',
    description: 'Changes the groups of a user.',
    table: 'users',
    fields: { groups: shortText },
  }),
];
