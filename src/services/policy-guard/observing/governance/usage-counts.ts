import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { CountWriter } from '#base/db/count-writer.ts';
import type { ChangeNotices } from '#base/events/change-notices.ts';
import type { Logger } from '#base/log/log.ts';
import type { Outcome } from '../../guards/guard.ts';
import type { GroupVerdict, Verdict } from '../../judging/verdicts/verdict.ts';
import { latencyBucket } from '../../guards/latency-histogram.ts';
import { addUsage } from './store.ts';
import { dayOf, hourOf, type GuardHour, type HourLatency, type PolicyDay } from './usage.ts';

/** Counts verdicts in memory and adds them to the database every few seconds, so that none waits for a write. */
export interface UsageCounts extends AsyncDisposable {
  count(verdict: Verdict, fromCache: boolean): void;
  /** Writes the counts so far; after a failure they are kept for the next flush. */
  flush(): Promise<void>;
}

const flushEveryMs = 5000;

/** What one guard judged in one hour. */
interface Pending {
  readonly guard: GuardHour;
  readonly day: string;
  /** By group and policy. */
  readonly policies: Map<string, PolicyDay>;
  /** By bucket. */
  readonly latencies: Map<number, HourLatency>;
}

function addGroup({ guard, day, policies }: Pending, group: GroupVerdict, outcome: Outcome): void {
  const add = (policy: string, found: boolean) => {
    const key = `${group.groupUuid}/${policy}`;
    let counts = policies.get(key);
    if (counts === undefined) {
      const { guardUuid } = guard;
      counts = { day, guardUuid, groupUuid: group.groupUuid, policy, requests: 0, flagged: 0, observed: 0 };
      policies.set(key, counts);
    }
    if (policy === '') counts.requests += 1;
    if (found && outcome === 'flagged') counts.flagged += 1;
    if (found && outcome === 'observed') counts.observed += 1;
  };
  add('', group.flagged);
  if (group.flagged) for (const { name, violated } of group.policies) if (violated) add(name, true);
}

function addLatency({ guard, latencies }: Pending, latencyMs: number): void {
  const bucket = latencyBucket(latencyMs);
  let counts = latencies.get(bucket);
  if (counts === undefined) {
    const { hour, guardUuid } = guard;
    latencies.set(bucket, (counts = { hour, guardUuid, bucket, count: 0 }));
  }
  counts.count += 1;
  guard.latencyMsSum += latencyMs;
}

/** Adds what could not be written to what was counted since, of the same guard and hour. */
function add(into: Pending, more: Pending): void {
  const { guard } = into;
  guard.requests += more.guard.requests;
  guard.flagged += more.guard.flagged;
  guard.observed += more.guard.observed;
  guard.allowed += more.guard.allowed;
  guard.cacheHits += more.guard.cacheHits;
  guard.latencyMsSum += more.guard.latencyMsSum;
  for (const [key, counts] of more.policies) {
    const known = into.policies.get(key);
    if (known === undefined) into.policies.set(key, counts);
    else {
      known.requests += counts.requests;
      known.flagged += counts.flagged;
      known.observed += counts.observed;
    }
  }
  for (const [bucket, counts] of more.latencies) {
    const known = into.latencies.get(bucket);
    if (known === undefined) into.latencies.set(bucket, counts);
    else known.count += counts.count;
  }
}

export function createUsageCounts({
  db,
  clock,
  log,
  changes,
}: {
  db: Database;
  clock: Clock;
  log: Logger;
  changes?: Pick<ChangeNotices, 'note'> | undefined;
}): UsageCounts {
  const writer = new CountWriter<Pending>({
    async write(counts) {
      const all = [...counts.values()];
      const usage = {
        guards: all.map(({ guard }) => guard),
        policies: all.flatMap(({ policies }) => [...policies.values()]),
        latencies: all.flatMap(({ latencies }) => [...latencies.values()]),
      };
      await db.transaction((tx) => addUsage(tx, usage));
      for (const { tenantId, ownerId } of usage.guards)
        changes?.note({ what: 'texts', tenantId, userId: ownerId });
    },
    merge: add,
    everyMs: flushEveryMs,
    what: 'counts of verdicts',
    log,
  });

  return {
    count({ guard, outcome, found, latencyMs }, fromCache) {
      const { guardUuid, tenantId, ownerId } = guard;
      const now = clock.now();
      const hour = hourOf(now);
      const counts = writer.of(`${guardUuid}/${hour}`, () => {
        const zero = { requests: 0, flagged: 0, observed: 0, allowed: 0, cacheHits: 0, latencyMsSum: 0 };
        return {
          guard: { hour, guardUuid, tenantId, ownerId, ...zero },
          day: dayOf(now),
          policies: new Map(),
          latencies: new Map(),
        };
      });
      counts.guard.requests += 1;
      counts.guard.cacheHits += Number(fromCache);
      if (outcome !== 'passed') counts.guard[outcome] += 1;
      addLatency(counts, latencyMs);
      for (const group of found) addGroup(counts, group, outcome);
    },
    flush: () => writer.flush(),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}
