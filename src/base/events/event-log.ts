/** A persistent event log: readers in any process get every event in order, also after a reconnect. */
import type { Clock } from '../clock.ts';
import type { Database, Queries } from '../db/database.ts';
import { openChanges } from '../db/changes.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log/log.ts';
import * as store from './event-store.ts';
import type { LoggedEvent } from './event-store.ts';

export interface NewEvent {
  readonly event: string;
  readonly data: object;
}

export interface FollowOptions {
  /** Sequence number to read after; 0 starts with the oldest kept event. */
  readonly after: number;
  /** Stops reading. */
  readonly signal?: AbortSignal | undefined;
  /** Whether this is the topic's final event. */
  readonly isLast?: (event: LoggedEvent) => boolean;
}

export interface EventLog extends AsyncDisposable {
  /**
   * Appends events to a topic, numbered from 1 without gaps, and notifies readers in all processes.
   * @param tx the events are committed with it; other writers to this topic wait until it ends
   * @throws AppError 422 for an event of more than 64 KiB
   */
  append(topic: string, events: readonly NewEvent[], tx?: Queries): Promise<LoggedEvent[]>;
  /**
   * Yields the events of a topic, each once and in order, until `isLast`, the signal, or disposal of the log. A slow
   * reader costs no memory, since events are read on demand. Events that were already deleted are skipped,
   * which shows as a gap in `seq`. The caller must check who may read a topic.
   */
  follow(topic: string, options: FollowOptions): AsyncGenerator<LoggedEvent, void, undefined>;
  /** The topic's last sequence number; 0 if it has no events. */
  lastSeq(topic: string): Promise<number>;
  /** Deletes up to `limit` topics whose last event is older; returns how many. For {@link scheduleRetention}. */
  deleteBefore(moment: Date, limit: number): Promise<number>;
}

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
/** Events per read. */
const pageSize = 100;
/** Polling interval of a reader, in case a notification is lost. */
const lookEveryMs = 10_000;

/** The readers of one topic in this process. */
interface Topic {
  readonly readers: Set<() => void>;
  /** The last read, until new events arrive: shared by readers at the same position. */
  reading: { readonly after: number; readonly page: Promise<LoggedEvent[]> } | undefined;
}

export async function openEventLog(deps: EventLogDeps): Promise<EventLog> {
  const { db, log, clock, mostPerTopic = defaultMostPerTopic } = deps;
  const topics = new Map<string, Topic>();
  const closing = new AbortController();

  const wake = (name: string) => {
    const topic = topics.get(name);
    if (topic === undefined) return;
    topic.reading = undefined;
    for (const each of topic.readers) each();
  };
  const changes = await openChanges({
    db,
    log,
    channel,
    onChange: wake,
    onGap: () => [...topics.keys()].forEach(wake),
  });

  const enter = (name: string, reader: () => void): Topic => {
    const topic = topics.get(name) ?? { readers: new Set(), reading: undefined };
    topics.set(name, topic);
    topic.readers.add(reader);
    return topic;
  };
  const leave = (name: string, topic: Topic, reader: () => void) => {
    topic.readers.delete(reader);
    if (topic.readers.size === 0) topics.delete(name);
  };

  /** Readers at the same position share one read. */
  const pageAfter = (name: string, topic: Topic, after: number): Promise<LoggedEvent[]> => {
    if (topic.reading?.after === after) return topic.reading.page;
    const page = store.listAfter(db, name, after, pageSize);
    const reading = { after, page };
    topic.reading = reading;
    page.catch(() => {
      if (topic.reading === reading) topic.reading = undefined;
    });
    return page;
  };

  return {
    async append(topic, events, tx) {
      if (topic.length > longestTopic) throw new TypeError(`A topic has at most ${longestTopic} characters.`);
      const written = events.map(({ event, data }) => ({ event, data: JSON.stringify(data) }));
      for (const { event, data } of written)
        if (Buffer.byteLength(data) > mostBytes)
          throw new AppError(422, 'too_large', `The event ${event} has more than ${mostBytes} bytes.`);
      if (written.length === 0) return [];
      const add = async (queries: Queries) => {
        const at = new Date(clock.now());
        const added = await store.append(queries, { topic, events: written, at, mostPerTopic });
        await queries.query('select pg_notify($1, $2)', [channel, topic]);
        return added;
      };
      return tx === undefined ? db.transaction(add) : add(tx);
    },
    async *follow(name, { after, signal: own, isLast }) {
      const signal = own === undefined ? closing.signal : AbortSignal.any([own, closing.signal]);
      let hasNews = true;
      let notice = () => {};
      const reader = () => {
        hasNews = true;
        notice();
      };
      const topic = enter(name, reader);
      signal.addEventListener('abort', reader);
      let last = after;
      try {
        while (!signal.aborted) {
          hasNews = false;
          const page = await pageAfter(name, topic, last);
          for (const each of page) {
            if (signal.aborted) return;
            last = each.seq;
            yield each;
            if (isLast?.(each) === true) return;
          }
          if (page.length === pageSize || hasNews) continue;
          await new Promise<void>((resolve) => {
            const timer = setTimeout(() => {
              topic.reading = undefined;
              reader();
            }, lookEveryMs);
            notice = () => {
              clearTimeout(timer);
              resolve();
            };
            if (signal.aborted) notice();
          });
        }
      } finally {
        signal.removeEventListener('abort', reader);
        leave(name, topic, reader);
      }
    },
    lastSeq: (topic) => store.lastSeq(db, topic),
    deleteBefore: (moment, limit) => store.deleteTopicsBefore(db, moment, limit),
    async [Symbol.asyncDispose]() {
      closing.abort();
      await changes[Symbol.asyncDispose]();
    },
  };
}
