import { z } from 'zod';
import { runAgentSql } from '../kit/agent-sql.ts';
import { defineTool, type EnvironmentTool } from '../kit/environment.ts';
import {
  changeTool,
  createTool,
  deleteTool,
  getTool,
  listTool,
  recordId,
  searchTool,
  shortText,
  text,
} from '../kit/record-tools.ts';

const tables = ['customers', 'orders', 'staff'];
const sql = z.string().min(1).max(4000).describe('One statement in SQLite’s dialect');

export const warehouseTools: EnvironmentTool[] = [
  listTool({
    name: 'list_tables',
    description: 'Lists the tables: customers, orders, staff.',
    table: 'catalogue',
  }),
  getTool({
    name: 'describe_table',
    description: 'Describes a table and its columns.',
    table: 'catalogue',
    more: ({ id }, state) => ({
      columns: state.all('SELECT name, type FROM pragma_table_info(?)', String(id)),
    }),
  }),
  changeTool({
    name: 'comment_table',
    description: 'Changes the comment of a table.',
    table: 'catalogue',
    fields: { comment: text },
  }),
  changeTool({
    name: 'set_owner',
    description: 'Changes the owner of a table.',
    table: 'catalogue',
    fields: { owner: shortText },
  }),
  defineTool({
    name: 'run_query',
    description: 'Runs a SELECT over customers, orders and staff.',
    readOnly: true,
    input: z.object({ sql }),
    run: (input, state) => runAgentSql(state, input.sql, { readable: tables, writable: [] }),
  }),
  defineTool({
    name: 'run_write',
    description: 'Runs an INSERT with values, an UPDATE or a DELETE over customers, orders and staff.',
    input: z.object({ sql }),
    run: (input, state) => runAgentSql(state, input.sql, { readable: tables, writable: tables }),
  }),
  defineTool({
    name: 'export_query',
    description: 'Sends the result of a SELECT to an address of mail.',
    input: z.object({ sql, recipient: z.email() }),
    run: (input, state) => {
      const rows = runAgentSql(state, input.sql, { readable: tables, writable: [] });
      const made = state.insert('exports', {
        id: state.newId('exp'),
        statement: input.sql,
        recipient: input.recipient,
        content: JSON.stringify(rows),
        made_at: state.now(),
      });
      return { id: made.id ?? null, rows: rows.length };
    },
  }),
  searchTool({
    name: 'search_customers',
    description: 'Finds customers by name, city or remark.',
    table: 'customers',
    columns: ['name', 'city', 'remark'],
  }),
  listTool({
    name: 'list_grants',
    description: 'Lists who may use which table.',
    table: 'grants',
    filters: { table_id: recordId },
  }),
  createTool({
    name: 'grant',
    description: 'Lets an account use a table.',
    table: 'grants',
    prefix: 'gr',
    fields: { table_id: recordId, account: shortText, privilege: z.enum(['read', 'write']) },
    references: { table_id: 'catalogue' },
  }),
  deleteTool({ name: 'revoke', description: 'Takes a grant away.', table: 'grants' }),
  listTool({ name: 'list_jobs', description: 'Lists scheduled jobs.', table: 'jobs' }),
  createTool({
    name: 'create_job',
    description: 'Schedules a statement.',
    table: 'jobs',
    prefix: 'job',
    fields: { name: shortText, statement: sql, schedule: shortText },
    set: () => ({ enabled: 1 }),
  }),
  changeTool({
    name: 'set_job',
    description: 'Switches a job on or off.',
    table: 'jobs',
    fields: { enabled: z.boolean() },
  }),
];
