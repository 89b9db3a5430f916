import { join } from 'node:path';
import type { PlatformContext } from '#base/context.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import type { Logger } from '#base/log/log.ts';
import type { Metrics } from '#base/metrics/metrics.ts';
import { createCallLog, type CallLog } from './call-log.ts';
import type { CallEntry } from './entry.ts';
import { Journal } from './journal.ts';
import { deleteCallsBefore, insertCalls, insertMissingCalls } from './store.ts';

type Context = Pick<PlatformContext, 'config' | 'db' | 'jobs' | 'clock' | 'log'>;

export interface CallLogOptions {
  /** Entries are deleted after so many days; 0 keeps them. */
  readonly days: number;
  readonly metrics?: Metrics | undefined;
  /** Called when entries are in the database. */
  readonly written?: (entries: readonly CallEntry[]) => void;
}

/**
 * The audit log, with what an earlier process was killed before writing. A PostgreSQL server is shared by processes on
 * machines that may not come back: there entries are committed, and no journal is used.
 */
export async function openCallLog(
  { config, db, jobs, clock, log }: Context,
  { days, metrics, written }: CallLogOptions,
): Promise<CallLog> {
  const folder = join(config.dataDir, 'audit-journal');
  const journal = db.kind === 'pglite' ? openJournal(folder, log) : undefined;
  for (const { entries, remove } of journal?.leftBehind() ?? []) {
    await insertMissingCalls(db, entries);
    remove();
  }
  await scheduleRetention({
    jobName: 'agent-gateway-call-retention',
    days,
    jobs,
    clock,
    deleteBefore: (moment, limit) => deleteCallsBefore(db, moment, limit),
  });
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
