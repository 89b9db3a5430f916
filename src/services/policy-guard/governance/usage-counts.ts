import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log/log.ts';
import type { GroupVerdict, Outcome, Verdict } from '../evaluate/verdict.ts';
import type { GovernanceStore } from './store.ts';
import { dayOf, type GuardDay, type PolicyDay } from './usage.ts';

/** Counts verdicts in memory and adds them to the database every few seconds, so that none waits for a write. */
export interface UsageCounts extends AsyncDisposable {
  count(verdict: Omit<Verdict, 'latencyMs'>, fromCache: boolean): void;
  /** Writes what was counted so far; after a failure it is kept for the next time. */
  flush(): Promise<void>;
}

const flushEveryMs = 5000;

interface Pending {
  readonly guard: GuardDay;
  /** By group and policy. */
  readonly policies: Map<string, PolicyDay>;
}

function addGroup({ guard, policies }: Pending, group: GroupVerdict, outcome: Outcome): void {
  const add = (policy: string, found: boolean) => {
    const key = `${group.groupUuid}/${policy}`;
    let counts = policies.get(key);
    if (counts === undefined) {
      const { day, guardUuid } = guard;
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
    await store.addUsage(
      batch.map(({ guard }) => guard),
      batch.flatMap(({ policies }) => [...policies.values()]),
    );
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
    count({ guard, outcome, found }, fromCache) {
      const { guardUuid, tenantId, ownerId } = guard;
      const day = dayOf(clock.now());
      const key = `${guardUuid}/${day}`;
      let counts = pending.get(key);
      if (counts === undefined) {
        const zero = { requests: 0, flagged: 0, observed: 0, allowed: 0, cacheHits: 0 };
        counts = { guard: { day, guardUuid, tenantId, ownerId, ...zero }, policies: new Map() };
        pending.set(key, counts);
      }
      counts.guard.requests += 1;
      counts.guard.cacheHits += Number(fromCache);
      if (outcome !== 'passed') counts.guard[outcome] += 1;
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
