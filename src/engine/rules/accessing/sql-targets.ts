/**
 * What the statements of an SQL text change, and what they read without naming it behind `from`. A reading of the words
 * that a statement begins with, no parser: what a statement does to a table is told by its verb.
 */
import { isSql } from '../../actions/calls/sql-records.ts';
import { argumentReach } from '../../actions/calls/reach.ts';

/** A column of a table that a statement reads or writes; `*` is all of them. */
export interface Target {
  readonly table: string;
  readonly column: string;
  readonly effect: 'read' | 'write';
}

const tokenShape =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"[^"]*"|`[^`]*`|\[[A-Za-z_][^\]]*\]|[A-Za-z_][\w$]*|[^\s]/g;
const longest = argumentReach.text;

/** Words with which no name of a table begins. */
const noNames = new Set(
  `select set values from where on to into as using default with when then not null and or by for table view index only if exists
  all any`.split(/\s+/),
);
/** What may stand between a verb and the table that it is about. */
const fillers = new Set(
  `table tables only if exists not ignore low_priority delayed quick temporary temp unlogged local global concurrently view
  materialized column sequence database schema into from overwrite of`.split(/\s+/),
);

/** A statement has few of them; more would only be there to make a reader slow. */
const mostFillers = 12;

const stops = new Set([';', ')', 'where', 'returning', 'from', 'when', 'on']);
/** With these another statement begins, unless they are columns: `set "update" = 1`. */
const others = new Set(['insert', 'update', 'delete', 'merge']);

