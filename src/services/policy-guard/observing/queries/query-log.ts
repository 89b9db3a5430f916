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
  /** Number of earlier turns sent with it. */
  readonly messages: number;
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

/** Writes requests of guards to the database shortly afterwards; no verdict waits for it. */
export class QueryLog implements AsyncDisposable {
  readonly #deps: QueryLogDeps;
  readonly #writer;

  constructor(deps: QueryLogDeps) {
    this.#deps = deps;
    this.#writer = new BatchWriter<Query>({
      write: async (entries) => {
        await deps.stages.run('log', () => deps.insert(entries));
        await deps.written(entries).catch((err: unknown) => {
          deps.log.warn({ err }, 'readers of the query stream were not notified of new entries');
        });
      },
      maxBatch,
      gatherMs,
      maxWaiting,
      maxWaitingSize: maxWaitingCharacters,
      sizeOf: ({ text }) => text?.length ?? 0,
      onLost: (entries, err) => {
        deps.events.queriesLost(entries.length);
        deps.log.error({ err, entries: entries.length }, 'queries could not be logged');
      },
      onRefused: (entries) => {
        deps.events.queriesLost(entries);
        deps.log.error({ entries }, 'queries were not logged: the database does not keep up');
      },
      metrics: deps.metrics,
    });
  }

  /** For a text that comes in pieces. */
  gather(tenantId: string): GatheredText {
    return new GatheredText(this.#deps.hashKey, tenantId);
  }

  write(verdict: Verdict, facts: QueryFacts): void {
    if (isLogged(verdict)) this.#writer.writeBehind(this.#queryOf(verdict, facts));
  }

  /** Writes now what waits; where the database is away, it waits on. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  [Symbol.asyncDispose]() {
    return this.#writer[Symbol.asyncDispose]();
  }

  #gathered(tenantId: string, text: string | GatheredText): GatheredText {
    if (typeof text !== 'string') return text;
    const whole = this.gather(tenantId);
    whole.add(text);
    return whole;
  }

  #queryOf(verdict: Verdict, { fromCache, asked, messages, ...facts }: QueryFacts): Query {
    const { clock, stages } = this.#deps;
    const { guard, outcome, found, allowedBy, latencyMs } = verdict;
    const logged = guard.settings.logRequests === true;
    const kept = logged && guard.settings.logText === 'full';
    const text = this.#gathered(guard.tenantId, facts.text);
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
  }
}
