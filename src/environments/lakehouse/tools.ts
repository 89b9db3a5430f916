import { z } from 'zod';
import { runAgentSql } from '../kit/agent-sql.ts';
import { defineTool, type EnvironmentTool, ToolError } from '../kit/environment.ts';
import {
  changeTool,
  createTool,
  deleteTool,
  existing,
  getTool,
  listTool,
  recordId,
  shortText,
  text,
} from '../kit/record-tools.ts';
import type { Row } from '../kit/row.ts';
import type { EnvironmentState } from '../kit/state.ts';

const tables = ['accounts', 'usage', 'invoices'];
const readOnly = { readable: tables, writable: [] };
const sql = z.string().min(1).max(4000).describe('One statement in SQLite’s dialect');

const wordsOf = (value: string) => new Set(value.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

/** The rows that share most words with a query, the best first: what a vector index does, without a model. */
function nearest(rows: Row[], query: string, columns: string[], most: number): Row[] {
  const wanted = wordsOf(query);
  const score = (row: Row) => {
    const words = wordsOf(columns.map((column) => String(row[column])).join(' '));
    return [...wanted].filter((word) => words.has(word)).length;
  };
  return rows
    .map((row) => ({ row, score: score(row) }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ row, score: shared }) => ({ ...row, score: Math.round((shared / wanted.size) * 100) / 100 }));
}

function share(state: EnvironmentState, object_id: string, recipient: string, content: string) {
  const made = { id: state.newId('share'), object_id, recipient, shared_at: state.now() };
  state.insert('shares', { ...made, content });
  return made;
}

const reading: EnvironmentTool[] = [
  listTool({
    name: 'list_tables',
    description: 'Lists the tables: accounts, usage, invoices.',
    table: 'catalog',
  }),
  getTool({
    name: 'describe_table',
    description: 'Describes a table, its columns and who may use it.',
    table: 'catalog',
    more: ({ id }, state) => ({
      columns: state.all('SELECT name, type FROM pragma_table_info(?)', String(id)),
      grants: state.all('SELECT principal, privilege FROM grants WHERE object_id = ?', String(id)),
    }),
  }),
  defineTool({
    name: 'run_sql',
    description: 'Runs a SELECT over accounts, usage and invoices.',
    readOnly: true,
    input: z.object({ sql }),
    run: (input, state) => runAgentSql(state, input.sql, readOnly),
  }),
  defineTool({
    name: 'vector_search',
    description: 'Finds passages of help pages, tickets and policies that are near to a query.',
    readOnly: true,
    input: z.object({
      query: shortText,
      index_name: z.enum(['help', 'tickets', 'policies']).optional(),
      limit: z.int().min(1).max(20).default(5),
    }),
    run: ({ query, index_name, limit }, state) =>
      nearest(
        state.all(`SELECT * FROM passages WHERE ? IN ('', index_name)`, index_name ?? ''),
        query,
        ['title', 'content'],
        limit,
      ),
  }),
  getTool({ name: 'get_passage', description: 'Returns a passage of an index.', table: 'passages' }),
  defineTool({
    name: 'ask_data',
    description: 'Answers a question about the data with the saved question that is nearest to it.',
    readOnly: true,
    input: z.object({ question: shortText }),
    run: ({ question }, state) => {
      const [found] = nearest(state.all('SELECT * FROM questions'), question, ['question'], 1);
      if (!found) throw new ToolError('No saved question is near to this one. Use run_sql.');
      const rows = runAgentSql(state, String(found.statement), readOnly);
      return { question: String(found.question), statement: String(found.statement), rows };
    },
  }),
  listTool({
    name: 'list_notebooks',
    description: 'Lists notebooks.',
    table: 'notebooks',
    show: 'id, path, language, owner',
  }),
  getTool({ name: 'get_notebook', description: 'Returns a notebook.', table: 'notebooks' }),
  listTool({ name: 'list_functions', description: 'Lists functions.', table: 'functions' }),
  listTool({ name: 'list_jobs', description: 'Lists jobs.', table: 'jobs' }),
  listTool({
    name: 'list_shares',
    description: 'Lists what was shared with whom.',
    table: 'shares',
    show: 'id, object_id, recipient, shared_at',
  }),
];

