import { constants } from 'node:sqlite';
import { ToolError } from './environment.ts';
import type { Row } from './row.ts';
import type { EnvironmentState } from './state.ts';

/** Which tables the SQL of an agent may use. */
export interface SqlRights {
  readable: readonly string[];
  writable: readonly string[];
}

/** Functions that cannot make long values out of short ones. */
const harmlessFunctions = new Set(
  'count sum avg min max total round abs lower upper length substr substring coalesce ifnull nullif instr trim ltrim rtrim date strftime like iif'.split(
    ' ',
  ),
);
const longestStatement = 4000;
/** How often tables may be read in one statement: with tables of a few hundred rows a join of three takes about a second. */
const mostReads = 3;
const largestTable = 400;

/**
 * Runs a statement that an agent wrote, on the session's own database. SQLite itself asks before each use of a table,
 * a function or anything else: only reading and changing rows of the named tables is allowed. There is no way to stop
 * a statement that runs, so that statements which could run long are refused before they start.
 */
export function runAgentSql(state: EnvironmentState, sql: string, rights: SqlRights): Row[] {
  if (sql.length > longestStatement)
    throw new ToolError(`The statement is longer than ${longestStatement} characters.`);
  const authorize = authorizer(rights);
  try {
    const plan = state.restricted(`EXPLAIN QUERY PLAN ${sql}`, authorize);
    const reads = plan.filter(({ detail }) => /^(SCAN|SEARCH)\b/.test(String(detail)));
    if (reads.length > mostReads)
      throw new ToolError(
        `The statement reads tables ${reads.length} times; at most ${mostReads} are allowed.`,
      );
    const rows = state.restricted(sql, authorize);
    for (const table of rights.writable) {
      const total = Number(state.get(`SELECT count(*) AS total FROM "${table}"`)?.total);
      if (total > largestTable)
        throw new ToolError(`The table ${table} would have more than ${largestTable} rows.`);
    }
    return rows;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(`SQL error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Authorizer = (action: number, first: string | null, second: string | null) => number;

function authorizer({ readable, writable }: SqlRights): Authorizer {
  // A subquery is read without a name.
  const allowed = new Set(['', ...readable, ...writable]);
  const changed = new Set(writable);
  let inserts = false;
  let selects = false;
  const decision = (ok: boolean) => (ok ? constants.SQLITE_OK : constants.SQLITE_DENY);
  return (action, first, second) => {
    switch (action) {
      case constants.SQLITE_SELECT:
        selects = true;
        // Rows that are selected into a table could be as many as a join has.
        return decision(!inserts);
      case constants.SQLITE_READ:
        return decision(allowed.has(first ?? ''));
      case constants.SQLITE_INSERT:
        inserts = true;
        return decision(!selects && changed.has(String(first)));
      case constants.SQLITE_UPDATE:
      case constants.SQLITE_DELETE:
        return decision(changed.has(String(first)));
      case constants.SQLITE_FUNCTION:
        return decision(harmlessFunctions.has(String(second).toLowerCase()));
      default:
        return constants.SQLITE_DENY;
    }
  };
}
