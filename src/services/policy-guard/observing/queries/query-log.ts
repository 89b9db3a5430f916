import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import { isRetryable } from '#base/db/errors.ts';
import { AppError } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Logger } from '#base/log/log.ts';
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
}

const gatherMs = 200;
/** So that the embedded database, which works in this thread, holds others back for some ten milliseconds at most. */
const maxBatch = 100;
const maxWaiting = 20_000;
const maxWaitingCharacters = 32_000_000;
const pauseMs = 500;
/** How often writing is tried when the service ends. */
const lastAttempts = 4;

/** The database is away, or another transaction was in the way. */
const isPassing = (error: unknown) => error instanceof AppError || isRetryable(error);

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
  const { insert, written, hashKey, clock, log, events, stages } = deps;
  const waiting: Query[] = [];
  let waitingCharacters = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let draining: Promise<void> = Promise.resolve();
  let closing = false;

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

  const lose = (err: unknown, entries: number) => {
    events.queriesLost(entries);
    log.error({ err, entries }, 'queries could not be logged');
  };

  /** Writes entries; those that the database refuses are lost, and must not take their neighbours along. */
  const settle = async (batch: readonly Query[]): Promise<void> => {
    try {
      await stages.run('log', () => insert(batch));
    } catch (err) {
      if (isPassing(err)) throw err;
      if (batch.length > 1) for (const each of batch) await settle([each]);
      else lose(err, 1);
      return;
    }
    await written(batch).catch((err: unknown) => {
      log.warn({ err }, 'readers of the query stream were not told of entries');
    });
  };

  const take = (count: number) => {
    for (const { text } of waiting.splice(0, count)) waitingCharacters -= text?.length ?? 0;
  };

  const drain = async (): Promise<void> => {
    let failures = 0;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      try {
        await settle(batch);
        take(batch.length);
      } catch (err) {
        // The database is away: entries wait for it, but for a little while only when the service ends.
        if (!closing) return arm(pauseMs);
        failures += 1;
        if (failures < lastAttempts) await sleep(pauseMs);
        else {
          lose(err, waiting.length);
          take(waiting.length);
        }
      }
    }
    if (dropped > 0)
      log.error({ entries: dropped }, 'queries were not logged: the database does not keep up');
    dropped = 0;
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    draining = draining.then(drain);
    return draining;
  };

  const arm = (ms: number) => {
    timer ??= setTimeout(() => void flush(), ms).unref();
  };

  return {
    gather,
    write(verdict, facts) {
      if (!isLogged(verdict)) return;
      if (waiting.length >= maxWaiting || waitingCharacters >= maxWaitingCharacters) {
        dropped += 1;
        events.queriesLost(1);
        return;
      }
      const query = queryOf(verdict, facts);
      waiting.push(query);
      waitingCharacters += query.text?.length ?? 0;
      arm(gatherMs);
    },
    flush,
    async [Symbol.asyncDispose]() {
      closing = true;
      await flush();
    },
  };
}