/** For each `(` the place of its `)`; none for one that is never closed. */
function closings(tokens: readonly string[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (const [at, text] of tokens.entries()) {
    if (text === '(') open.push(at);
    if (text !== ')') continue;
    const opened = open.pop();
    if (opened !== undefined) found.set(opened, at);
  }
  return found;
}

/** Reads each token a bounded number of times: the text may be made to be slow. */
class Statements {
  readonly #tokens: readonly string[];
  readonly #closings: ReadonlyMap<number, number>;
  /** The table that the statement inserts into, for what it does `on conflict`. */
  #inserted: string | undefined;
  readonly targets: Target[] = [];

  constructor(sql: string) {
    this.#tokens = [...sql.slice(0, longest).matchAll(tokenShape)]
      .map(([raw]) => raw)
      .filter((raw) => !raw.startsWith('--') && !raw.startsWith('/*'))
      .map((raw) => (/^["`[]/.test(raw) ? raw.slice(1, -1) : raw).toLowerCase());
    this.#closings = closings(this.#tokens);
    for (let at = 0; at < this.#tokens.length; at++) this.#verbs[this.#at(at)]?.(at);
  }

  #at = (at: number): string => this.#tokens[at] ?? '';
  #isName = (at: number): boolean => /^[a-z_]/.test(this.#at(at)) && !noNames.has(this.#at(at));

  /** Where a statement or a query within it begins. */
  #begins = (at: number): boolean =>
    ['', ';', '(', 'union', 'all', 'except', 'intersect', 'as', 'explain', 'analyze'].includes(
      this.#at(at - 1),
    );

  /** `if exists schema.name`: the name and what stands behind it. */
  #name(from: number): readonly [name: string, next: number] | undefined {
    let at = from;
    while (at < from + mostFillers && fillers.has(this.#at(at))) at += 1;
    if (!this.#isName(at)) return undefined;
    while (this.#at(at + 1) === '.' && /^[a-z_]/.test(this.#at(at + 2))) at += 2;
    return [this.#at(at), at + 1];
  }

  #add(table: string, columns: readonly string[], effect: Target['effect'] = 'write'): void {
    for (const column of columns) this.targets.push({ table, column, effect });
  }

  /** The verb is about whole tables: `drop table a, b`. */
  #whole = (from: number): void => {
    for (let found = this.#name(from); found !== undefined;) {
      this.#add(found[0], ['*']);
      found = this.#at(found[1]) === ',' ? this.#name(found[1] + 1) : undefined;
    }
  };

  /** `(name, age)` behind a table; all columns where there is no such list. */
  #listed(at: number): string[] {
    if (this.#at(at) !== '(' || this.#at(at + 1) === 'select' || this.#at(at + 1) === 'with') return ['*'];
    const columns: string[] = [];
    for (let next = at + 1; this.#isName(next) || this.#at(next) === ','; next++)
      if (this.#at(next) !== ',') columns.push(this.#at(next));
    return columns.length === 0 ? ['*'] : columns;
  }

  /** `set a = 1, b.c = 2, (d, e) = (…)`. */
  #setColumns(from: number): string[] {
    const columns: string[] = [];
    for (let at = from; at < this.#tokens.length; at++) {
      const text = this.#at(at);
      const close = text === '(' ? (this.#closings.get(at) ?? this.#tokens.length) : at;
      const isAssigned = this.#at(close + 1) === '=';
      if (stops.has(text) || (others.has(text) && !isAssigned)) break;
      if (isAssigned && text === '(') columns.push(...this.#listed(at));
      else if (isAssigned && this.#isName(at)) columns.push(text);
      at = close;
    }
    return columns.length === 0 ? ['*'] : columns;
  }

  #insert = (at: number): void => {
    const found = this.#name(at + 1);
    if (found === undefined) return;
    const [table, next] = found;
    this.#add(table, this.#listed(next));
    this.#inserted = table;
  };

  /** `on conflict do update set a = 1`, `on duplicate key update a = 1`. */
  #updateInserted(at: number): void {
    if (this.#inserted === undefined) return;
    this.#add(this.#inserted, this.#setColumns(at + (this.#at(at + 1) === 'set' ? 2 : 1)));
  }

  #update = (at: number): void => {
    if (/^(?:do|key)$/.test(this.#at(at - 1))) return this.#updateInserted(at);
    if (/^(?:for|on|no)$/.test(this.#at(at - 1))) return;
    const found = this.#name(at + 1);
    const set = found === undefined ? -1 : this.#tokens.slice(found[1], found[1] + 3).indexOf('set');
    if (found !== undefined && set >= 0) this.#add(found[0], this.#setColumns(found[1] + set + 1));
  };

  #drop = (at: number): void => {
    if (/^(?:table|view|materialized|sequence|database|schema)$/.test(this.#at(at + 1))) this.#whole(at + 1);
    else this.#behindOn(at);
  };

  #alter = (at: number): void => {
    if (/^(?:table|view|materialized)$/.test(this.#at(at + 1))) this.#whole(at + 1);
    else this.#behindOn(at);
  };

  #create = (at: number): void => {
    for (let next = at + 1; next < at + 6 && this.#at(next) !== ';'; next++) {
      if (/^(?:table|view)$/.test(this.#at(next))) return this.#whole(next);
      if (/^(?:index|trigger|policy|rule)$/.test(this.#at(next))) return this.#behindOn(next);
    }
  };

  /** `grant all on patients to bob`, `create index i on patients`. */
  #behindOn = (from: number): void => {
    for (let at = from; at < from + 40 && this.#at(at) !== '' && this.#at(at) !== ';'; at++)
      if (this.#at(at) === 'on') {
        const isAll = this.#at(at + 1) === 'all';
        return isAll ? this.#add('*', ['*']) : this.#whole(at + 1);
      }
  };

  #copy = (at: number): void => {
    const found = this.#name(at + 1);
    if (found === undefined) return;
    const columns = this.#listed(found[1]);
    const way = this.#at((this.#closings.get(found[1]) ?? found[1] - 1) + 1);
    if (way === 'to' || way === 'from') this.#add(found[0], columns, way === 'to' ? 'read' : 'write');
  };

  /** PostgreSQL's `table patients`: all of it. */
  #table = (at: number): void => {
    const found = this.#name(at + 1);
    if (found !== undefined) this.#add(found[0], ['*'], 'read');
  };

  /** `select … into copy_of_patients from patients`. */
  #into = (at: number): void => {
    if (/^(?:insert|replace|merge|ignore|overwrite)$/.test(this.#at(at - 1))) return;
    if (/^(?:outfile|dumpfile)$/.test(this.#at(at + 1))) return;
    const found = this.#name(at + 1);
    if (found !== undefined) this.#add(found[0], ['*']);
  };

  /** In other places such a word is no order to the database. */
  #atStart = (then: (at: number) => void) => (at: number) => {
    if (this.#begins(at)) then(at);
  };

  readonly #verbs: Readonly<Record<string, (at: number) => void>> = Object.assign(
    Object.create(null) as object,
    {
      ';': () => (this.#inserted = undefined),
      insert: this.#insert,
      replace: (at: number) => this.#at(at + 1) === 'into' && this.#insert(at),
      update: this.#update,
      delete: (at: number) => this.#at(at - 1) !== 'on' && this.#at(at + 1) === 'from' && this.#whole(at + 1),
      merge: this.#atStart(this.#into),
      truncate: this.#atStart((at: number) => this.#whole(at + 1)),
      drop: this.#atStart(this.#drop),
      alter: this.#atStart(this.#alter),
      create: this.#atStart(this.#create),
      rename: this.#atStart(this.#alter),
      grant: this.#atStart(this.#behindOn),
      revoke: this.#atStart(this.#behindOn),
      copy: this.#atStart(this.#copy),
      table: this.#atStart(this.#table),
      into: this.#into,
    },
  );
}

const name = '[\\w."`$]+';
/** Statements that `isSql` does not know, by more than their first word: in a letter "grant" is no order to a database. */
const otherStatements = new RegExp(
  `^(?:table\\s+(?:only\\s+)?${name}\\s*(?:;|$|(?:limit|order|offset|union)\\b)` +
    `|(?:grant|revoke)\\s+[\\w\\s,()]{1,1000}?\\bon\\s+(?:table\\s+|all\\s+tables\\s+in\\s+schema\\s+)?${name}[\\s\\w,."]{0,1000}?\\s(?:to|from)\\s+\\S` +
    `|(?:create)\\s+(?:or\\s+replace\\s+|temp\\s+|temporary\\s+|unique\\s+)*(?:table|view|index|trigger|policy)\\s+${name}` +
    `|(?:rename\\s+table|load\\s+data)\\s+\\S)`,
  'i',
);

/** Comments and brackets before the first word. */
const before = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|\()+/;

/** The text from its first word on where it is SQL; undefined where it is none. */
export function sqlIn(text: string): string | undefined {
  const said = text.slice(0, longest).replace(before, '');
  return isSql(said) || otherStatements.test(said) ? said : undefined;
}

/** Which columns the statements change, and those that they read by other words than `from` and `join`. */
export const sqlTargets = (sql: string): readonly Target[] => new Statements(sql).targets;
