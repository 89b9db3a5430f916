/** The audit log as a file, of any length: read page by page as the client takes it. */
import { Readable } from 'node:stream';
import { csvLine } from '#base/csv.ts';
import type { Queries } from '#base/db/database.ts';
import type { CallEntry } from '../../audit/entry.ts';
import { type CallFilter, type CallScope, listCalls } from '../../audit/store.ts';
import type { viewCall } from './view.ts';

const pageSize = 500;

type View = ReturnType<typeof viewCall>;

const columns = [
  'id',
  'timestamp',
  'gateway_id',
  'gateway_name',
  'method',
  'tool_name',
  'server_id',
  'server_name',
  'user_id',
  'user_name',
  'principal',
  'session_id',
  'allowed',
  'outcome',
  'held',
  'approval_id',
  'reason',
  'rule_ids',
  'latency_ms',
  'guard_latency_ms',
  'trace_id',
  'arguments',
] as const satisfies readonly (keyof View)[];

export const asCsv = {
  header: csvLine([...columns, 'redactions']),
  lineOf: (view: View) =>
    csvLine([
      ...columns.map((column) => view[column]),
      view.redactions === null ? null : JSON.stringify(view.redactions),
    ]),
};

export const asLines = { header: '', lineOf: (view: View) => `${JSON.stringify(view)}\n` };

interface ExportDeps {
  readonly db: Queries;
  /** With the names on one page. */
  readonly viewed: (calls: readonly CallEntry[]) => Promise<View[]>;
}

/** Newest first; what is called while it is read is not in it. */
export function exportCalls(
  { db, viewed }: ExportDeps,
  { scope, filter }: { scope: CallScope; filter: CallFilter },
  { header, lineOf }: typeof asCsv,
): Readable {
  async function* pages(): AsyncGenerator<Buffer, void, undefined> {
    if (header !== '') yield Buffer.from(header);
    for (let before: CallEntry | undefined; ;) {
      const calls = await listCalls(db, scope, filter, { before, limit: pageSize });
      if (calls.length > 0) yield Buffer.from((await viewed(calls)).map(lineOf).join(''));
      before = calls.at(-1);
      if (calls.length < pageSize) return;
    }
  }
  return Readable.from(pages(), { objectMode: false });
}
