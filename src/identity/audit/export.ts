/** The trail as a file, of any length: read page by page as the client takes it. */
import { Readable } from 'node:stream';
import { toIsoTime } from '#base/clock.ts';
import { csvLine } from '#base/csv.ts';
import type { Queries } from '#base/db/database.ts';
import type { UserNames } from '../users/user-names.ts';
import { type AuditEntry, type AuditFilter, listAuditEvents } from './store.ts';

const pageSize = 500;

export const viewEvent = (entry: AuditEntry, nameOf: Awaited<ReturnType<UserNames>>) => ({
  id: entry.id,
  at: toIsoTime(entry.at),
  event: entry.event,
  user_id: entry.userId,
  user_name: nameOf(entry.userId),
  address: entry.address,
  request_id: entry.requestId,
  details: entry.details,
});

type View = ReturnType<typeof viewEvent>;

const columns = [
  'id',
  'at',
  'event',
  'user_id',
  'user_name',
  'address',
  'request_id',
] as const satisfies readonly (keyof View)[];

export const asCsv = {
  header: csvLine([...columns, 'details']),
  lineOf: (view: View) => csvLine([...columns.map((column) => view[column]), JSON.stringify(view.details)]),
};

export const asLines = { header: '', lineOf: (view: View) => `${JSON.stringify(view)}\n` };

/** Newest first; what happens while it is read is not in it. */
export function exportEvents(
  { db, userNames }: { readonly db: Queries; readonly userNames: UserNames },
  filter: Omit<AuditFilter, 'before' | 'limit'>,
  { header, lineOf }: typeof asCsv,
): Readable {
  async function* pages(): AsyncGenerator<Buffer, void, undefined> {
    if (header !== '') yield Buffer.from(header);
    for (let before: string | undefined; ;) {
      const entries = await listAuditEvents(db, { ...filter, before, limit: pageSize });
      const nameOf = await userNames(entries.map(({ userId }) => userId));
      if (entries.length > 0)
        yield Buffer.from(entries.map((entry) => lineOf(viewEvent(entry, nameOf))).join(''));
      if (entries.length < pageSize) return;
      before = entries.at(-1)?.id;
    }
  }
  return Readable.from(pages(), { objectMode: false });
}