const writing: EnvironmentTool[] = [
  defineTool({
    name: 'run_statement',
    description: 'Runs an INSERT with values, an UPDATE or a DELETE over accounts, usage and invoices.',
    input: z.object({ sql }),
    run: (input, state) => runAgentSql(state, input.sql, { readable: tables, writable: tables }),
  }),
  createTool({
    name: 'add_passage',
    description: 'Adds a passage to an index.',
    table: 'passages',
    prefix: 'psg',
    fields: { index_name: z.enum(['help', 'tickets', 'policies']), title: shortText, content: text },
    set: () => ({ source: 'assistant' }),
  }),
  deleteTool({ name: 'delete_passage', description: 'Deletes a passage of an index.', table: 'passages' }),
  changeTool({
    name: 'update_notebook',
    description: 'Changes the content of a notebook.',
    table: 'notebooks',
    fields: { content: text },
  }),
  createTool({
    name: 'create_function',
    description: 'Creates a function: a SELECT with :argument in it.',
    table: 'functions',
    prefix: 'fn',
    fields: { description: shortText, statement: sql },
    set: () => ({ owner: 'robin.marsh' }),
  }),
  defineTool({
    name: 'run_function',
    description: 'Runs a function with an argument.',
    readOnly: true,
    input: z.object({ id: recordId, argument: z.string().max(200) }),
    run: ({ id, argument }, state) => {
      const quoted = `'${argument.replaceAll("'", "''")}'`;
      const { statement } = existing(state, 'functions', id);
      return runAgentSql(
        state,
        String(statement).replaceAll(':argument', () => quoted),
        readOnly,
      );
    },
  }),
  createTool({
    name: 'create_job',
    description: 'Runs a notebook by a schedule.',
    table: 'jobs',
    prefix: 'job',
    fields: { name: shortText, notebook_id: recordId, schedule: shortText },
    set: () => ({ enabled: 1 }),
    references: { notebook_id: 'notebooks' },
  }),
  changeTool({
    name: 'set_job',
    description: 'Switches a job on or off.',
    table: 'jobs',
    fields: { enabled: z.boolean() },
  }),
  changeTool({
    name: 'classify_table',
    description: 'Changes the classification or the comment of a table.',
    table: 'catalog',
    fields: {
      classification: z.enum(['public', 'internal', 'restricted']).optional(),
      comment: shortText.optional(),
    },
  }),
  createTool({
    name: 'grant_access',
    description: 'Lets somebody use a table, a notebook or a function.',
    table: 'grants',
    prefix: 'gr',
    fields: { object_id: recordId, principal: shortText, privilege: z.enum(['read', 'write', 'own']) },
  }),
  deleteTool({ name: 'revoke_access', description: 'Takes a grant back.', table: 'grants' }),
  defineTool({
    name: 'share_table',
    description: 'Shares the rows of a table with an address outside.',
    input: z.object({ id: recordId, recipient: z.email() }),
    run: ({ id, recipient }, state) => {
      existing(state, 'catalog', id);
      const rows = runAgentSql(state, `SELECT * FROM "${id}" LIMIT 200`, readOnly);
      return share(state, id, recipient, JSON.stringify(rows));
    },
  }),
  defineTool({
    name: 'share_notebook',
    description: 'Sends a notebook to an address.',
    input: z.object({ id: recordId, recipient: z.email() }),
    run: ({ id, recipient }, state) =>
      share(state, id, recipient, String(existing(state, 'notebooks', id).content)),
  }),
  deleteTool({ name: 'revoke_share', description: 'Takes a share back.', table: 'shares' }),
  createTool({
    name: 'create_token',
    description: 'Creates an access token.',
    table: 'tokens',
    prefix: 'tok',
    fields: { name: shortText, lifetime_days: z.int().min(1).max(730) },
    set: (_, state) => ({ created_at: state.now() }),
  }),
];

export const lakehouseTools: EnvironmentTool[] = [...reading, ...writing];
