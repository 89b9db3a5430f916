import { z } from 'zod';
import { defineTool, type EnvironmentTool, ToolError, type ToolOutput } from './environment.ts';
import type { Cell, Row } from './row.ts';
import type { EnvironmentState } from './state.ts';

/** Tools that most systems have for their records: list, search, read, create, change and delete. */

const limit = z.int().min(1).max(100).default(20).describe('At most this many');
export const text = z.string().min(1).max(10_000);
export const shortText = z.string().min(1).max(300);
export const recordId = z.string().min(1).max(200).describe('The id, as the listing returns it');

interface Described {
  name: string;
  description: string;
  table: string;
}

/** The row with this key; a ToolError says that there is none. */
export function existing(state: EnvironmentState, table: string, id: string, key = 'id'): Row {
  const row = state.get(`SELECT * FROM "${table}" WHERE "${key}" = ?`, id);
  if (!row) throw new ToolError(`There is nothing with the ${key} "${id}" in ${table}.`);
  return row;
}

/** Changes the given columns of a row and returns it; columns that are undefined stay as they are. */
function changeRow(
  state: EnvironmentState,
  table: string,
  id: string,
  values: Record<string, Cell | boolean | undefined>,
): Row {
  existing(state, table, id);
  for (const [column, value] of Object.entries(values))
    if (value !== undefined)
      state.run(
        `UPDATE "${table}" SET "${column}" = ? WHERE id = ?`,
        typeof value === 'boolean' ? Number(value) : value,
        id,
      );
  return existing(state, table, id);
}

/** Lists the rows of a table; each filter is an optional input that must equal the column of its name. */
export function listTool(
  tool: Described & { filters?: z.ZodRawShape; show?: string; order?: string },
): EnvironmentTool {
  const { table, filters = {}, show = '*', order = 'id' } = tool;
  const optional = Object.fromEntries(
    Object.entries(filters).map(([name, type]) => [name, (type as z.ZodType).optional()]),
  );
  return defineTool({
    name: tool.name,
    description: tool.description,
    readOnly: true,
    input: z.object({ ...optional, limit }),
    run: (input, state) => {
      const given = Object.keys(filters).filter((name) => name in input);
      const conditions = given.map((name) => `"${name}" = ?`).join(' AND ') || '1';
      const values = given.map((name) => input[name as keyof typeof input] as Cell);
      return state.all(
        `SELECT ${show} FROM "${table}" WHERE ${conditions} ORDER BY ${order} LIMIT ?`,
        ...values,
        input.limit,
      );
    },
  });
}

/** Finds rows that contain the words of a query in one of the columns. */
export function searchTool(
  tool: Described & { columns: string[]; show?: string; order?: string },
): EnvironmentTool {
  const { table, columns, show = '*', order = 'id' } = tool;
  const searched = columns.map((column) => `coalesce("${column}", '')`).join(` || ' ' || `);
  return defineTool({
    name: tool.name,
    description: tool.description,
    readOnly: true,
    input: z.object({ query: shortText.describe('Words to look for'), limit }),
    run: ({ query, limit: most }, state) =>
      state.all(
        `SELECT ${show} FROM "${table}" WHERE instr(lower(${searched}), lower(?)) > 0 ORDER BY ${order} LIMIT ?`,
        query,
        most,
      ),
  });
}

/** Returns one row, with what `more` adds to it. */
export function getTool(
  tool: Described & { more?: (row: Row, state: EnvironmentState) => Record<string, ToolOutput> },
): EnvironmentTool {
  return defineTool({
    name: tool.name,
    description: tool.description,
    readOnly: true,
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      const row = existing(state, tool.table, id);
      return { ...row, ...tool.more?.(row, state) };
    },
  });
}

type Input = Record<string, Cell | boolean | undefined>;

/** Adds a row made of the inputs and of what `set` gives; references are inputs that must be ids of other tables. */
export function createTool(
  tool: Described & {
    prefix: string;
    fields: z.ZodRawShape;
    set?: (input: Input, state: EnvironmentState) => Row;
    references?: Record<string, string>;
  },
): EnvironmentTool {
  return defineTool({
    name: tool.name,
    description: tool.description,
    input: z.object(tool.fields),
    run: (given, state) => {
      const input = given as Input;
      for (const [field, table] of Object.entries(tool.references ?? {}))
        if (input[field] !== undefined) existing(state, table, String(input[field]));
      const cells = Object.entries(input).filter(([, value]) => value !== undefined);
      return state.insert(tool.table, {
        id: state.newId(tool.prefix),
        ...Object.fromEntries(
          cells.map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : (value as Cell)]),
        ),
        ...tool.set?.(input, state),
      });
    },
  });
}

/** Changes a row: to the inputs, and to what `set` gives. `only` names the states in which this is possible. */
export function changeTool(
  tool: Described & {
    fields?: z.ZodRawShape;
    set?: (input: Input, state: EnvironmentState) => Row;
    only?: { column: string; values: string[] };
    references?: Record<string, string>;
  },
): EnvironmentTool {
  const { fields = {}, only } = tool;
  return defineTool({
    name: tool.name,
    description: tool.description,
    input: z.object({ id: recordId, ...fields }),
    run: (given, state) => {
      const { id, ...input } = given as Input & { id: string };
      const row = existing(state, tool.table, id);
      if (only && !only.values.includes(String(row[only.column])))
        throw new ToolError(
          `This is possible only while ${only.column} is ${only.values.join(' or ')}; it is ${String(row[only.column])}.`,
        );
      for (const [field, table] of Object.entries(tool.references ?? {}))
        if (input[field] !== undefined) existing(state, table, String(input[field]));
      return changeRow(state, tool.table, id, { ...input, ...tool.set?.(input, state) });
    },
  });
}

/** Deletes a row for good, and the rows of other tables that belong to it (`table` → column that names it). */
export function deleteTool(tool: Described & { also?: Record<string, string> }): EnvironmentTool {
  return defineTool({
    name: tool.name,
    description: tool.description,
    input: z.object({ id: recordId }),
    run: ({ id }, state) => {
      existing(state, tool.table, id);
      for (const [table, column] of Object.entries(tool.also ?? {}))
        state.run(`DELETE FROM "${table}" WHERE "${column}" = ?`, id);
      state.run(`DELETE FROM "${tool.table}" WHERE id = ?`, id);
      return { id, status: 'deleted' };
    },
  });
}
