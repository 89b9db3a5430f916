/** A persistent event log: readers in any process get every event in order, also after a reconnect. */
import type { Clock } from '../clock.ts';
import type { Database, Queries } from '../db/database.ts';
import { openChanges } from '../db/changes.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log/log.ts';
import * as store from './event-store.ts';
import type { LoggedEvent } from './event-store.ts';
import { TopicReaders, type ReadOptions } from './topic-readers.ts';

export interface NewEvent {
  readonly event: string;
  readonly data: object;
}

/** The signal may be omitted: disposing the log stops its readers too. */
export type FollowOptions = Omit<ReadOptions, 'signal'> & { readonly signal?: AbortSignal | undefined };

export interface EventLogDeps {
  readonly db: Database;
  readonly log: Logger;
  readonly clock: Clock;
  /** Maximum events kept per topic; default: 10,000. */
  readonly mostPerTopic?: number;
}

const channel = 'events_appended';
const mostBytes = 64 * 1024;
const longestTopic = 200;
const defaultMostPerTopic = 10_000;

/** Opens the log of this process, which learns from the database what other processes append. */
export async function openEventLog(deps: EventLogDeps): Promise<EventLog> {
  const readers = new TopicReaders(deps.db);
  const changes = await openChanges({
    db: deps.db,
    log: deps.log,
    channel,
    onChange: (topic) => readers.wake(topic),
    onGap: () => readers.wakeAll(),
  });
  return new EventLog(deps, readers, changes);
}

export class EventLog implements AsyncDisposable {
  readonly #deps: EventLogDeps;
  readonly #readers: TopicReaders;
  readonly #changes: AsyncDisposable;
  readonly #closing = new AbortController();

  /** For {@link openEventLog}. */
  constructor(deps: EventLogDeps, readers: TopicReaders, changes: AsyncDisposable) {
    this.#deps = deps;
    this.#readers = readers;
    this.#changes = changes;
  }

  /**
   * Appends events to a topic, numbered from 1 without gaps, and notifies readers in all processes.
   * @param tx the events are committed with it; other writers to this topic wait until it ends
   * @throws AppError 422 for an event of more than 64 KiB
   */
  async append(topic: string, events: readonly NewEvent[], tx?: Queries): Promise<LoggedEvent[]> {
    const { db, clock, mostPerTopic = defaultMostPerTopic } = this.#deps;
    if (topic.length > longestTopic) throw new TypeError(`A topic has at most ${longestTopic} characters.`);
    const written = events.map(toText);
    if (written.length === 0) return [];
    const add = async (queries: Queries) => {
      const at = new Date(clock.now());
      const added = await store.append(queries, { topic, events: written, at, mostPerTopic });
      await queries.query('select pg_notify($1, $2)', [channel, topic]);
      return added;
    };
    return tx === undefined ? db.transaction(add) : add(tx);
  }

  /**
   * Yields the events of a topic, each once and in order, until `isLast`, the signal, or disposal of the log. A slow
   * reader costs no memory, since events are read on demand. Events that were already deleted are skipped,
   * which shows as a gap in `seq`. The caller must check who may read a topic.
   */
  follow(topic: string, { signal, ...options }: FollowOptions): AsyncGenerator<LoggedEvent, void, undefined> {
    const closing = this.#closing.signal;
    return this.#readers.follow(topic, {
      ...options,
      signal: signal === undefined ? closing : AbortSignal.any([signal, closing]),
    });
  }

  /** The topic's last sequence number; 0 if it has no events. */
  lastSeq(topic: string): Promise<number> {
    return store.lastSeq(this.#deps.db, topic);
  }

  /** Deletes up to `limit` topics whose last event is older; returns how many. For {@link scheduleRetention}. */
  deleteBefore(moment: Date, limit: number): Promise<number> {
    return store.deleteTopicsBefore(this.#deps.db, moment, limit);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#changes[Symbol.asyncDispose]();
  }
}

function toText({ event, data }: NewEvent): { event: string; data: string } {
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) > mostBytes)
    throw new AppError(422, 'too_large', `The event ${event} has more than ${mostBytes} bytes.`);
  return { event, data: text };
}
