/** Which tables and columns an SQL statement touches. A reading of its words, no full parser: what is unsure counts. */

/** A column of a table; `*` is all of them, and an empty column none in particular, as in `count(*)`. */
export interface Touched {
  readonly table: string;
  readonly column: string;
}

interface Token {
  /** In lower case, without its quotes. */
  readonly text: string;
  readonly isName: boolean;
}

const tokenShape =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"[^"]*"|`[^`]*`|\[[A-Za-z_][^\]]*\]|[A-Za-z_][\w$]*|\d+(?:\.\d+)?|[.,;()*]|[^\s]/g;

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const [raw] of sql.matchAll(tokenShape)) {
    if (raw.startsWith('--') || raw.startsWith('/*')) continue;
    const isQuoted = /^["`[]/.test(raw);
    tokens.push({
      text: (isQuoted ? raw.slice(1, -1) : raw).toLowerCase(),
      isName: isQuoted || /^[A-Za-z_]/.test(raw),
    });
  }
  return tokens;
}

const keywords = new Set(
  `select distinct all from where and or not in is null like ilike between exists case when then else end as on using join
  inner left right full outer cross natural group by order having limit offset fetch first next rows row only asc desc nulls
  last union except intersect insert into values update set delete with recursive top true false current_date
  current_timestamp interval over partition filter returning cast any some table truncate drop alter add column create
  if explain analyze date timestamp year month day hour minute second escape lateral for only`.split(/\s+/),
);

const beforeTable = new Set(['from', 'join', 'into', 'update', 'table']);
const sqlStart =
  /^\s*(?:\/\*[\s\S]*?\*\/\s*)?(?:with|select|insert|update|delete|truncate|drop|alter|explain|merge|replace|copy)\b/i;

export const isSql = (text: string): boolean => sqlStart.test(text);

class Reader {
  readonly #tokens: readonly Token[];
  /** Alias or name → table. */
  readonly #tables = new Map<string, string>();
  readonly #made = new Set<string>();
  readonly #named = new Set<number>();
  readonly touched: Touched[] = [];

  constructor(sql: string) {
    this.#tokens = tokensOf(sql);
    this.#readAliases();
    this.#readTables();
    this.#readColumns();
  }

  #at = (at: number) => this.#tokens[at]?.text ?? '';
  #isName = (at: number) => this.#tokens[at]?.isName === true && !keywords.has(this.#at(at));

  /** `with x as (`, `count(*) as n`, `) t`: names that the statement itself makes. */
  #readAliases(): void {
    this.#tokens.forEach((token, at) => {
      if (token.text === 'as' && this.#isName(at + 1)) {
        this.#made.add(this.#at(at + 1));
        this.#named.add(at + 1);
      }
      if (token.text === 'as' && this.#at(at + 1) === '(' && this.#isName(at - 1)) {
        this.#made.add(this.#at(at - 1));
        this.#named.add(at - 1);
      }
      if (token.text === ')' && this.#isName(at + 1)) {
        this.#made.add(this.#at(at + 1));
        this.#named.add(at + 1);
      }
    });
  }

  #readTables(): void {
    this.#tokens.forEach(({ text }, at) => {
      if (!beforeTable.has(text)) return;
      // `extract(year from x)` names a column.
      let next = at + 1;
      while (this.#at(next) === 'only' || this.#at(next) === 'if' || this.#at(next) === 'exists') next += 1;
      for (;;) {
        if (!this.#isName(next)) return;
        next = this.#readTable(next);
        if (text !== 'from' || this.#at(next) !== ',') return;
        next += 1;
      }
    });
  }

  /** `schema.table as t`; answers where it ends. */
  #readTable(from: number): number {
    let at = from;
    this.#named.add(at);
    while (this.#at(at + 1) === '.' && this.#tokens[at + 2]?.isName === true) {
      at += 2;
      this.#named.add(at);
    }
    const table = this.#at(at);
    let next = at + 1;
    if (this.#at(next) === 'as') next += 1;
    if (this.#made.has(table)) {
      if (!this.#isName(next)) return next;
      this.#made.add(this.#at(next));
      this.#named.add(next);
      return next + 1;
    }
    this.#tables.set(table, table);
    if (this.#isName(next) && this.#at(next - 1) !== ',') {
      this.#tables.set(this.#at(next), table);
      this.#named.add(next);
      next += 1;
    }
    this.touched.push({ table, column: '' });
    return next;
  }

  #readColumns(): void {
    const tables = new Set(this.#tables.values());
    const [only] = tables.size === 1 ? tables : [];
    this.#tokens.forEach((_, at) => {
      if (this.#isStar(at)) this.#readStar(at, tables);
      else if (this.#isColumn(at)) this.#readColumn(at, only);
    });
  }

  /** The table whose column stands here: `p.name`; undefined where it has no owner or one of the statement's making. */
  #ownerOf = (at: number) => (this.#at(at - 1) === '.' ? this.#tables.get(this.#at(at - 2)) : undefined);

  #isStar = (at: number) => this.#at(at) === '*' && this.#at(at - 1) !== '(' && this.#isProjection(at);

  #readStar(at: number, tables: ReadonlySet<string>): void {
    const owner = this.#ownerOf(at);
    for (const table of owner === undefined ? tables : [owner]) this.touched.push({ table, column: '*' });
  }

  #isColumn = (at: number) =>
    this.#isName(at) && !this.#named.has(at) && this.#at(at + 1) !== '(' && this.#at(at + 1) !== '.';

  #readColumn(at: number, only: string | undefined): void {
    const column = this.#at(at);
    const owner = this.#ownerOf(at);
    if (owner !== undefined) this.touched.push({ table: owner, column });
    else if (this.#at(at - 1) !== '.' && !this.#made.has(column))
      this.touched.push({ table: only ?? '', column });
  }

  /** Not a multiplication: nothing that could be multiplied stands before it. */
  #isProjection(at: number): boolean {
    const before = this.#at(at - 1);
    return (
      before === '.' || before === ',' || before === 'select' || before === 'distinct' || before === 'all'
    );
  }

  get tables(): ReadonlySet<string> {
    return new Set(this.#tables.values());
  }
}

/** Tables and columns of a statement; a column whose table is not told has an empty one. */
export function touchedBySql(sql: string): { touched: readonly Touched[]; tables: ReadonlySet<string> } {
  const { touched, tables } = new Reader(sql);
  return { touched, tables };
}
