/** Which records a call touches: tables with their columns, and paths. */
import type { Call } from './call.ts';
import { argumentReach } from './reach.ts';
import { once } from './once.ts';
import { isSql, touchedBySql, type Touched } from './sql-records.ts';

export interface TouchedRecords {
  readonly columns: readonly Touched[];
  /** All tables, by which a column without a table may be meant. */
  readonly tables: ReadonlySet<string>;
  readonly paths: readonly string[];
}

const tableKey =
  /^(?:from_?)?(?:tables?|table_?names?|collections?|entit(?:y|ies)|datasets?|relations?|resource_?types?|object_?types?|databases?|db|sheets?|indexe?s?|models?|record_?types?)$/i;
const columnKey =
  /^(?:columns?|column_?names?|fields?|field_?names?|select|attributes?|properties|projection|keys|return_?fields)$/i;
const rowKey =
  /^(?:where|filters?|conditions?|set|values|data|updates?|row|record|order_?by|sort_?by|group_?by)$/i;
const pathKey =
  /^(?:paths?|files?|file_?paths?|file_?names?|folders?|director(?:y|ies)|source|destination|dest|target|uri)$/i;
const codeTable =
  /\b(?:loaddb|load_?table|read_?table|table|collection|get_?collection|from_|from)\(\s*["'`]([\w.]+)["'`]/gi;

const condition = /^([\w.]+)\s*(?:=|<|>|!|\blike\b|\bin\b|\bis\b|\basc\b|\bdesc\b|$)/i;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const lower = (text: string) => text.trim().toLowerCase();
const namesIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? value
        .split(/\s*[,;]\s*/)
        .map(lower)
        .filter((name) => name !== '')
    : Array.isArray(value)
      ? value.flatMap(namesIn)
      : [];

const isName = (text: string) => /^[\p{L}_][\p{L}\d_ .$*-]{0,80}$/u.test(text) || text === '*';
const lastPart = (name: string) => name.split('.').at(-1) ?? name;

class Reader {
  readonly columns: Touched[] = [];
  readonly tables = new Set<string>();
  readonly paths: string[] = [];
  #left = argumentReach.leaves;

  /** @param table whose columns stand here, as far as what is around says it */
  read(value: unknown, table: string, key = ''): void {
    if ((this.#left -= 1) < 0) return;
    if (typeof value === 'string') this.#readText(value, key);
    else if (Array.isArray(value)) for (const one of value) this.read(one, table, key);
    else if (typeof value === 'object' && value !== null)
      this.#readObject(value as Record<string, unknown>, table);
  }

  #readText(text: string, key: string): void {
    if (isSql(text)) {
      const { touched, tables } = touchedBySql(text);
      this.columns.push(...touched);
      for (const name of tables) this.tables.add(name);
    } else if (pathKey.test(key)) this.paths.push(text.trim());
    else for (const [, name = ''] of text.matchAll(codeTable)) this.#table(lower(name));
  }

  #table(name: string): void {
    this.tables.add(lastPart(name));
    this.columns.push({ table: lastPart(name), column: '' });
  }

  #readObject(all: Record<string, unknown>, outer: string): void {
    const entries = Object.entries(all);
    const named = entries.filter(([key]) => tableKey.test(key));
    const tables = named.flatMap(([, value]) => this.#readTables(value));
    for (const name of tables) this.#table(name);
    // Of several tables nothing says whose the columns are.
    const table = tables.length > 1 ? '' : lastPart(tables[0] ?? outer);
    const hasTable = table !== '' || tables.length > 0;
    for (const [key, value] of entries) {
      if (tableKey.test(key)) continue;
      if (hasTable && columnKey.test(key)) this.#readColumns(value, table);
      else if (hasTable && rowKey.test(key)) this.#readRow(value, table);
      else this.read(value, table, key);
    }
  }

  /** `"patients"`, `["patients", "vitals"]`, or `{"patients": ["name", "age"]}`. */
  #readTables(value: unknown): string[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return namesIn(value).filter(isName);
    return Object.entries(value)
      .slice(0, 100)
      .map(([table, columns]) => {
        this.#readColumns(columns, lower(table));
        return lower(table);
      });
  }

  /** Names of columns, as a list, a text or the keys of an object. */
  #readColumns(value: unknown, table: string): void {
    const names = isObject(value) ? Object.keys(value).map(lower) : namesIn(value);
    for (const name of names) if (isName(name)) this.#column(name, table);
  }

  /** `{"name": "Kim"}`, `{"and": [{"age": 4}]}` or `"age > 4"`. */
  #readRow(value: unknown, table: string): void {
    if ((this.#left -= 1) < 0) return;
    if (Array.isArray(value)) for (const one of value) this.#readRow(one, table);
    else if (isObject(value))
      for (const [column, inner] of Object.entries(value))
        if (/^(?:and|or|\$\w+)$/i.test(column)) this.#readRow(inner, table);
        else this.#column(lower(column), table);
    else
      for (const text of namesIn(value)) {
        const column = condition.exec(text)?.[1];
        if (column !== undefined) this.#column(column, table);
      }
  }

  #column(name: string, table: string): void {
    const parts = name.split('.');
    const [owner, column] = parts.length > 1 ? [parts.at(-2) ?? '', parts.at(-1) ?? ''] : [table, name];
    this.columns.push({ table: owner, column });
  }
}

/** What a call touches, read once. */
export const touchedBy = once((call: Call): TouchedRecords => {
  const reader = new Reader();
  reader.read(call.step.toolParams ?? {}, '');
  return { columns: reader.columns, tables: reader.tables, paths: reader.paths };
});
