import type { Clock } from '#base/clock.ts';
import { BatchWriter } from '#base/db/batch-writer.ts';
import { newUuid } from '#base/ids.ts';
import type { Logger } from '#base/log/log.ts';
import type { WriterMetrics } from '#base/metrics/metrics.ts';
import type { QueryLogEvents } from './events.ts';
import type { Asked, GroupVerdict, Verdict } from '../../judging/verdicts/verdict.ts';
import type { Stages } from '../../judging/stages.ts';
import { GatheredText } from './gathered-text.ts';
import type { Found, Query } from './query.ts';

export interface QueryFacts {
  readonly fromCache: boolean;
  readonly asked: Asked;
  /** As judged; gathered where it came in pieces. */
  readonly text: string | GatheredText;
  /** How many earlier turns came with it. */
  readonly messages: number;
}

/** Writes what guards were asked to the database, soon; no verdict waits for it. */
export interface QueryLog extends AsyncDisposable {
  write(verdict: Verdict, facts: QueryFacts): void;
  /** For a text that comes in pieces. */
  gather(tenantId: string): GatheredText;
  /** Writes now what waits; where the database is away, it waits on. */
  flush(): Promise<void>;
}

export interface QueryLogDeps {
  /** Writes entries, all or none. */
  readonly insert: (entries: readonly Query[]) => Promise<void>;
  /** Called with entries that are in the database now. */
  readonly written: (entries: readonly Query[]) => Promise<void>;
  /** Key of the texts' hashes. */
  readonly hashKey: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: QueryLogEvents;
  readonly stages: Stages;
  readonly metrics?: WriterMetrics | undefined;
}

const gatherMs = 200;
/** So that the embedded database, which works in this thread, holds others back for some ten milliseconds at most. */
const maxBatch = 100;
const maxWaiting = 20_000;
const maxWaitingCharacters = 32_000_000;

/** Whether an entry is written at all: what was held back from the caller always is. */
const isLogged = ({ guard, outcome }: Verdict) =>
  guard.settings.logRequests === true || outcome === 'observed' || outcome === 'allowed';

const pack = (group: GroupVerdict, withReasoning: boolean): Found => {
  const found = [
    group.groupUuid,
    group.name,
    group.threshold,
    group.strictnessLevel,
    // It quotes the text.
    withReasoning ? group.reasoning : null,
    group.policies.map(({ name, probability, engine }) =>
      // Most are, so it goes without saying.
      engine === 'embedded' ? ([name, probability] as const) : ([name, probability, engine] as const),
    ),
  ] as const;
  return group.isDegraded ? [...found, true] : found;
};

export function createQueryLog(deps: QueryLogDeps): QueryLog {
  const { insert, written, hashKey, clock, log, events, stages, metrics } = deps;
  const writer = new BatchWriter<Query>({
    async write(entries) {
      await stages.run('log', () => insert(entries));
      await written(entries).catch((err: unknown) => {
        log.warn({ err }, 'readers of the query stream were not told of entries');
      });
    },
    maxBatch,
    gatherMs,
    maxWaiting,
    maxWaitingSize: maxWaitingCharacters,
    sizeOf: ({ text }) => text?.length ?? 0,
    onLost(entries, err) {
      events.queriesLost(entries.length);
      log.error({ err, entries: entries.length }, 'queries could not be logged');
    },
    onRefused(entries) {
      events.queriesLost(entries);
      log.error({ entries }, 'queries were not logged: the database does not keep up');
    },
    metrics,
  });

  const gather = (tenantId: string) => new GatheredText(hashKey, tenantId);

  const gathered = (tenantId: string, text: string | GatheredText): GatheredText => {
    if (typeof text !== 'string') return text;
    const whole = gather(tenantId);
    whole.add(text);
    return whole;
  };

  const queryOf = (verdict: Verdict, { fromCache, asked, messages, ...facts }: QueryFacts): Query => {
    const { guard, outcome, found, allowedBy, latencyMs } = verdict;
    const logged = guard.settings.logRequests === true;
    const kept = logged && guard.settings.logText === 'full';
    const text = gathered(guard.tenantId, facts.text);
    return {
      queryId: newUuid(clock.now()),
      tenantId: guard.tenantId,
      ownerId: guard.ownerId,
      guardUuid: guard.guardUuid,
      guardVersion: guard.version,
      outcome,
      text: kept ? text.beginning : null,
      textHash: logged ? text.hash : null,
      textLength: text.length,
      messages,
      door: asked.door,
      userId: asked.userId ?? null,
      apiKeyId: asked.apiKeyId ?? null,
      requestId: asked.requestId ?? null,
      traceId: stages.traceId() ?? null,
      fromCache,
      latencyMs,
      allowedBy,
      found: found.map((group) => pack(group, kept)),
    };
  };

  return {
    gather,
    write(verdict, facts) {
      if (isLogged(verdict)) writer.writeBehind(queryOf(verdict, facts));
    },
    flush: () => writer.flush(),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}
