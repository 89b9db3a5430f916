import type { Clock } from '#base/clock.ts';
import { CountWriter } from '#base/db/count-writer.ts';
import type { Database } from '#base/db/database.ts';
import type { Logger } from '#base/log/log.ts';
import type { Source } from './contract/measures.ts';
import { addCounts, type MinuteCount } from './counts-store.ts';

/** Something that happened and that rules may be about. */
export interface Counted {
  readonly tenantId: string;
  readonly source: Source;
  /** The id of the guard, policy set or gateway; the name of the service. */
  readonly subject: string;
  /** As people know the subject. */
  readonly subjectName: string;
  /** Flagged, blocked or refused. */
  readonly stopped?: boolean;
  /** Judged in a degraded way, or failed. */
  readonly failed?: boolean;
}

/** Notes it in memory; written every few seconds, so that nobody waits. */
export type Count = (counted: Counted) => void;

export interface Counts extends AsyncDisposable {
  readonly count: Count;
  /** Writes what was counted so far. */
  flush(): Promise<void>;
}

const minuteMs = 60_000;
const flushEveryMs = 5000;

export function openCounts({ db, clock, log }: { db: Database; clock: Clock; log: Logger }): Counts {
  const writer = new CountWriter<MinuteCount>({
    write: (counts) => addCounts(db, [...counts.values()]),
    merge(into, more) {
      into.total += more.total;
      into.stopped += more.stopped;
      into.failed += more.failed;
    },
    everyMs: flushEveryMs,
    what: 'counts for alerts',
    log,
  });
  return {
    count({ tenantId, source, subject, subjectName, stopped = false, failed = false }) {
      const minuteAt = Math.floor(clock.now() / minuteMs) * minuteMs;
      const counts = writer.of(`${tenantId} ${source} ${subject} ${minuteAt}`, () => ({
        tenantId,
        source,
        subject,
        subjectName,
        minute: new Date(minuteAt),
        total: 0,
        stopped: 0,
        failed: 0,
      }));
      counts.total += 1;
      counts.stopped += Number(stopped);
      counts.failed += Number(failed);
    },
    flush: () => writer.flush(),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}
