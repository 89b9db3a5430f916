import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log/log.ts';
import type { Outcome } from '../../guards/guard.ts';
import type { GroupVerdict, Verdict } from '../../judging/verdicts/verdict.ts';
import { latencyBucket } from '../../guards/latency-histogram.ts';
import type { GovernanceStore } from './store.ts';
import { dayOf, hourOf, type GuardHour, type HourLatency, type PolicyDay } from './usage.ts';

/** Counts verdicts in memory and adds them to the database every few seconds, so that none waits for a write. */
export interface UsageCounts extends AsyncDisposable {
  count(verdict: Verdict, fromCache: boolean): void;
  /** Writes what was counted so far; after a failure it is kept for the next time. */
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

export function createUsageCounts(
  store: Pick<GovernanceStore, 'addUsage'>,
  { clock, log }: { clock: Clock; log: Logger },
): UsageCounts {
  let pending = new Map<string, Pending>();
  /** What could not be written, as it was; it is tried again first. */
  let unwritten: Pending[] = [];
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    const batch = [...unwritten, ...pending.values()];
    pending = new Map();
    unwritten = batch;
    if (batch.length === 0) return;
    await store.addUsage({
      guards: batch.map(({ guard }) => guard),
      policies: batch.flatMap(({ policies }) => [...policies.values()]),
      latencies: batch.flatMap(({ latencies }) => [...latencies.values()]),
    });
    unwritten = [];
  };

  const flush = () => {
    writing = writing.catch(() => undefined).then(write);
    return writing;
  };
  const timer = setInterval(() => {
    flush().catch((err: unknown) => log.warn({ err }, 'counts of verdicts wait for the database'));
  }, flushEveryMs).unref();

  return {
    count({ guard, outcome, found, latencyMs }, fromCache) {
      const { guardUuid, tenantId, ownerId } = guard;
      const now = clock.now();
      const hour = hourOf(now);
      const key = `${guardUuid}/${hour}`;
      let counts = pending.get(key);
      if (counts === undefined) {
        const zero = { requests: 0, flagged: 0, observed: 0, allowed: 0, cacheHits: 0, latencyMsSum: 0 };
        counts = {
          guard: { hour, guardUuid, tenantId, ownerId, ...zero },
          day: dayOf(now),
          policies: new Map(),
          latencies: new Map(),
        };
        pending.set(key, counts);
      }
      counts.guard.requests += 1;
      counts.guard.cacheHits += Number(fromCache);
      if (outcome !== 'passed') counts.guard[outcome] += 1;
      addLatency(counts, latencyMs);
      for (const group of found) addGroup(counts, group, outcome);
    },
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      // What the database does not take now is lost; the rest of the service has to be closed all the same.
      await flush().catch((err: unknown) => log.error({ err }, 'counts of verdicts were lost'));
    },
  };
}
