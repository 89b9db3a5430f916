/** Which records a call reads and which it changes: by the statements of its SQL, else by what its tool does. */
import type { Call } from '../../actions/calls/call.ts';
import { once } from '../../actions/calls/once.ts';
import { isSql, touchedBySql, type Touched } from '../../actions/calls/sql-records.ts';
import { touchedBy } from '../../actions/calls/touched.ts';
import { nameWords } from '../../actions/words.ts';
import { type Target, sqlIn, sqlTargets } from './sql-targets.ts';

export type AccessEffect = 'read' | 'write';

/** What a call does to records in one way. */
export interface Accesses {
  readonly columns: readonly Touched[];
  /** All tables, by which a column without a table may be meant. */
  readonly tables: ReadonlySet<string>;
  readonly paths: readonly string[];
  /** What the tool is named for besides what it does: `price` of `update_price`. Hardly ever a table for sure. */
  readonly named: string | undefined;
}

export interface CallAccesses {
  readonly all: Accesses;
  readonly read: Accesses;
  readonly write: Accesses;
}

const changing = ['write', 'delete', 'grant', 'pay'] as const;

/** A download writes here, and only reads there. Of a tool that says neither, both may be. */
function effectsOfTool({ effects, senses }: Call): ReadonlySet<AccessEffect> {
  const found = new Set<AccessEffect>();
  if (!senses.has('download') && changing.some((effect) => effects.has(effect))) found.add('write');
  else if (effects.has('read') || effects.has('egress')) found.add('read');
  return found.size === 0 ? new Set<AccessEffect>(['read', 'write']) : found;
}

/** Words of a tool's name for what holds records; the argument beside them says which. */
const holders = /^(?:tables?|collections?|datasets?|relations?|sheets?|views?)$/;
const nameKeys = /^(?:name|id|title|target|object|key|of)$/i;

/** `read_table` with the table under `name`. */
function tablesByTool({ toolName, leaves }: Call): string[] {
  if (!nameWords(toolName).some((word) => holders.test(word))) return [];
  return leaves
    .filter(({ key, text }) => nameKeys.test(key) && /^[\w.$ -]{1,80}$/.test(text))
    .map(({ text }) => text.trim().toLowerCase().split('.').at(-1) ?? '');
}

const statementKey = /sql|quer|statement|command|script|code/i;

interface Sql {
  readonly isThere: boolean;
  readonly targets: readonly Target[];
  /** Of texts that nothing else takes for SQL. */
  readonly touched: readonly Touched[];
}

function sqlOf({ leaves, toolName }: Call): Sql {
  const texts = leaves.flatMap(({ text, key }) => {
    const sql = sqlIn(text);
    const isMeant = isSql(text) || statementKey.test(key) || statementKey.test(toolName);
    return sql !== undefined && isMeant ? [{ sql, isNew: !isSql(text) }] : [];
  });
  return {
    isThere: texts.length > 0,
    targets: texts.flatMap(({ sql }) => sqlTargets(sql)),
    touched: texts.flatMap(({ sql, isNew }) => (isNew ? touchedBySql(sql).touched : [])),
  };
}

const columnOf = ({ table, column }: Touched): Touched => ({ table, column });

/** What is left of a tool's name without its first word, which says what it does. */
const namedBy = ({ toolName }: Call): string | undefined => {
  const words = nameWords(toolName).slice(1);
  return words.length === 0 ? undefined : words.join('_');
};

function accesses(call: Call): CallAccesses {
  const told = touchedBy(call);
  const { isThere, targets, touched } = sqlOf(call);
  const others = tablesByTool(call);
  const columns = [...told.columns, ...touched, ...others.map((table) => ({ table, column: '' }))];
  const of = (effect: AccessEffect) => targets.filter((one) => one.effect === effect);
  const written = of('write');
  const isWritten = ({ table, column }: Touched) =>
    column !== '*' && written.some((one) => one.table === table && (column === '' || one.column === column));
  const byTool = effectsOfTool(call);
  const named = namedBy(call);
  const made = (effect: AccessEffect, own: readonly Touched[]): Accesses => ({
    columns: own,
    tables: new Set([...told.tables, ...own.map(({ table }) => table).filter((table) => table !== '')]),
    paths: byTool.has(effect) ? told.paths : [],
    named: byTool.has(effect) ? named : undefined,
  });
  const read = isThere
    ? [...columns.filter((one) => !isWritten(one)), ...of('read').map(columnOf)]
    : byTool.has('read')
      ? columns
      : [];
  // What a tool changes of a table without saying which columns may be any of them.
  const changed = isThere ? written.map(columnOf) : byTool.has('write') ? withWholeTables(columns) : [];
  const all = [...columns, ...targets.map(columnOf)];
  return {
    read: made('read', read),
    write: made('write', changed),
    all: { ...made('read', all), paths: told.paths, named: undefined },
  };
}

const withWholeTables = (columns: readonly Touched[]): Touched[] =>
  columns.map((one) =>
    one.column === '' && !columns.some(({ table, column }) => table === one.table && column !== '')
      ? { ...one, column: '*' }
      : one,
  );

/** What a call reads and changes, read once. */
export const accessesOf = once(accesses);
