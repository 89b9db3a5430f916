import { join } from 'node:path';
import type { Database } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import { createCallLog, type CallLog } from './call-log.ts';
import type { CallEntry } from './entry.ts';
import { Journal } from './journal.ts';
import { insertCalls, insertMissingCalls } from './store.ts';

export interface OpenCallLogDeps {
  readonly db: Database;
  readonly dataDir: string;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  /** Called when entries are in the database. */
  readonly written?: (entries: readonly CallEntry[]) => void;
}

/**
 * The audit log, with what an earlier process was killed before writing. A PostgreSQL server is shared by processes on
 * machines that may not come back: there entries are committed, and no journal is used.
 */
export async function openCallLog({ db, dataDir, log, metrics, written }: OpenCallLogDeps): Promise<CallLog> {
  const journal = db.kind === 'pglite' ? openJournal(join(dataDir, 'audit-journal'), log) : undefined;
  for (const { entries, remove } of journal?.leftBehind() ?? []) {
    await insertMissingCalls(db, entries);
    remove();
  }
  const insert = async (entries: readonly CallEntry[]) => {
    await insertCalls(db, entries);
    written?.(entries);
  };
  return createCallLog({ insert, journal, log, metrics });
}

function openJournal(folder: string, log: Logger): Journal | undefined {
  try {
    return new Journal(folder);
  } catch (err) {
    log.warn(
      { err, folder },
      'no journal of the audit log: each entry is committed before its call is answered',
    );
    return undefined;
  }
}
